//===- NewFile.h - files that are whole or not there ----------*- C++ -*-===//

#ifndef GLOW_BASE_NEWFILE_H
#define GLOW_BASE_NEWFILE_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// A file in the making: a temporary one beside `path`, which takes its name
/// when it is whole. A reader of `path` sees all of it or what was there.
class NewFile {
public:
  explicit NewFile(const std::string &path);
  NewFile(const NewFile &) = delete;
  ~NewFile(); ///< removes what was not finished

  /// Adds bytes at the end. After a failure nothing is written any more, and
  /// `finish` tells the reason.
  void write(std::string_view bytes);

  /// Whether all could be written up to here; fails as `finish` does.
  Status status() const;

  /// Replaces bytes that were written.
  void replace(uint64_t offset, std::string_view bytes);

  /// Gives the file its permissions (those of chmod). Nothing is written any
  /// more.
  void close(unsigned permissions);

  /// The same, unless it was closed, and gives the file its name. Fails with
  /// Code::InvalidArgument and the path if any part of it could not be written.
  Status finish(unsigned permissions);

private:
  void note(bool done);

  std::string path, temporary;
  char *slot = nullptr; ///< where a signal handler finds `temporary`
  int descriptor = -1;
  int error = 0;      ///< the first; 0 for none
  bool there = false; ///< whether there is `temporary`
};

/// Files that get their names together, when all are whole. Before that, the
/// end of this leaves none of them, and none of the folders that were made for
/// them.
class NewFiles {
public:
  NewFiles() = default;
  NewFiles(const NewFiles &) = delete;
  ~NewFiles();

  /// Makes a folder, and those it is in, where there is none.
  Status makeFolder(const std::string &path);

  /// Adds a file. What is no regular file, as a pipe, is written in place.
  /// Fails with Code::InvalidArgument, naming the file.
  Status add(const std::string &path, std::string_view bytes);

  /// Gives them their names; more may be added then. Fails as `add` does.
  Status finish();

private:
  std::list<NewFile> files;
  std::vector<std::string> folders; ///< that were made, outer ones first
};

/// Writes a file whole or not at all. What is no regular file, as a pipe, is
/// written in place. Fails with Code::InvalidArgument, naming the file.
Status writeFile(const std::string &path, std::string_view bytes);

/// Those that a new file gets where no others are said, by the umask.
unsigned usualPermissions();

/// "cannot write 'path': reason", the reason being an errno.
Status cannotWrite(const std::string &path, int error);

/// From now on SIGINT, SIGTERM and SIGHUP remove files in the making before
/// they end the process as they always do, a file that is cut while its pages
/// are read ends it with a message, and one that grows past the limit of the
/// process is a failure to write.
void removeTemporariesOnSignals();

} // namespace glow

#endif // GLOW_BASE_NEWFILE_H
