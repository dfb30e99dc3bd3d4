//===- MemoryFile.h - bytes as a file ---------------------------*- C++ -*-===//

#ifndef GLOW_BASE_MEMORYFILE_H
#define GLOW_BASE_MEMORYFILE_H

#include "glow/Base/Status.h"
#include <memory>

namespace glow {

/// Bytes in memory that what reads files can read: a file in no folder, which
/// cannot be changed any more, not even by this process. Any thread may use it.
class MemoryFile {
public:
  /// A copy of `bytes`; `name` is for people. Fails, naming it, with
  /// Code::OutOfMemory if there is no memory, and with Code::Unsupported if the
  /// system has no such files.
  static Result<std::shared_ptr<const MemoryFile>> make(std::string name,
                                                        std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  /// Opens it, in this process, as long as this lives.
  const std::string &path() const { return thePath; }

  /// A text in which the paths of such files stand, with their names.
  static std::string withNames(std::string_view text);

  /// The path of what is open in this process, and whether one is such.
  static std::string pathOf(int descriptor);
  static bool isPath(std::string_view path);

  /// Whether a path is that of such a file, which has no name that says what it
  /// is, and it begins with these bytes.
  static bool begins(const std::string &path, std::string_view bytes);

private:
  MemoryFile(std::string name, int descriptor);

  const std::string name;
  const int descriptor;
  const std::string thePath;
};

} // namespace glow

#endif // GLOW_BASE_MEMORYFILE_H
