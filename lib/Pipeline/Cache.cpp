//===- Cache.cpp - compiled programs in files -----------------------------===//

#include "Cache.h"
#include "glow/Program/Serial.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t expectedMagic = 0x32656863'61436c47; // "GlCache2"

/// What a file begins with. The description follows, and at `constantsAt` the
/// block of constants, up to the end.
struct FileHeader {
  uint64_t magic = expectedMagic;
  uint64_t bytes = 0; ///< of the file
  uint64_t descriptionBytes = 0, constantsAt = 0;
  llvm::XXH128_hash_t checksum = {0, 0};
};

std::string_view view(const llvm::MemoryBuffer &file, uint64_t from,
                      uint64_t to) {
  return {file.getBufferStart() + from, size_t(to - from)};
}

llvm::XXH128_hash_t hash(std::string_view bytes) {
  return llvm::xxh3_128bits(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
}

/// Of bytes that come in parts: the hash of the hashes of each MiB.
class Checksum {
public:
  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      size_t count = std::min(bytes.size(), whole - open.size());
      if (count == whole) {
        close(bytes.substr(0, whole));
      } else if (open += bytes.substr(0, count); open.size() == whole) {
        close(open);
        open.clear();
      }
      bytes.remove_prefix(count);
    }
  }
  llvm::XXH128_hash_t finish() {
    close(open);
    return hash({reinterpret_cast<const char *>(hashes.data()),
                 hashes.size() * sizeof hashes[0]});
  }

private:
  void close(std::string_view bytes) { hashes.push_back(hash(bytes)); }

  static constexpr size_t whole = size_t(1) << 20;
  std::string open; // what is not a whole MiB yet
  std::vector<llvm::XXH128_hash_t> hashes;
};

/// Of all that follows the header.
llvm::XXH128_hash_t checksumOf(const llvm::MemoryBuffer &file,
                               const FileHeader &header) {
  Checksum checksum;
  checksum.add(view(file, sizeof header, header.bytes));
  return checksum.finish();
}

std::unique_ptr<llvm::MemoryBuffer> mapFile(const std::string &path) {
  // A small file is read, not mapped; its constants are aligned all the same.
  auto file = llvm::MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/false, llvm::Align(64));
  return file ? std::move(*file) : nullptr;
}

/// The text that is hashed.
class KeyText {
public:
  void add(std::string_view word) {
    text += std::to_string(word.size()) + ":";
    text += word;
  }
  void add(uint64_t number) { add(std::string_view(std::to_string(number))); }
  void addHash(llvm::XXH128_hash_t value) {
    add(value.high64);
    add(value.low64);
  }

  /// The program and its libraries: a new build has other files.
  void addBuild() {
    ::dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *self) {
          // The program itself has no name.
          const char *path =
              *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
          struct stat about;
          if (::stat(path, &about) == 0) {
            auto &key = *static_cast<KeyText *>(self);
            key.add(path);
            key.add(uint64_t(about.st_size));
            key.add(uint64_t(about.st_mtim.tv_sec));
            key.add(uint64_t(about.st_mtim.tv_nsec));
          }
          return 0;
        },
        this);
  }

  std::string text;
};

} // namespace

std::string CompileCache::keyOf(const CompileRequest &request,
                                const Backend &backend,
                                const std::vector<std::string> &files) {
  KeyText key;
  std::string fingerprint = backend.fingerprint(request.code);
  if (fingerprint.empty())
    return "";
  key.add(backend.name());
  key.add(fingerprint);
  key.addBuild();
  key.add(name(request.code.math.value_or(Math::Default)));
  key.add(request.memoryLimit);
  for (const auto &[name, shape] : request.shapes) {
    key.add(name);
    key.add(shapeText(shape));
  }
  for (const std::string &path : files) {
    // A model may name any path for its weights, and some files have no end.
    std::error_code error;
    auto file = fs::is_regular_file(path, error) ? mapFile(path) : nullptr;
    if (!file)
      return "";
    key.add(uint64_t(file->getBufferSize()));
    key.addHash(hash(view(*file, 0, file->getBufferSize())));
  }
  llvm::XXH128_hash_t value = hash(key.text);
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx",
                static_cast<unsigned long long>(value.high64),
                static_cast<unsigned long long>(value.low64));
  return name;
}

std::string CompileCache::pathOf(const std::string &key) const {
  return folder + "/" + key + ".program";
}

