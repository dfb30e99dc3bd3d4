//===- CachedProgram.h - a program in the cache -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOOLCHAIN_CACHEDPROGRAM_H
#define GLOW_LIB_TOOLCHAIN_CACHEDPROGRAM_H

#include "glow/Backend/Backend.h"
#include "glow/Cache/Cache.h"

namespace glow {

/// A program of a model in the cache: its key, and the note to write once the
/// program exists.
class CachedProgram {
public:
  CachedProgram(const CompileRequest &request, const Backend &backend,
                const std::string &path, const Session &model);

  /// Loads the program; nullopt if the cache has none, or cannot keep it.
  std::optional<Program> load();
  void store(const Program &program);

private:
  void findModel(const std::string &path, const Session &model);
  void findCompiler();
  bool isForAll(const CompileRequest &request, const Session &model);

  CompileCache cache;
  const Backend &backend;
  const std::string path; ///< of the model
  const bool isPartitioned;
  ModelNote note;
  bool isNews = true;
  std::string key; ///< "": it is not kept
};

} // namespace glow

#endif // GLOW_LIB_TOOLCHAIN_CACHEDPROGRAM_H
