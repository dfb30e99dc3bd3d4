//===- ProgramSeal.cpp - whether a compiled file is whole -----------------===//
//
// The system maps a library as it finds it: one that was cut ended in a bus
// error, one with another byte in any way. So a library ends in its size, what
// processor it is for, and a hash of all before, which are read before it is
// loaded; in pieces, that takes a tenth of a second for a gigabyte. Behind the
// last section no loader looks, but tools that rewrite libraries, such as
// `strip`, drop it.
//
//===----------------------------------------------------------------------===//

#include "glow/Program/ProgramSeal.h"
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <optional>

using namespace glow;

/// How much of a seal the hash is of.
static constexpr size_t hashedBytes = offsetof(ProgramSeal, hash);

std::string glow::sealProgram(std::string library, std::string_view target) {
  ProgramSeal seal{};
  std::memcpy(seal.magic, ProgramSeal::expectedMagic, sizeof seal.magic);
  target.copy(seal.target, sizeof seal.target - 1);
  seal.bytes = library.size();
  library.append(reinterpret_cast<const char *>(&seal), hashedBytes);
  seal.hash = Hash::of(library);
  library.append(reinterpret_cast<const char *>(&seal) + hashedBytes,
                 sizeof seal - hashedBytes);
  return library;
}

namespace {

/// A file that is read in pieces: one that becomes shorter while it is read
/// ends, where its pages would be gone.
class Reader {
public:
  explicit Reader(const std::string &path)
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

  /// Of the first `count` bytes.
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

/// Whether this process runs such code; `target` says what it is for.
static Status checkProcessor(const Elf64_Ehdr &header, const char *target) {
  auto own = Reader("/proc/self/exe").at<Elf64_Ehdr>(0);
  if (!isElf(own) || (own->e_machine == header.e_machine &&
                      own->e_ident[EI_CLASS] == header.e_ident[EI_CLASS]))
    return Status();
  return failure(Code::Unsupported, "it was compiled for ", target,
                 ", which this processor is not");
}

static Status check(Reader &file) {
  auto header = file.at<Elf64_Ehdr>(0);
  if (!isElf(header))
    return Status(Code::InvalidArgument,
                  "it is no shared library: a compiled model is one, made by "
                  "glow compile --emit=so");
  // The table of sections ends a library.
  uint64_t least =
      header->e_shoff + uint64_t(header->e_shnum) * header->e_shentsize;
  if (file.bytes() < least)
    return failure(Code::InvalidArgument, "it is cut: it has ", file.bytes(),
                   " bytes of ", least, " or more");
  uint64_t before =
      file.bytes() - std::min<uint64_t>(file.bytes(), sizeof(ProgramSeal));
  auto seal = file.at<ProgramSeal>(before);
  if (!seal || std::memcmp(seal->magic, ProgramSeal::expectedMagic,
                           sizeof seal->magic) != 0)
    return Status(Code::InvalidArgument,
                  "it holds no program that this build can read, or is cut; it "
                  "should be made by glow compile --emit=so");
  auto hash = file.hash(before + hashedBytes);
  if (seal->bytes != before || hash != seal->hash)
    return Status(Code::InvalidArgument,
                  "it is damaged: its bytes are not those that were written");
  return checkProcessor(*header, seal->target);
}

Status glow::checkProgramSeal(const std::string &path) {
  errno = 0;
  Reader file(path);
  if (!file.isOpen() || std::filesystem::is_directory(path))
    return failure(Code::NotFound, "cannot open '", path,
                   "': ", std::strerror(file.isOpen() ? EISDIR : errno));
  return check(file).prefixed("'" + path + "': ");
}
