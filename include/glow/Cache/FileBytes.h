//===- FileBytes.h - files of the cache, and of models ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_CACHE_FILEBYTES_H
#define GLOW_CACHE_FILEBYTES_H

#include "glow/Base/Hash.h"
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace glow {

/// Identity and times of a regular file, as the system reports them. If they
/// are unchanged, the bytes are too, except for changes at the moment of the
/// query.
struct FileState {
  std::string path; ///< absolute
  uint64_t device = 0, inode = 0, bytes = 0;
  uint64_t written = 0, changed = 0; ///< ns

  /// Nothing if there is no such file, or if it has no fixed length.
  static std::optional<FileState> of(const std::string &path);

  /// Whether any later change will be visible: the last change is older than
  /// the resolution of file times.
  bool isSettled() const;
  bool operator==(const FileState &) const = default;
};

template <typename Stream> void describe(Stream &stream, FileState &file) {
  stream(file.path, file.device, file.inode, file.bytes, file.written,
         file.changed);
}

/// The hash of a file's bytes, computed without loading the file into memory.
std::optional<Hash> hashOfFile(const std::string &path);

/// The bytes of a mapped file, aligned to 64.
struct FileBytes {
  std::string_view bytes;
  std::shared_ptr<const void> owner;

  /// Maps a file. Nothing if it cannot be read, or if another user may change
  /// it (`isOursAlone`), since it could be truncated while its pages are read.
  static std::optional<FileBytes> mapOurs(const std::string &path);
};

} // namespace glow

#endif // GLOW_CACHE_FILEBYTES_H
