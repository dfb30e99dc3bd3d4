//===- Cache.cpp - compiled programs in files -----------------------------===//
// SPDX-License-Identifier: MIT
//
// A file holds a program in the form in which it is mapped later: a
// description, and from a page boundary on the constants as the kernels read
// them. All inputs that could change the program of a model are in the file's
// name, as a hash. A file that does not match is ignored silently; the model is
// compiled again.
//
//===----------------------------------------------------------------------===//

#include "glow/Cache/Cache.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/NewFile.h"
#include "glow/Base/ThisProgram.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t expectedMagic = 0x35656863'61436c47; // "GlCache5"

/// The header of a file. The description and the label follow; the label names
/// the backend and the model. At `constantsAt` begins the block of constants,
/// up to the end.
struct FileHeader {
  uint64_t magic = expectedMagic;
  uint64_t bytes = 0; ///< of the file
  uint64_t descriptionBytes = 0, labelBytes = 0, constantsAt = 0;

  /// Whether the parts lie in a file of `size` bytes.
  bool fits(uint64_t size) const {
    return constantsAt >= sizeof(FileHeader) && constantsAt <= size &&
           descriptionBytes <= constantsAt - sizeof(FileHeader) &&
           labelBytes <= constantsAt - sizeof(FileHeader) - descriptionBytes;
  }
  Hash name; ///< hash of the file's name
  Hash checksum;
};

/// A file with a valid header and checksum, which is ours and was written under
/// this name. A copy under another name is no answer to the name's query.
struct CheckedBytes {
  FileHeader header;
  FileBytes file;

  static std::optional<CheckedBytes> read(const std::string &path);
  std::string_view rest() const { return file.bytes.substr(sizeof header); }
};

/// The text that is hashed.
class KeyText {
public:
  void add(std::string_view word) {
    // Prefixed by its length: two different lists of words never have the same
    // text.
    text += std::to_string(word.size()) + ":";
    text += word;
  }
  void add(uint64_t number) { add(std::string_view(std::to_string(number))); }

  std::string text;
};

} // namespace

std::string CompileCache::keyOf(const CompileRequest &request,
                                const Origin &origin) {
  KeyText key;
  for (const std::string *text :
       {&origin.backend, &origin.processor, &origin.build, &origin.model})
    key.add(*text);
  key.add(name(request.code.math.value_or(Math::Default)));
  key.add(request.memoryLimit);
  key.add(uint64_t(request.maxIterations));
  key.add(uint64_t(request.predicates));
  key.add(request.importPasses);
  for (const auto &[name, shape] : request.shapes) {
    key.add(name);
    key.add(shapeText(shape));
  }
  for (const SizeVariable &size : request.sizes)
    key.add(size.text());
  // Pairs that grow change the code.
  if (request.states.appends || !request.states.given.empty()) {
    key.add(request.states.appends ? "append" : "given");
    key.add(request.states.recognises);
    for (const StatePair &pair : request.states.given)
      key.add(pair.input + "=" + pair.output);
  }
  if (request.partition)
    key.add(glow::keyOf(*request.partition));
  return Hash::of(key.text).text();
}

std::string CompileCache::pathOf(const std::string &key) const {
  return folder + "/" + key + ".program";
}

static Hash nameIn(const std::string &path) {
  return Hash::of(fs::path(path).filename().string());
}

std::optional<CheckedBytes> CheckedBytes::read(const std::string &path) {
  std::optional<FileBytes> file = FileBytes::mapOurs(path);
  FileHeader header;
  if (!file || file->bytes.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, file->bytes.data(), sizeof header);
  HashOfParts checksum;
  checksum.add(file->bytes.substr(sizeof header));
  if (header.magic != expectedMagic || header.bytes != file->bytes.size() ||
      header.name != nameIn(path) || header.checksum != checksum.finish())
    return std::nullopt;
  return CheckedBytes{header, *file};
}

bool CompileCache::isOurs() const {
  struct stat about;
  return ::stat(folder.c_str(), &about) == 0 && isOursAlone(about);
}

std::optional<Program> CompileCache::load(const std::string &key,
                                          const Restore &restore) {
  auto kept = isOurs() ? CheckedBytes::read(pathOf(key)) : std::nullopt;
  if (!kept)
    return std::nullopt;
  const auto &[header, file] = *kept;
  if (!header.fits(file.bytes.size()))
    return std::nullopt;
  Result<Program> program =
      restore({kept->rest().substr(0, header.descriptionBytes),
               file.bytes.substr(header.constantsAt), nullptr, file.owner});
  if (!program)
    return std::nullopt;
  // Records the time of the last use.
  ::utimensat(AT_FDCWD, pathOf(key).c_str(), nullptr, 0);
  return program.take();
}

