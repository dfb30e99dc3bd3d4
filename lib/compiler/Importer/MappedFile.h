//===- MappedFile.h - files whose bytes become tensors ----------*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_MAPPEDFILE_H
#define GLOW_LIB_IMPORTER_MAPPEDFILE_H

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
/// as much.
Result<std::shared_ptr<char[]>> allocateBytes(uint64_t size);

/// A file, mapped for reading as long as this is held. The pages of a
/// file that is cut are gone, and to touch one ends the process: of a file that
/// another user may change, tensors are read into memory, and all of it at once
/// where it is small.
class MappedFile : public std::enable_shared_from_this<MappedFile> {
public:
  /// Fails with a message that follows the file's name.
  static Result<std::shared_ptr<MappedFile>> open(const std::string &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  /// Whether its path still has this file, as it was.
  bool isAsOpened() const;

  /// Pages come from the file when they are touched.
  std::span<const char> bytes() const { return {data, length}; }

  /// Gives back the memory of the pages that were touched; a page comes again
  /// when it is touched again.
  void dropPages() const;
  /// Of those that a large range has to itself.
  void dropPages(uint64_t offset, uint64_t size) const;

  /// Bytes at an address that is a multiple of `alignment`: those of the map
  /// where it has them so and they are safe there, whose pages are dropped when
  /// the owner dies, else read into memory of their own. The range is in the
  /// file. Fails when the file no longer has those bytes.
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
  std::shared_ptr<char[]> memory; ///< of a copy, in place of the map
};

/// The files with weights beside a model. Each is mapped once. Any thread may
/// call.
class ExternalFiles {
public:
  explicit ExternalFiles(const std::string &modelPath);

  /// The file of a `location` of external data, which is relative to the
  /// model's folder. Refuses what is not in that folder or below it, be it by
  /// an absolute path, by `..` or by a symbolic link. Symbolic links may also
  /// lead to the folder, or below it, of the file that the model's path links
  /// to.
  Result<std::shared_ptr<MappedFile>> open(const std::string &location);

  /// Whether those that were opened are as they were.
  bool areAsOpened() const;

private:
  std::string folder;
  std::string linkedFolder; ///< folder of the file that the path leads to
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
  std::map<std::string, std::shared_ptr<MappedFile>> files;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_MAPPEDFILE_H
