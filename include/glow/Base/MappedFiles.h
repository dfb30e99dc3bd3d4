//===- MappedFiles.h - mapped files -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_MAPPEDFILES_H
#define GLOW_BASE_MAPPEDFILES_H

#include "glow/Base/Status.h"
#include <map>
#include <mutex>
#include <vector>

namespace glow {

/// The mapped files of this process whose pages programs read when they run. If
/// a file is truncated, its pages are gone, and an access to them ends the
/// process; so a run checks the files first. Any thread may call.
class MappedFiles {
public:
  static MappedFiles &instance();

  /// Records that `bytes` bytes of an open file are mapped at `start`, until
  /// `remove`.
  void add(const void *start, size_t bytes, int descriptor, std::string path);
  void remove(const void *start);

  /// The files that hold some of these addresses, by their starts.
  std::vector<const void *> holding(const std::vector<const void *> &addresses);

  /// Fails, with the name of the file, if one of these files is shorter now
  /// than when it was mapped.
  Status check(const std::vector<const void *> &starts);

private:
  struct File {
    size_t bytes;
    int descriptor;
    std::string path;
  };
  std::mutex mutex;
  std::map<const char *, File> files; // by their starts
};

} // namespace glow

#endif // GLOW_BASE_MAPPEDFILES_H
