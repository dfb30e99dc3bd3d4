//===- MemoryFile.h - bytes as a file ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_MEMORYFILE_H
#define GLOW_BASE_MEMORYFILE_H

#include "glow/Base/Status.h"
#include <memory>

namespace glow {

/// An anonymous file of bytes in memory, for code that reads files by path. The
/// bytes cannot change, not even by this process. Any thread may use it.
class MemoryFile {
public:
  /// Copies `bytes`; `name` is for messages. Fails, with that name, with
  /// Code::OutOfMemory if there is no memory, and with Code::Unsupported if the
  /// system has no anonymous files.
  static Result<std::shared_ptr<const MemoryFile>> make(std::string name,
                                                        std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  /// The path that opens the file in this process; valid while the MemoryFile
  /// lives.
  const std::string &path() const { return thePath; }

  /// Replaces the paths of memory files in a text by their names.
  static std::string withNames(std::string_view text);

  /// The path of a descriptor of this process, and whether a path has that
  /// form.
  static std::string pathOf(int descriptor);
  static bool isPath(std::string_view path);

  /// Whether the path is that of a memory file whose contents begin with
  /// `bytes`. The path of a memory file has no extension that names a format.
  static bool begins(const std::string &path, std::string_view bytes);

private:
  MemoryFile(std::string name, int descriptor);

  const std::string name;
  const int descriptor;
  const std::string thePath;
};

} // namespace glow

#endif // GLOW_BASE_MEMORYFILE_H
