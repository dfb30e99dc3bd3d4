//===- NewFile.h - atomic creation of files ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_NEWFILE_H
#define GLOW_BASE_NEWFILE_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// A file that is written under a temporary name beside `path` and renamed when
/// it is whole. A reader of `path` sees all of it or the earlier file.
class NewFile {
public:
  explicit NewFile(const std::string &path);
  NewFile(const NewFile &) = delete;
  ~NewFile(); ///< removes an unfinished file

  /// Appends bytes. After a failure nothing more is written, and `finish`
  /// returns the reason.
  void write(std::string_view bytes);

  /// Ok if all writes so far succeeded; otherwise fails as `finish` does.
  Status status() const;

  /// Overwrites bytes that were written before.
  void replace(uint64_t offset, std::string_view bytes);

  /// Gives the file its permissions, as chmod does. Nothing can be written
  /// afterwards.
  void close(unsigned permissions);

  /// Closes the file if it is open, and gives it its name. Fails with
  /// Code::InvalidArgument and the path if any part of it could not be written.
  Status finish(unsigned permissions);

private:
  void note(bool done);

  std::string path, temporary;
  char *slot = nullptr; ///< where a signal handler finds `temporary`
  int descriptor = -1;
  int error = 0;      ///< the first error; 0 for none
  bool there = false; ///< whether the file `temporary` exists
};

/// Files that are renamed together when all are whole. If the object is
/// destroyed before that, it removes the files and the folders that it made for
/// them.
class NewFiles {
public:
  NewFiles() = default;
  NewFiles(const NewFiles &) = delete;
  ~NewFiles();

  /// Makes a folder and its missing parents, if it does not exist.
  Status makeFolder(const std::string &path);

  /// Adds a file. A path that is no regular file, such as a pipe, is written in
  /// place. Fails with Code::InvalidArgument, naming the file.
  Status add(const std::string &path, std::string_view bytes);

  /// Renames all files; more may be added afterwards. Fails as `add` does.
  Status finish();

private:
  std::list<NewFile> files;
  std::vector<std::string> folders; ///< made here, outer ones first
};

/// Writes a file whole or not at all. A path that is no regular file, such as a
/// pipe, is written in place. Fails with Code::InvalidArgument, naming the
/// file.
Status writeFile(const std::string &path, std::string_view bytes);

/// The default permissions of a new file, by the umask.
unsigned usualPermissions();

/// "cannot write 'path': reason"; the reason is that of `error`, an errno.
Status cannotWrite(const std::string &path, int error);

/// Installs signal handlers. SIGINT, SIGTERM and SIGHUP remove temporary files
/// before they end the process as usual. A file that is truncated while its
/// pages are read ends the process with a message. A file that grows past the
/// limit of the process becomes a write failure.
void removeTemporariesOnSignals();

} // namespace glow

#endif // GLOW_BASE_NEWFILE_H