namespace {

/// A file with a header. The magic number is written last, and without it the
/// file is invalid.
class CheckedFile {
public:
  explicit CheckedFile(const std::string &path)
      : file(path), name(nameIn(path)) {
    file.write(std::string(sizeof(FileHeader), '\0'));
  }
  /// Adds bytes after the header.
  void write(std::string_view bytes) {
    file.write(bytes);
    checksum.add(bytes);
    written += bytes.size();
  }
  /// Writes the header and renames the file. A failure to keep a file is not
  /// reported.
  void finish(FileHeader header) {
    header.name = name;
    header.checksum = checksum.finish();
    header.bytes = written;
    file.replace(0, {reinterpret_cast<const char *>(&header), sizeof header});
    (void)file.finish(0600);
  }

private:
  NewFile file;
  Hash name;
  HashOfParts checksum;
  uint64_t written = sizeof(FileHeader);
};

} // namespace

bool CompileCache::make() {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    fs::create_directories(folder, error);
    fs::permissions(folder, fs::perms::owner_all, error); // no other user's
  }
  return isOurs();
}

void CompileCache::store(const std::string &key, const Program &program,
                         const std::string &description,
                         const std::string &model) {
  std::optional<uint64_t> constantBytes = blockBytes(program);
  if (!constantBytes)
    return;
  // Constants begin at a page boundary, so that they can be mapped.
  constexpr uint64_t page = 4096;
  FileHeader header;
  std::string label = program.backend + "\n" + model;
  header.descriptionBytes = description.size();
  header.labelBytes = label.size();
  uint64_t before = sizeof header + description.size() + label.size();
  header.constantsAt = (before + page - 1) / page * page;
  // A program above the limit would evict all others, and then itself.
  if (header.constantsAt + *constantBytes > limit || !make())
    return;
  CheckedFile file(pathOf(key));
  file.write(description);
  file.write(label);
  file.write(std::string(header.constantsAt - before, '\0'));
  writeBlock(program, [&](std::string_view bytes) { file.write(bytes); });
  file.finish(header);
  evict();
}

namespace {
struct KeptFile {
  fs::path path;
  uint64_t bytes;
  fs::file_time_type lastUse;
};
} // namespace

/// The programs and notes in a folder. Removes files that killed processes
/// left.
static std::vector<KeptFile> listPrograms(const std::string &folder) {
  std::vector<KeptFile> programs;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    KeptFile file{entry->path(), entry->file_size(gone),
                  entry->last_write_time(gone)};
    std::string name = file.path.filename();
    if (gone || (name.find(".program") == std::string::npos &&
                 name.find(".model") == std::string::npos))
      continue;
    if (name.ends_with(".program") || name.ends_with(".model"))
      programs.push_back(file);
    // A young file stays for an hour: another process may be writing it.
    else if (fs::file_time_type::clock::now() - file.lastUse >
             std::chrono::hours(1))
      fs::remove(file.path, gone);
  }
  return programs;
}

void CompileCache::evict() {
  std::vector<KeptFile> programs = listPrograms(folder);
  std::sort(programs.begin(), programs.end(),
            [](const KeptFile &a, const KeptFile &b) {
              // The most recently used first, as long as the limit allows.
              return a.lastUse > b.lastUse;
            });
  uint64_t total = 0;
  for (const KeptFile &file : programs) {
    std::error_code gone;
    if (file.bytes <= limit - total)
      total += file.bytes;
    else // what is smaller may stay
      fs::remove(file.path, gone);
  }
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

Status CompileCache::checkOurs() const {
  std::error_code error;
  if (!fs::exists(folder, error) || isOurs())
    return Status();
  return failure(Code::InvalidArgument, "the cache's folder '", folder,
                 "' is not this user's alone, so that it is not used");
}

/// Reads only the beginning of the file: verifying the whole takes time, and
/// loading verifies it.
static void readLabel(const std::string &path, CompileCache::Kept &program) {
  std::optional<FileBytes> file = FileBytes::mapOurs(path);
  FileHeader header;
  if (!file || file->bytes.size() < sizeof header)
    return;
  std::memcpy(&header, file->bytes.data(), sizeof header);
  if (header.magic != expectedMagic || header.bytes != file->bytes.size() ||
      !header.fits(file->bytes.size()))
    return;
  std::string_view label = file->bytes.substr(
      sizeof header + header.descriptionBytes, header.labelBytes);
  size_t middle = label.find('\n');
  if (middle == std::string_view::npos)
    return;
  program.backend = label.substr(0, middle);
  program.model = label.substr(middle + 1);
}

Result<std::vector<CompileCache::Kept>> CompileCache::list() const {
  if (Status status = checkOurs(); !status.ok())
    return status;
  std::vector<Kept> programs;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    struct stat about;
    if (entry->path().extension() != ".program" ||
        ::stat(entry->path().c_str(), &about) != 0)
      continue;
    programs.push_back({entry->path().filename(), uint64_t(about.st_size),
                        int64_t(about.st_mtime), "", ""});
    readLabel(entry->path(), programs.back());
  }
  std::ranges::sort(programs, [](const Kept &a, const Kept &b) {
    return std::pair(-a.lastUse, a.file) < std::pair(-b.lastUse, b.file);
  });
  return programs;
}

