//===- MappedFiles.cpp - mapped files -------------------------------------===//
// SPDX-License-Identifier: MIT
//
// When a file is truncated, its mapped pages are gone, and reading them raises
// a signal. So each run first checks the sizes of the files again. The check
// finds every truncation except those during the run.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/MappedFiles.h"
#include <algorithm>
#include <sys/stat.h>

using namespace glow;

MappedFiles &MappedFiles::instance() {
  // Never destroyed: models may be freed at the end of the process.
  static MappedFiles &files = *new MappedFiles;
  return files;
}

void MappedFiles::add(const void *start, size_t bytes, int descriptor,
                      std::string path) {
  std::lock_guard lock(mutex);
  files[static_cast<const char *>(start)] = {bytes, descriptor,
                                             std::move(path)};
}

void MappedFiles::remove(const void *start) {
  std::lock_guard lock(mutex);
  files.erase(static_cast<const char *>(start));
}

std::vector<const void *>
MappedFiles::holding(const std::vector<const void *> &addresses) {
  std::lock_guard lock(mutex);
  std::vector<const void *> starts;
  for (const void *address : addresses) {
    auto *at = static_cast<const char *>(address);
    auto next = files.upper_bound(at);
    if (next == files.begin())
      continue;
    const auto &[start, file] = *std::prev(next);
    // Several constants may lie in one file.
    if (at < start + file.bytes &&
        std::ranges::find(starts, start) == starts.end())
      starts.push_back(start);
  }
  return starts;
}

Status MappedFiles::check(const std::vector<const void *> &starts) {
  if (starts.empty())
    return Status();
  std::lock_guard lock(mutex);
  for (const void *start : starts) {
    auto found = files.find(static_cast<const char *>(start));
    struct stat about;
    if (found == files.end() ||
        ::fstat(found->second.descriptor, &about) != 0 ||
        size_t(about.st_size) >= found->second.bytes)
      continue;
    return failure(Code::InvalidArgument, "'", found->second.path, "' has ",
                   about.st_size, " bytes, it had ", found->second.bytes,
                   " when it was compiled, and is in use");
  }
  return Status();
}
