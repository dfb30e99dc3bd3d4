//===- ProgramSeal.cpp - integrity of compiled files ----------------------===//
// SPDX-License-Identifier: MIT
//
// The loader maps a library without checking it: a truncated library ended in a
// bus error, and a changed byte had any effect. So a library ends in a seal:
// its size, its processor, and a hash of all bytes before. The seal is checked
// before the library is loaded; read in pieces, that takes a tenth of a second
// for a gigabyte.
//
// No loader reads behind the last section, but tools that rewrite libraries,
// such as `strip`, drop the seal. The seal states the format of the rest, and
// its own layout never changes. So an older build can report which version
// reads the file.
//
//===----------------------------------------------------------------------===//

#include "glow/Program/ProgramSeal.h"
#include "glow/Base/ThisProgram.h"
#include "glow/Base/Version.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sys/utsname.h>

using namespace glow;

static constexpr std::string_view magicWords = "glow library ";
/// The number of leading bytes of a seal that its hash covers.
static constexpr size_t hashedBytes = offsetof(ProgramSeal, hash);

static std::string_view bytesOf(const auto &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

/// The text of a seal's field. Its last byte is 0, unless another program made
/// the seal.
template <size_t count> static std::string textOf(const char (&text)[count]) {
  return std::string(text, ::strnlen(text, count));
}

std::string ProgramOrigin::text() const {
  std::string made = maker.empty() ? "an earlier glow" : maker;
  return "compiled by " + made + ", format " + std::to_string(format) +
         ", for " + (processor.empty() ? target : processor + ", " + target);
}

std::string glow::sealProgram(std::string library,
                              const ProgramOrigin &origin) {
  ProgramSeal seal{};
  std::string magic =
      std::string(magicWords) + std::to_string(origin.format) + "\n";
  magic.copy(seal.magic, sizeof seal.magic - 1);
  origin.target.copy(seal.target, sizeof seal.target - 1);
  seal.bytes = library.size();
  ProgramMaker maker{};
  ("glow " + std::string(version())).copy(maker.maker, sizeof maker.maker - 1);
  origin.processor.copy(maker.processor, sizeof maker.processor - 1);
  library.append(bytesOf(maker)).append(bytesOf(seal).substr(0, hashedBytes));
  seal.hash = Hash::of(library);
  return library.append(bytesOf(seal).substr(hashedBytes));
}

namespace {

/// Reads a file in pieces. When the file becomes shorter meanwhile, reading
/// ends, whereas mapped pages would be gone.
class FileReader {
public:
  explicit FileReader(const std::string &path)
      : stream(path, std::ios::binary | std::ios::ate) {
    if (stream)
      size = uint64_t(std::streamoff(stream.tellg()));
  }
  bool isOpen() const { return bool(stream); }
  uint64_t bytes() const { return size; }

  template <typename T> std::optional<T> at(uint64_t place) {
    T value;
    if (size < sizeof value || place > size - sizeof value ||
        !stream.seekg(std::streamoff(place))
             .read(reinterpret_cast<char *>(&value), sizeof value))
      return std::nullopt;
    return value;
  }

  /// The hash of the first `count` bytes.
  std::optional<Hash> hash(uint64_t count) {
    HashOfParts hash;
    std::string piece(size_t(1) << 20, 0);
    stream.seekg(0);
    while (count) {
      auto part = std::min<uint64_t>(count, piece.size());
      if (!stream.read(piece.data(), std::streamsize(part)))
        return std::nullopt;
      hash.add({piece.data(), size_t(part)});
      count -= part;
    }
    return hash.finish();
  }

private:
  std::ifstream stream;
  uint64_t size = 0;
};

} // namespace

static bool isElf(const std::optional<Elf64_Ehdr> &header) {
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

/// The format that a seal names; 0 if it is none.
static unsigned formatOf(const ProgramSeal &seal) {
  std::string magic = textOf(seal.magic);
  unsigned format = 0;
  if (magic.starts_with(magicWords))
    std::from_chars(magic.data() + magicWords.size(),
                    magic.data() + magic.size(), format);
  return format;
}

/// Whether this process runs code of the library's processor.
static Status checkProcessor(const Elf64_Ehdr &header,
                             const ProgramOrigin &origin) {
  auto own = FileReader(thisProgram()).at<Elf64_Ehdr>(0);
  if (!isElf(own) || (own->e_machine == header.e_machine &&
                      own->e_ident[EI_CLASS] == header.e_ident[EI_CLASS]))
    return Status();
  struct utsname system{};
  ::uname(&system);
  return failure(Code::Unsupported, "it was ", origin.text(), "; this is ",
                 system.machine);
}

static Status checkFormat(const ProgramOrigin &origin) {
  if (origin.format >= oldestReadFormat && origin.format <= newestReadFormat)
    return Status();
  return failure(Code::Unsupported, "it was ", origin.text(), "; this is glow ",
                 version(), ", which reads formats ", oldestReadFormat, " to ",
                 newestReadFormat, ": compile the model again");
}

namespace {

/// The end of a program's file: its seal and origin.
struct Ending {
  ProgramSeal seal;
  ProgramOrigin origin;
  uint64_t sealAt, libraryBytes;

  /// The ending of a file; nullopt where the file has no seal.
  static std::optional<Ending> of(FileReader &file);
};

} // namespace

std::optional<Ending> Ending::of(FileReader &file) {
  uint64_t place =
      file.bytes() - std::min<uint64_t>(file.bytes(), sizeof(ProgramSeal));
  auto seal = file.at<ProgramSeal>(place);
  unsigned format = seal ? formatOf(*seal) : 0;
  if (!format)
    return std::nullopt;
  Ending ending{*seal, {format, "", textOf(seal->target), ""}, place, place};
  if (format <= 2)
    return ending;
  ending.libraryBytes -= std::min<uint64_t>(place, sizeof(ProgramMaker));
  if (auto maker = file.at<ProgramMaker>(ending.libraryBytes)) {
    ending.origin.maker = textOf(maker->maker);
    ending.origin.processor = textOf(maker->processor);
  }
  return ending;
}

static Result<ProgramOrigin> check(FileReader &file) {
  auto header = file.at<Elf64_Ehdr>(0);
  if (!isElf(header))
    return Status(Code::InvalidArgument,
                  "it is no shared library: a compiled model is one, made by "
                  "glow compile --emit=so");
  // The section table is the last part of a library.
  uint64_t least =
      header->e_shoff + uint64_t(header->e_shnum) * header->e_shentsize;
  if (file.bytes() < least)
    return failure(Code::InvalidArgument, "it is cut: it has ", file.bytes(),
                   " bytes of ", least, " or more");
  std::optional<Ending> ending = Ending::of(file);
  if (!ending)
    return Status(Code::InvalidArgument,
                  "it holds no program that this build can read, or is cut; it "
                  "should be made by glow compile --emit=so");
  if (ending->seal.bytes != ending->libraryBytes ||
      file.hash(ending->sealAt + hashedBytes) != ending->seal.hash)
    return Status(Code::InvalidArgument,
                  "it is damaged: its bytes are not those that were written");
  Status status = checkFormat(ending->origin);
  if (status.ok())
    status = checkProcessor(*header, ending->origin);
  return status.ok() ? Result<ProgramOrigin>(std::move(ending->origin))
                     : status;
}

std::string glow::textOfOrigin(const std::string &path) {
  FileReader file(path);
  std::optional<Ending> ending =
      file.isOpen() ? Ending::of(file) : std::nullopt;
  return ending ? ending->origin.text() : "";
}

Result<ProgramOrigin> glow::checkProgramSeal(const std::string &path) {
  errno = 0;
  FileReader file(path);
  if (!file.isOpen() || std::filesystem::is_directory(path))
    return failure(Code::NotFound, "cannot open '", path,
                   "': ", std::strerror(file.isOpen() ? EISDIR : errno));
  Result<ProgramOrigin> origin = check(file);
  return origin ? origin : origin.status().prefixed("'" + path + "': ");
}
