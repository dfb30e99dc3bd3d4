//===- MappedFiles.h - files whose pages are in use -------------*- C++ -*-===//

#ifndef GLOW_BASE_MAPPEDFILES_H
#define GLOW_BASE_MAPPEDFILES_H

#include "glow/Base/Status.h"
#include <map>
#include <mutex>
#include <vector>

namespace glow {

/// The files of this process that are mapped, and whose pages programs read
/// when they run. The pages of a file that was cut are gone, and to touch one
/// ends the process; a run looks first. Any thread may.
class MappedFiles {
public:
  static MappedFiles &instance();

  /// From `start` on are `bytes` bytes of a file that is open, until `remove`.
  void add(const void *start, size_t bytes, int descriptor, std::string path);
  void remove(const void *start);

  /// The files in which some of these addresses are, by their starts.
  std::vector<const void *> holding(const std::vector<const void *> &addresses);

  /// Fails, with its name, for the first of these files that is shorter now.
  Status check(const std::vector<const void *> &starts);

private:
  struct File {
    size_t bytes;
    int descriptor;
    std::string path;
  };
  std::mutex mutex;
  std::map<const char *, File> files; // by their starts
};

} // namespace glow

#endif // GLOW_BASE_MAPPEDFILES_H
