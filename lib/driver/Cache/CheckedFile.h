//===- CheckedFile.h - files of the cache with a checksum -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_CACHE_CHECKEDFILE_H
#define GLOW_LIB_CACHE_CHECKEDFILE_H

#include "glow/Base/NewFile.h"
#include "glow/Cache/FileBytes.h"

namespace glow {

/// The header of a file. The description, the label and the names of weights
/// follow; the label names the backend and the model. At `constantsAt` begins
/// the block of constants, up to the end.
struct FileHeader {
  static constexpr uint64_t expectedMagic = 0x36656863'61436c47; // "GlCache6"

  uint64_t magic = expectedMagic;
  uint64_t bytes = 0; ///< of the file
  uint64_t descriptionBytes = 0, labelBytes = 0, weightsBytes = 0;
  uint64_t constantsAt = 0;
  Hash name; ///< hash of the file's name
  Hash checksum;

  /// Whether a file has such a header, and its length.
  bool isOf(const FileBytes &file) const {
    return magic == expectedMagic && bytes == file.bytes.size();
  }
  /// Whether the parts lie in a file of `size` bytes.
  bool fits(uint64_t size) const;
};

/// The next page boundary, where constants begin, so that they can be mapped.
inline uint64_t pagesAfter(uint64_t bytes) {
  constexpr uint64_t page = 4096;
  return (bytes + page - 1) / page * page;
}

/// A file with a valid header and checksum, which is ours and was written under
/// this name. A copy under another name is no answer to the name's query.
struct CheckedBytes {
  FileHeader header;
  FileBytes file;

  static std::optional<CheckedBytes> read(const std::string &path);
  std::string_view rest() const { return file.bytes.substr(sizeof header); }
  // For a header that fits.
  std::string_view label() const {
    return rest().substr(header.descriptionBytes, header.labelBytes);
  }
  std::string_view weights() const {
    return rest().substr(header.descriptionBytes + header.labelBytes,
                         header.weightsBytes);
  }
};

/// Writes a file with a header. The magic number is written last, and without
/// it the file is invalid.
class CheckedFile {
public:
  explicit CheckedFile(const std::string &path);
  /// Adds bytes after the header.
  void write(std::string_view bytes);
  /// Adds zeros up to a position in the file.
  void padTo(uint64_t position);
  /// Writes the header and renames the file. A failure to keep a file is not
  /// reported.
  void finish(FileHeader header);

private:
  NewFile file;
  Hash name;
  HashOfParts checksum;
  uint64_t written = sizeof(FileHeader);
};

/// Records the time of the last use of a file.
void recordUse(const std::string &path);

} // namespace glow

#endif // GLOW_LIB_CACHE_CHECKEDFILE_H
