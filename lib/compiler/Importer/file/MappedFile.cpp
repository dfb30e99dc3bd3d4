//===- MappedFile.cpp - tensors in mapped files ---------------------------===//
// SPDX-License-Identifier: MIT
//
// Weights are not copied: a constant is a `dense_resource` over the map. Two
// kinds of data are read into memory of their own: data at an unaligned
// address, and files that another user could truncate meanwhile. A page behind
// the end of a file is a signal and not an error. The file must not change
// while the module lives.
//
// External data must lie below the model's folder, not by `..`, an absolute
// path or a link: a model is data, and data does not choose which files are
// read. If the model's path is a link, links beside it may lead into the folder
// of the link's target, as in the cache of a model hub.
//
//===----------------------------------------------------------------------===//

#include "MappedFile.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/MappedFiles.h"
#include "glow/Base/Memory.h"
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using namespace glow;
namespace fs = std::filesystem;

/// The system's message for an error, with a lower-case initial.
static std::string systemMessage(int error) {
  std::string message = std::generic_category().message(error);
  message[0] = char(std::tolower(message[0]));
  return message;
}

Result<std::shared_ptr<char[]>> glow::allocateBytes(uint64_t size) {
  std::shared_ptr<void> bytes = zeroedMemory(size);
  if (!bytes)
    return failure(Code::OutOfMemory, "needs ", size,
                   " bytes of memory, which are not free");
  return std::shared_ptr<char[]>(bytes, static_cast<char *>(bytes.get()));
}

Result<std::shared_ptr<MappedFile>> MappedFile::open(const std::string &path) {
  // O_NONBLOCK: a pipe of this name may have no other end.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return failure(errno == ENOENT ? Code::NotFound : Code::InvalidArgument,
                   "cannot be opened: ", systemMessage(errno));
  struct stat info = {};
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return failure(Code::InvalidArgument, S_ISDIR(info.st_mode)
                                              ? "is a folder, not a file"
                                              : "is not a regular file");
  }
  // A large file is mapped even if it belongs to another user, so that its
  // messages can be walked. Its tensors are read.
  constexpr size_t small = size_t(64) << 20;
  std::shared_ptr<MappedFile> file(new MappedFile(path, descriptor, info));
  Status status;
  if (file->length)
    status =
        file->isOurs || file->length > small ? file->map(path) : file->copy();
  if (!status.ok())
    return status;
  return file;
}

MappedFile::MappedFile(const std::string &path, int descriptor,
                       const struct stat &about)
    : descriptor(descriptor), about(about), length(size_t(about.st_size)),
      isOurs(isOursAlone(about)) {
  std::error_code error;
  absolute = fs::absolute(path, error);
}

