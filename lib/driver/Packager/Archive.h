//===- Archive.h - a ZIP archive that is written ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PACKAGER_ARCHIVE_H
#define GLOW_LIB_PACKAGER_ARCHIVE_H

#include "glow/Base/NewFile.h"
#include <string>
#include <string_view>

namespace glow {

/// Writes a ZIP archive of deflated files. All have the time that
/// SOURCE_DATE_EPOCH gives, or 1980, so that the same files make the same
/// archive.
class Archive {
public:
  explicit Archive(const std::string &path) : file(path) {}

  /// Fails with Code::Unsupported if the archive would have 4 GiB.
  Status add(const std::string &name, std::string_view bytes,
             bool isExecutable);

  /// Writes the table of contents, and renames the file. Fails as NewFile.
  Status finish();

private:
  NewFile file;
  uint64_t written = 0;
  unsigned count = 0;
  std::string directory;
};

} // namespace glow

#endif // GLOW_LIB_PACKAGER_ARCHIVE_H
