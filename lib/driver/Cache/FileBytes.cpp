//===- FileBytes.cpp - files of the cache, and of models ------------------===//
// SPDX-License-Identifier: MIT
//
// A file is unchanged if the system reports the same device, number, size, and
// time of the last change, which no user can set. Within one tick of a file
// system's clock, a file may be written twice, so it counts as settled only
// later.
//
//===----------------------------------------------------------------------===//

#include "glow/Cache/FileBytes.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/Memory.h"
#include <chrono>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow;
namespace fs = std::filesystem;

namespace {

uint64_t nanoseconds(const timespec &time) {
  return uint64_t(time.tv_sec) * 1000000000 + uint64_t(time.tv_nsec);
}

} // namespace

std::optional<FileState> FileState::of(const std::string &path) {
  std::error_code error;
  fs::path whole = fs::absolute(path, error);
  struct stat about;
  if (error || ::stat(whole.c_str(), &about) != 0 || !S_ISREG(about.st_mode))
    return std::nullopt;
  return FileState{whole,
                   uint64_t(about.st_dev),
                   uint64_t(about.st_ino),
                   uint64_t(about.st_size),
                   nanoseconds(about.st_mtim),
                   nanoseconds(about.st_ctim)};
}

bool FileState::isSettled() const {
  // Some file systems count seconds.
  constexpr uint64_t tick = 2000000000;
  timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::max(written, changed) + tick < nanoseconds(now);
}

std::optional<Hash> glow::hashOfFile(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return std::nullopt;
  std::string part(size_t(1) << 20, '\0');
  HashOfParts hash;
  for (;;) {
    ssize_t count = ::read(file->descriptor(), part.data(), part.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count ? std::nullopt : std::optional(hash.finish());
    hash.add(std::string_view(part).substr(0, size_t(count)));
  }
}

std::optional<FileBytes> FileBytes::mapOurs(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file || !isOursAlone(file->about()) || file->about().st_size == 0)
    return std::nullopt;
  auto size = size_t(file->about().st_size);
  // Kernels prefetch behind the file, so that it has empty pages there.
  const size_t all = size + prefetchedBehind;
  void *data =
      ::mmap(nullptr, all, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return std::nullopt;
  auto unmap = [all](const void *at) { ::munmap(const_cast<void *>(at), all); };
  std::shared_ptr<const void> owner(data, unmap);
  // Mapped with MAP_POPULATE, since the checksum reads every page.
  if (::mmap(data, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE | MAP_FIXED,
             file->descriptor(), 0) == MAP_FAILED)
    return std::nullopt;
  touchPages(static_cast<const char *>(data) + size, prefetchedBehind);
  return FileBytes{{static_cast<const char *>(data), size}, std::move(owner)};
}
