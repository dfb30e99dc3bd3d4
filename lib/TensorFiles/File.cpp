//===- File.cpp - files, read whole and written whole ---------------------===//

#include "glow/TensorFiles/File.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/NewFile.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow;

namespace {

/// A file descriptor, closed when it leaves its scope.
struct Descriptor {
  int number;
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor &) = delete;

  bool close() {
    int closed = number >= 0 ? ::close(number) : 0;
    number = -1;
    return closed == 0;
  }
};

} // namespace

/// Appends what is left of a file; false with errno when it cannot be read.
static bool readRest(int file, std::string &bytes, uint64_t limit) {
  constexpr size_t chunk = 1 << 20;
  while (bytes.size() <= limit) {
    size_t end = bytes.size();
    // Past the length the system told there is, in most cases, only the end.
    bytes.resize(std::max(bytes.capacity(), end + chunk));
    ssize_t got = ::read(file, bytes.data() + end, bytes.size() - end);
    bytes.resize(end + std::max<ssize_t>(got, 0));
    if (got == 0)
      return true;
    if (got < 0 && errno != EINTR)
      return false;
  }
  return true;
}

Result<std::string> glow::readFile(const std::string &path, uint64_t limit) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  uint64_t size = uint64_t(file->about().st_size);
  std::string bytes;
  if (size <= limit)
    bytes.reserve(size + 1);
  if (!readRest(file->descriptor(), bytes, limit))
    return failure(Code::NotFound, "cannot read '", path,
                   "': ", std::strerror(errno));
  if (bytes.size() > limit)
    return failure(Code::InvalidArgument, "'", path, "' is longer than ", limit,
                   " bytes");
  return bytes;
}

static bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno != EINTR)
      return false;
    bytes.remove_prefix(size_t(std::max<ssize_t>(put, 0)));
  }
  return true;
}

static Status writeInPlace(const std::string &path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number < 0 || !writeAll(file.number, bytes) || !file.close())
    return cannotWrite(path, errno);
  return Status();
}

Status glow::writeFile(const std::string &path, std::string_view bytes) {
  struct stat about;
  bool exists = ::stat(path.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode))
    return failure(Code::InvalidArgument, "cannot write '", path,
                   "': it is a folder");
  if (exists && !S_ISREG(about.st_mode))
    return writeInPlace(path, bytes);

  NewFile file(path);
  file.write(bytes);
  return file.finish(exists ? about.st_mode & 0777 : usualPermissions());
}