Result<uint64_t> CompileCache::clear(bool all) {
  if (Status status = checkOurs(); !status.ok())
    return status;
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string extension = entry->path().extension();
    if (extension != ".program" && extension != ".model" &&
        !(all && extension == ".numbers"))
      continue;
    std::error_code gone;
    uint64_t size = entry->file_size(gone);
    // Another process may have removed it.
    if (gone)
      continue;
    fs::remove(entry->path(), gone);
    if (gone)
      return failure(Code::InvalidArgument, "cannot remove '",
                     entry->path().string(), "': ", gone.message());
    bytes += size;
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

namespace glow {
template <typename Stream>
static void describe(Stream &stream, Origin &origin) {
  stream(origin.backend, origin.processor, origin.build, origin.model);
}
template <typename Stream>
static void describe(Stream &stream, ModelNote &note) {
  stream(note.model, note.compiler, note.machine, note.origin, note.inputs,
         note.outputs);
}
} // namespace glow

static std::string notePath(const std::string &folder,
                            const std::string &path) {
  std::error_code error;
  return folder + "/" + Hash::of(fs::absolute(path, error).string()).text() +
         ".model";
}

std::optional<ModelNote> CompileCache::note(const std::string &path) const {
  auto kept =
      isOurs() ? CheckedBytes::read(notePath(folder, path)) : std::nullopt;
  if (!kept)
    return std::nullopt;
  ModelNote note;
  ByteReader reader(kept->rest());
  reader(note);
  return reader.ok() ? std::optional(std::move(note)) : std::nullopt;
}

void CompileCache::write(const std::string &path, ModelNote note) {
  if (!make())
    return;
  ByteWriter writer;
  writer(note);
  CheckedFile file(notePath(folder, path));
  file.write(writer.take());
  file.finish({});
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Several machines may share a folder, so the name has the machine's hash.
static std::string numbersPath(const std::string &folder,
                               const std::string &backend) {
  return folder + "/" + Hash::of(backend + "\n" + machineText()).text() +
         ".numbers";
}

std::string CompileCache::numbers(const std::string &backend) const {
  auto kept = isOurs() ? CheckedBytes::read(numbersPath(folder, backend))
                       : std::nullopt;
  return kept ? std::string(kept->rest()) : "";
}

Status CompileCache::keepNumbers(const std::string &backend,
                                 const std::string &text) {
  if (!make())
    return failure(Code::InvalidArgument, "the cache's folder '", folder,
                   "' cannot be made, or is not this user's alone");
  CheckedFile file(numbersPath(folder, backend));
  file.write(text);
  file.finish({});
  if (numbers(backend) != text)
    return failure(Code::InvalidArgument, "nothing can be kept in '", folder,
                   "'");
  dropNotes();
  return Status();
}

Result<bool> CompileCache::dropNumbers(const std::string &backend) {
  if (Status status = checkOurs(); !status.ok())
    return status;
  const std::string path = numbersPath(folder, backend);
  std::error_code error;
  const bool wasKept = fs::remove(path, error);
  if (error)
    return failure(Code::InvalidArgument, "cannot remove '", path,
                   "': ", error.message());
  if (wasKept)
    dropNotes();
  return wasKept;
}

void CompileCache::dropNotes() {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    if (entry->path().extension() == ".model")
      fs::remove(entry->path(), gone);
  }
}

static bool areSame(const std::vector<FileState> &files) {
  return !files.empty() &&
         std::ranges::all_of(files, [](const FileState &file) {
           // Compared by times and size, which are read quickly; hashing a
           // large file is slow.
           return FileState::of(file.path) == file;
         });
}

bool ModelNote::isTrue() const {
  return !machine.empty() && machine == machineText() && areSame(model) &&
         areSame(compiler);
}

std::string glow::hashesOf(const std::vector<std::string> &files) {
  std::string text;
  for (const std::string &path : files) {
    // A model may name any path for its weights, and some files have no end.
    std::optional<Hash> hash = hashOfFile(path);
    if (!hash)
      return "";
    text += hash->text();
  }
  return text;
}
