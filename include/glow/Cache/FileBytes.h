//===- FileBytes.h - files of the cache, and of models ----------*- C++ -*-===//

#ifndef GLOW_CACHE_FILEBYTES_H
#define GLOW_CACHE_FILEBYTES_H

#include "glow/Base/Hash.h"
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace glow {

/// What the system says of a regular file. While all of it stays the same, so
/// do the bytes, unless they were changed in the moment that it was asked.
struct FileState {
  std::string path; ///< absolute
  uint64_t device = 0, inode = 0, bytes = 0;
  uint64_t written = 0, changed = 0; ///< ns

  /// Nothing when there is no such file, or when it has no end.
  static std::optional<FileState> of(const std::string &path);

  /// Whether a change would be seen: the last one is not too short ago for the
  /// clock that files have.
  bool isSettled() const;
  bool operator==(const FileState &) const = default;
};

template <typename Stream> void describe(Stream &stream, FileState &file) {
  stream(file.path, file.device, file.inode, file.bytes, file.written,
         file.changed);
}

/// The hash of a file's bytes, which take no memory.
std::optional<Hash> hashOfFile(const std::string &path);

/// A file's bytes, as its pages, at a multiple of 64.
struct FileBytes {
  std::string_view bytes;
  std::shared_ptr<const void> owner;

  /// Nothing when it cannot be read, or when another user may change it
  /// (`isOursAlone`): it could be cut while its pages are read.
  static std::optional<FileBytes> mapOurs(const std::string &path);
};

} // namespace glow

#endif // GLOW_CACHE_FILEBYTES_H