static bool areSame(const timespec &a, const timespec &b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/// Whether the path still has the file as it was opened. No user can set the
/// change time, so a file that was written and got its old modification time
/// back differs.
bool MappedFile::isAsOpened() const {
  struct stat now = {};
  return ::stat(absolute.c_str(), &now) == 0 && now.st_dev == about.st_dev &&
         now.st_ino == about.st_ino && now.st_size == about.st_size &&
         areSame(now.st_mtim, about.st_mtim) &&
         areSame(now.st_ctim, about.st_ctim);
}

Status MappedFile::map(const std::string &path) {
  void *start = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (start == MAP_FAILED)
    return failure(Code::OutOfMemory,
                   "cannot be mapped: ", systemMessage(errno));
  data = static_cast<const char *>(start);
  MappedFiles::instance().add(data, length, descriptor, path);
  return Status();
}

Status MappedFile::copy() {
  Result<std::shared_ptr<char[]>> bytes = allocateBytes(length);
  if (!bytes)
    return bytes.status();
  memory = *bytes;
  data = memory.get();
  return read(0, length, memory.get());
}

MappedFile::~MappedFile() {
  if (data && !memory) {
    MappedFiles::instance().remove(data);
    munmap(const_cast<char *>(data), length);
  }
  ::close(descriptor);
}

void MappedFile::dropPages() const {
  if (length && !memory) // what is in memory only does not come again
    madvise(const_cast<char *>(data), length, MADV_DONTNEED);
}

void MappedFile::dropPages(uint64_t offset, uint64_t size) const {
  // Small tensors keep their pages. A model has hundreds of them, and
  // neighbours would have to read shared pages again.
  constexpr uint64_t least = uint64_t(64) << 10;
  if (size < least || memory)
    return;
  uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t from = (offset + page - 1) / page * page,
           end = (offset + size) / page * page;
  madvise(const_cast<char *>(data) + from, end - from, MADV_DONTNEED);
}

Result<TensorBytes> MappedFile::aligned(uint64_t offset, uint64_t size,
                                        size_t alignment) const {
  const char *place = data + offset;
  if (reinterpret_cast<uintptr_t>(place) % alignment == 0 &&
      (isOurs || memory)) {
    // The tensor keeps the file alive, and drops its pages after the last use.
    auto drop = [file = shared_from_this(), size](const char *at) {
      file->dropPages(uint64_t(at - file->data), size);
    };
    return TensorBytes{{place, size},
                       std::shared_ptr<const char>(place, std::move(drop))};
  }
  // Read from the file: a copy from the map would keep its pages in memory as
  // well.
  Result<std::shared_ptr<char[]>> bytes = allocateBytes(size);
  if (!bytes)
    return bytes.status();
  if (Status status = read(offset, size, bytes->get()); !status.ok())
    return status;
  return TensorBytes{{bytes->get(), size}, *bytes};
}

Status MappedFile::read(uint64_t offset, uint64_t size, char *to) const {
  while (size) {
    ssize_t count = pread(descriptor, to, size, off_t(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return failure(Code::InvalidArgument, "cannot be read at byte ", offset,
                     ": ", count ? systemMessage(errno) : "the file was cut");
    to += count;
    offset += count;
    size -= count;
  }
  return Status();
}

ExternalFiles::ExternalFiles(const std::string &modelPath) {
  std::error_code error;
  folder = fs::canonical(fs::path(modelPath).parent_path() / ".", error);
  linkedFolder = fs::canonical(modelPath, error).parent_path();
}

/// Whether a path without links and `..` is in a folder or below it.
static bool isInside(const fs::path &path, const fs::path &folder) {
  if (folder.empty())
    return false;
  auto [inPath, inFolder] =
      std::mismatch(path.begin(), path.end(), folder.begin(), folder.end());
  return inFolder == folder.end() && inPath != path.end();
}

Result<std::shared_ptr<MappedFile>>
ExternalFiles::open(const std::string &location) {
  Status outside = failure(Code::InvalidArgument, "its data is in '", location,
                           "', which is outside the model's folder");
  fs::path path(location);
  // The path is checked as text first, so that no message reveals whether a
  // file elsewhere exists.
  if (path.empty() || location.find('\0') != std::string::npos)
    return failure(Code::InvalidArgument, "its external data has no location");
  if (folder.empty() || path.is_absolute() ||
      !isInside((fs::path("/f") / path).lexically_normal(), "/f"))
    return outside;
  std::error_code error;
  // Then the resolved path is checked, with all links followed.
  fs::path resolved = fs::canonical(fs::path(folder) / path, error);
  if (error)
    return failure(Code::NotFound, "its data is in '", location,
                   "', which cannot be opened: ", systemMessage(error.value()));
  if (!isInside(resolved, folder) && !isInside(resolved, linkedFolder))
    return outside;
  std::lock_guard lock(*mutex);
  std::shared_ptr<MappedFile> &file = files[resolved];
  if (!file) {
    Result<std::shared_ptr<MappedFile>> opened = MappedFile::open(resolved);
    if (!opened)
      return opened.status().prefixed("its data is in '" + location +
                                      "', which ");
    file = *opened;
  }
  return file;
}

bool ExternalFiles::areAsOpened() const {
  std::lock_guard lock(*mutex);
  return std::ranges::all_of(files, [](const auto &file) {
    return !file.second || file.second->isAsOpened();
  });
}
