//===- Cache.h - compiled programs in files ---------------------*- C++ -*-===//
//
// A folder holds one file a program, named by a hash of all that the program
// depends on. Any number of processes may use it at once: files appear whole,
// and are never changed; a file that is removed lives on where it is mapped.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_PIPELINE_CACHE_H
#define GLOW_LIB_PIPELINE_CACHE_H

#include "glow/Backend/Backend.h"
#include "glow/Pipeline/Session.h"

namespace glow {

class CompileCache {
public:
  /// Keeps at most `limit` bytes in `folder`, which is made when it is needed.
  CompileCache(std::string folder, uint64_t limit)
      : folder(std::move(folder)), limit(limit) {}

  /// What a request's program depends on, as a file name: the bytes of `files`,
  /// the request, the backend and its processor, and this build with all that
  /// is loaded into it. "" if a file cannot be read, or if the backend's
  /// programs are not kept.
  static std::string keyOf(const CompileRequest &request,
                           const Backend &backend,
                           const std::vector<std::string> &files);

  /// Nothing if there is no such program, or only a damaged one. Its constants
  /// are pages of the file.
  std::optional<Program> load(const std::string &key, const Backend &backend);

  /// Keeps a program, and removes those that were not used for the longest
  /// time. It is no mistake if this fails: the next process compiles again.
  void store(const std::string &key, const Backend &backend,
             const Program &program);

private:
  std::string pathOf(const std::string &key) const;
  void evict();

  const std::string folder;
  const uint64_t limit;
};

} // namespace glow

#endif // GLOW_LIB_PIPELINE_CACHE_H
