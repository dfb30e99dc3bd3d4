//===- File.cpp - files, read whole and written whole ---------------------===//

#include "glow/TensorFiles/File.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
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

/// Temporary files that exist now. A signal handler may look at it at any time,
/// so it is an array, and a slot is taken by its first byte.
class Temporaries {
public:
  static constexpr size_t longestPath = 4096;

  /// Null when there is no slot, or the path is too long for one.
  char *add(const std::string &path) {
    std::lock_guard lock(mutex);
    if (path.size() >= longestPath)
      return nullptr;
    for (char *slot : {paths[0], paths[1], paths[2], paths[3]})
      if (!*slot) {
        std::memcpy(slot + 1, path.c_str() + 1, path.size());
        std::atomic_signal_fence(std::memory_order_seq_cst);
        *slot = path[0];
        return slot;
      }
    return nullptr;
  }

  static void remove(char *slot) {
    if (slot)
      *slot = 0;
  }

  /// Async-signal-safe.
  void unlinkAll() const {
    for (const char (&path)[longestPath] : paths)
      if (path[0])
        ::unlink(path);
  }

private:
  std::mutex mutex;
  char paths[4][longestPath] = {};
};

} // namespace

static Temporaries temporaries;

static Status systemFailure(Code code, const char *what,
                            const std::string &path) {
  return failure(code, "cannot ", what, " '", path,
                 "': ", std::strerror(errno));
}

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
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about;
  if (file.number < 0 || ::fstat(file.number, &about) != 0)
    return systemFailure(Code::NotFound, "open", path);
  if (S_ISDIR(about.st_mode))
    return failure(Code::InvalidArgument, "'", path,
                   "' is a folder, it should be a file");
  std::string bytes;
  if (S_ISREG(about.st_mode) && uint64_t(about.st_size) <= limit)
    bytes.reserve(size_t(about.st_size) + 1);
  if (!readRest(file.number, bytes, limit))
    return systemFailure(Code::NotFound, "read", path);
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
    return systemFailure(Code::InvalidArgument, "write", path);
  return Status();
}

/// The permissions a new file would have had; mkstemp gives fewer.
static mode_t usualMode() {
  mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// Opens a new file, puts its name where `temporary` has Xs, and takes a slot
/// for it. No signal comes between the two.
static int makeTemporary(std::string &temporary, char *&slot) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  int error = errno;
  if (file >= 0)
    slot = temporaries.add(temporary);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return file;
}

Status glow::writeFile(const std::string &path, std::string_view bytes) {
  struct stat about;
  bool exists = ::stat(path.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode))
    return failure(Code::InvalidArgument, "cannot write '", path,
                   "': it is a folder");
  if (exists && !S_ISREG(about.st_mode))
    return writeInPlace(path, bytes);

  std::string temporary = path + ".XXXXXX";
  char *slot = nullptr;
  Descriptor file(makeTemporary(temporary, slot));
  if (file.number < 0)
    return systemFailure(Code::InvalidArgument, "write", path);
  bool written =
      writeAll(file.number, bytes) &&
      ::fchmod(file.number, exists ? about.st_mode & 0777 : usualMode()) == 0 &&
      file.close() && ::rename(temporary.c_str(), path.c_str()) == 0;
  Status status;
  if (!written) {
    status = systemFailure(Code::InvalidArgument, "write", path);
    ::unlink(temporary.c_str());
  }
  Temporaries::remove(slot);
  return status;
}

static void endBySignal(int signal) {
  temporaries.unlinkAll();
  // The handler was reset when it was entered: this ends the process, and its
  // parent sees by what.
  ::raise(signal);
}

void glow::removeTemporariesOnSignals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) // as under nohup
      continue;
    action.sa_handler = endBySignal;
    action.sa_flags = int(SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
  }
}