std::optional<Program> CompileCache::load(const std::string &key,
                                          const Backend &backend) {
  std::shared_ptr<llvm::MemoryBuffer> file = mapFile(pathOf(key));
  FileHeader header;
  if (!file || file->getBufferSize() < sizeof header)
    return std::nullopt;
  uint64_t size = file->getBufferSize();
  std::memcpy(&header, file->getBufferStart(), sizeof header);
  if (header.magic != expectedMagic || header.bytes != size ||
      header.constantsAt < sizeof header || header.constantsAt > size ||
      header.descriptionBytes > header.constantsAt - sizeof header ||
      checksumOf(*file, header) != header.checksum)
    return std::nullopt;
  std::string_view description =
      view(*file, sizeof header, sizeof header + header.descriptionBytes);
  std::string_view constants = view(*file, header.constantsAt, size);
  Result<Program> program =
      backend.restore({description, constants, nullptr, file});
  if (!program)
    return std::nullopt;
  // The time of the last use.
  ::utimensat(AT_FDCWD, pathOf(key).c_str(), nullptr, 0);
  return program.take();
}

namespace {

/// A new file, which gets its name when it is whole.
class NewFile {
public:
  explicit NewFile(std::string path) : path(path + ".XXXXXX") {
    descriptor = ::mkostemp(this->path.data(), O_CLOEXEC);
    good = descriptor >= 0;
    // Without its magic number the file makes no sense yet.
    put(std::string(sizeof(FileHeader), '\0'));
  }
  ~NewFile() {
    if (descriptor < 0)
      return;
    ::close(descriptor);
    if (!done)
      ::unlink(path.c_str());
  }
  /// Adds what follows the header.
  void write(std::string_view bytes) {
    put(bytes);
    checksum.add(bytes);
  }
  /// Writes the header, with the checksum of what follows it, and renames.
  void finish(FileHeader header, const std::string &name) {
    header.checksum = checksum.finish();
    done = good && written == header.bytes &&
           ::pwrite(descriptor, &header, sizeof header, 0) == sizeof header &&
           ::rename(path.c_str(), name.c_str()) == 0;
  }

private:
  void put(std::string_view bytes) {
    while (good && !bytes.empty()) {
      ssize_t taken = ::write(descriptor, bytes.data(), bytes.size());
      if (taken < 0 && errno == EINTR)
        continue;
      good = taken > 0;
      bytes.remove_prefix(size_t(std::max<ssize_t>(taken, 0)));
      written += uint64_t(std::max<ssize_t>(taken, 0));
    }
  }

  std::string path;
  Checksum checksum;
  uint64_t written = 0;
  int descriptor;
  bool good, done = false;
};

} // namespace

void CompileCache::store(const std::string &key, const Backend &backend,
                         const Program &program) {
  std::optional<uint64_t> constantBytes = blockBytes(program);
  Result<std::string> description = backend.store(program);
  if (!constantBytes || !description)
    return;
  constexpr uint64_t page = 4096;
  FileHeader header;
  header.descriptionBytes = description->size();
  header.constantsAt =
      (sizeof header + description->size() + page - 1) / page * page;
  header.bytes = header.constantsAt + *constantBytes;
  if (header.bytes > limit)
    return;
  std::error_code error;
  if (!fs::exists(folder, error)) {
    fs::create_directories(folder, error);
    fs::permissions(folder, fs::perms::owner_all, error); // nobody else's
  }
  NewFile file(pathOf(key));
  file.write(*description);
  file.write(std::string(
      header.constantsAt - sizeof header - description->size(), '\0'));
  writeBlock(program, [&](std::string_view bytes) { file.write(bytes); });
  file.finish(header, pathOf(key));
  evict();
}

namespace {
struct KeptFile {
  fs::path path;
  uint64_t bytes;
  fs::file_time_type lastUse;
};
} // namespace

/// The programs in a folder. Removes what a process left that was killed.
static std::vector<KeptFile> listPrograms(const std::string &folder) {
  std::vector<KeptFile> programs;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    KeptFile file{entry->path(), entry->file_size(gone),
                  entry->last_write_time(gone)};
    std::string name = file.path.filename();
    if (gone || name.find(".program") == std::string::npos)
      continue;
    if (name.ends_with(".program"))
      programs.push_back(file);
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
              return a.lastUse > b.lastUse;
            });
  uint64_t total = 0;
  for (const KeptFile &file : programs) {
    total += file.bytes;
    std::error_code gone;
    if (total > limit)
      fs::remove(file.path, gone);
  }
}
