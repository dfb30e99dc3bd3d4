//===- Cache.cpp - compiled programs in files -----------------------------===//
// SPDX-License-Identifier: MIT
//
// A file holds a program in the form in which it is mapped later: a
// description, and from a page boundary on the constants as the kernels read
// them. Large constants have files of their own, which programs share
// (Weights.h). All inputs that could change the program of a model are in the
// file's name, as a hash. A file that does not match is ignored silently; the
// model is compiled again.
//
//===----------------------------------------------------------------------===//

#include "glow/Cache/Cache.h"
#include "CheckedFile.h"
#include "Weights.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/ThisProgram.h"
#include "glow/Program/Parts.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow;
namespace fs = std::filesystem;

namespace {

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
  key.add(request.code.memoryLimit);
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
  std::optional<std::vector<StoredConstant>> large =
      loadWeights(folder, kept->weights());
  if (!large)
    return std::nullopt;
  Result<Program> program = restore(
      {kept->rest().substr(0, header.descriptionBytes),
       file.bytes.substr(header.constantsAt), nullptr, file.owner,
       large->empty() ? BlockOf::All : BlockOf::Small, std::move(*large)});
  if (!program)
    return std::nullopt;
  recordUse(pathOf(key));
  return program.take();
}

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
  std::optional<uint64_t> allBytes = blockBytes(program);
  if (!allBytes)
    return;
  FileHeader header;
  const std::string label = program.backend + "\n" + model;
  header.descriptionBytes = description.size();
  header.labelBytes = label.size();
  // A program above the limit would evict all others, and then itself.
  if (pagesAfter(sizeof header + description.size() + label.size()) +
              *allBytes >
          limit ||
      !make())
    return;
  // The reader of parts finds them in one block.
  const bool isWhole = !partsOf(program);
  const std::string weights = isWhole ? storeWeights(folder, program) : "";
  header.weightsBytes = weights.size();
  header.constantsAt = pagesAfter(sizeof header + description.size() +
                                  label.size() + weights.size());
  CheckedFile file(pathOf(key));
  file.write(description);
  file.write(label);
  file.write(weights);
  file.padTo(header.constantsAt);
  writeBlock(
      program, [&](std::string_view bytes) { file.write(bytes); },
      isWhole ? BlockOf::Small : BlockOf::All);
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

/// Endings of the files that `evict` may remove.
static constexpr std::array keptEndings = {".program", ".weights", ".model"};

/// The programs, weights and notes in a folder. Removes files that killed
/// processes left.
static std::vector<KeptFile> listPrograms(const std::string &folder) {
  std::vector<KeptFile> programs;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    KeptFile file{entry->path(), entry->file_size(gone),
                  entry->last_write_time(gone)};
    std::string name = file.path.filename();
    auto isOf = [&](const char *ending) {
      return name.find(ending) != std::string::npos;
    };
    if (gone || !std::ranges::any_of(keptEndings, isOf))
      continue;
    if (std::ranges::any_of(keptEndings, [&](const char *ending) {
          return name.ends_with(ending);
        }))
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
static void readLabel(const std::string &folder, const std::string &path,
                      CompileCache::Kept &program) {
  std::optional<FileBytes> file = FileBytes::mapOurs(path);
  FileHeader header;
  if (!file || file->bytes.size() < sizeof header)
    return;
  std::memcpy(&header, file->bytes.data(), sizeof header);
  if (!header.isOf(*file) || !header.fits(file->bytes.size()))
    return;
  const CheckedBytes checked{header, *file};
  program.bytes += bytesOfWeights(folder, checked.weights());
  std::string_view label = checked.label();
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
    readLabel(folder, entry->path(), programs.back());
  }
  std::ranges::sort(programs, [](const Kept &a, const Kept &b) {
    return std::pair(-a.lastUse, a.file) < std::pair(-b.lastUse, b.file);
  });
  return programs;
}

uint64_t CompileCache::bytesOnDisk() const {
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string extension = entry->path().extension();
    std::error_code gone;
    if (extension == ".program" || extension == ".weights")
      if (uint64_t size = entry->file_size(gone); !gone)
        bytes += size;
  }
  return bytes;
}

Result<uint64_t> CompileCache::clear(bool all) {
  if (Status status = checkOurs(); !status.ok())
    return status;
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string extension = entry->path().extension();
    if (std::ranges::find(keptEndings, extension) == keptEndings.end() &&
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
