//===- MappedFile.h - tensors in mapped files -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_FILE_MAPPEDFILE_H
#define GLOW_LIB_IMPORTER_FILE_MAPPEDFILE_H

#include "glow/Base/Status.h"
#include "glow/Graph/Storage.h"
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <sys/stat.h>

namespace glow {

/// Memory of `size` bytes that begins on a cache line. Fails when there is not
/// enough.
Result<std::shared_ptr<char[]>> allocateBytes(uint64_t size);

/// A file, mapped for reading as long as this object lives. If the file is
/// truncated, the pages behind its end are gone, and reading one ends the
/// process. So of a file that another user may change, tensors are read into
/// memory; a small file is read at once.
class MappedFile : public std::enable_shared_from_this<MappedFile> {
public:
  /// Fails with a message that follows the file's name.
  static Result<std::shared_ptr<MappedFile>> open(const std::string &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  /// Whether the path still has this file, unchanged.
  bool isAsOpened() const;

  /// The contents of the file; pages are loaded when they are touched.
  std::span<const char> bytes() const { return {data, length}; }

  /// Frees the memory of touched pages; a page is loaded again at the next
  /// access.
  void dropPages() const;
  /// Drops the pages that lie inside the range; a small range keeps its pages.
  void dropPages(uint64_t offset, uint64_t size) const;

  /// Bytes at an address that is a multiple of `alignment`. They are bytes of
  /// the map where these are aligned and safe; their pages are dropped when the
  /// owner dies. Otherwise they are read into memory of their own. The range is
  /// in the file. Fails when the file no longer has those bytes.
  Result<TensorBytes> aligned(uint64_t offset, uint64_t size,
                              size_t alignment) const;

  /// Reads bytes of the file without touching the map.
  Status read(uint64_t offset, uint64_t size, char *to) const;

private:
  MappedFile(const std::string &path, int descriptor, const struct stat &about);
  Status map(const std::string &path);
  Status copy();

  std::string absolute; ///< the path
  int descriptor;
  struct stat about; ///< when it was opened
  const char *data = nullptr;
  size_t length;
  bool isOurs;                    ///< no other user may cut it
  std::shared_ptr<char[]> memory; ///< a copy in place of the map
};

/// The files with weights beside a model. Each file is mapped once. Any thread
/// may call.
class ExternalFiles {
public:
  explicit ExternalFiles(const std::string &modelPath);

  /// The file of a `location` of external data, which is relative to the
  /// model's folder. Refuses a file outside that folder, be it by an absolute
  /// path, by `..` or by a symbolic link. If the model's path is a link,
  /// symbolic links may also lead into the folder of the link's target, or
  /// below it.
  Result<std::shared_ptr<MappedFile>> open(const std::string &location);

  /// Whether all opened files are unchanged.
  bool areAsOpened() const;

private:
  std::string folder;
  std::string linkedFolder; ///< folder of the file that the path leads to
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
  std::map<std::string, std::shared_ptr<MappedFile>> files;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_FILE_MAPPEDFILE_H
