//===- NewFile.cpp - atomic creation of files -----------------------------===//
// SPDX-License-Identifier: MIT
//
// A file is written under another name in the same folder, and is renamed when
// it is whole. A reader never sees half a file, and a full disk leaves the old
// file. A signal removes files that are not yet renamed.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/NewFile.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <ranges>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace glow;
namespace fs = std::filesystem;

namespace {

/// The temporary files that exist now. A signal handler may read the list at
/// any time, in any thread. So slots are never freed, and a slot is taken when
/// the first byte of its path is written, which happens last.
class Temporaries {
public:
  char *add(const std::string &path) {
    std::lock_guard lock(mutex);
    Slot *slot = first.load();
    while (slot && (taken(slot->path) || slot->path.size() <= path.size()))
      slot = slot->next;
    if (!slot)
      slot = addSlot(std::max(path.size() + 1, usualSize));
    std::memcpy(slot->path.data() + 1, path.c_str() + 1, path.size());
    std::atomic_ref(slot->path[0]).store(path[0], std::memory_order_release);
    return slot->path.data();
  }

  static void remove(char *path) {
    if (path)
      std::atomic_ref(*path).store(0, std::memory_order_release);
  }

  /// Async-signal-safe.
  void unlinkAll() {
    for (Slot *slot = first.load(); slot; slot = slot->next)
      if (taken(slot->path))
        ::unlink(slot->path.data());
  }

private:
  static constexpr size_t usualSize = 256;
  struct Slot {
    std::vector<char> path;
    Slot *next;
  };

  Slot *addSlot(size_t size) {
    auto *slot = new Slot{std::vector<char>(size), first.load()};
    first.store(slot);
    return slot;
  }
  static bool taken(std::vector<char> &path) {
    static_assert(std::atomic_ref<char>::is_always_lock_free);
    return std::atomic_ref(path[0]).load(std::memory_order_acquire);
  }

  std::mutex mutex;
  std::atomic<Slot *> first = nullptr;
};

} // namespace

static Temporaries temporaries;

/// Opens a new file, replaces the Xs in `temporary` by its name, and takes a
/// slot for the file. Signals are blocked between the two steps.
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

NewFile::NewFile(const std::string &path)
    : path(path), temporary(path + ".XXXXXX") {
  descriptor = makeTemporary(temporary, slot);
  there = descriptor >= 0;
  note(there);
}

NewFile::~NewFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (there)
    ::unlink(temporary.c_str());
  Temporaries::remove(slot);
}

void NewFile::note(bool done) {
  if (!done && !error)
    error = errno;
}

void NewFile::write(std::string_view bytes) {
  while (!error && !bytes.empty()) {
    ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    note(put >= 0 || errno == EINTR);
    bytes.remove_prefix(size_t(std::max<ssize_t>(put, 0)));
  }
}

void NewFile::replace(uint64_t offset, std::string_view bytes) {
  while (!error && !bytes.empty()) {
    ssize_t put =
        ::pwrite(descriptor, bytes.data(), bytes.size(), off_t(offset));
    note(put >= 0 || errno == EINTR);
    size_t done = size_t(std::max<ssize_t>(put, 0));
    bytes.remove_prefix(done);
    offset += done;
  }
}

Status NewFile::status() const {
  return error ? cannotWrite(path, error) : Status();
}

void NewFile::close(unsigned permissions) {
  if (error || descriptor < 0)
    return;
  note(::fchmod(descriptor, permissions) == 0);
  // Some file systems report a full disk only at the call of close().
  note(::close(std::exchange(descriptor, -1)) == 0);
}

Status NewFile::finish(unsigned permissions) {
  close(permissions);
  if (!error) {
    there = ::rename(temporary.c_str(), path.c_str()) != 0;
    note(!there);
  }
  return status();
}

unsigned glow::usualPermissions() {
  mode_t mask = ::umask(0);
  // The mask cannot be read without being set.
  ::umask(mask);
  return 0666 & ~mask;
}

Status glow::cannotWrite(const std::string &path, int error) {
  return failure(Code::InvalidArgument, "cannot write '", path,
                 "': ", std::strerror(error));
}

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

NewFiles::~NewFiles() {
  files.clear();
  for (const std::string &folder : std::views::reverse(folders))
    ::rmdir(folder.c_str()); // with files of others in it, it stays
}

Status NewFiles::makeFolder(const std::string &path) {
  std::error_code error;
  std::vector<std::string> missing;
  for (fs::path at = path; !at.empty() && !fs::exists(at, error);
       at = at.parent_path())
    // Folders made here are removed again after a failure.
    missing.push_back(at);
  fs::create_directories(path, error);
  if (error)
    return failure(Code::InvalidArgument, "cannot make folder '", path,
                   "': ", error.message());
  folders.insert(folders.end(), missing.rbegin(), missing.rend());
  return Status();
}

Status NewFiles::add(const std::string &path, std::string_view bytes) {
  struct stat about;
  // A file that replaces another keeps its permissions.
  bool exists = ::stat(path.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode))
    return failure(Code::InvalidArgument, "cannot write '", path,
                   "': it is a folder");
  if (exists && !S_ISREG(about.st_mode))
    // A device or a pipe, as /dev/null: it cannot be replaced.
    return writeInPlace(path, bytes);

  NewFile &file = files.emplace_back(path);
  file.write(bytes);
  file.close(exists ? about.st_mode & 0777 : usualPermissions());
  return file.status();
}

Status NewFiles::finish() {
  for (NewFile &file : files)
    if (Status status = file.finish(usualPermissions()); !status.ok())
      return status;
  files.clear(), folders.clear();
  return Status();
}

Status glow::writeFile(const std::string &path, std::string_view bytes) {
  NewFiles files;
  Status status = files.add(path, bytes);
  return status.ok() ? files.finish() : status;
}

static void endBySignal(int signal) {
  temporaries.unlinkAll();
  // The handler was reset when it was entered, so this ends the process. The
  // parent sees which signal ended it.
  ::raise(signal);
}

/// Ends the process if a mapped file was truncated: its pages are gone.
static void endByCutFile(int signal, siginfo_t *info, void *) {
  if (info->si_code != BUS_ADRERR)
    return endBySignal(signal);
  constexpr std::string_view message =
      "glow: error: a file that is read was cut meanwhile\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  temporaries.unlinkAll();
  ::_exit(1);
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
  struct sigaction action = {};
  action.sa_sigaction = endByCutFile;
  action.sa_flags = int(SA_RESETHAND) | SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
  // With the signal ignored, a write past the file-size limit fails like other
  // writes.
  ::signal(SIGXFSZ, SIG_IGN);
}
