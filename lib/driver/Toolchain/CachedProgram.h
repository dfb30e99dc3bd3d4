//===- CachedProgram.h - a program in the cache -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOOLCHAIN_CACHEDPROGRAM_H
#define GLOW_LIB_TOOLCHAIN_CACHEDPROGRAM_H

#include "glow/Backend/Backend.h"
#include "glow/Cache/Cache.h"
#include "glow/Stages/Stages.h"

namespace glow {

/// A program of a model in the cache: its key, and the note to write once the
/// program exists.
class CachedProgram {
public:
  CachedProgram(const CompileRequest &request, const Backend &backend,
                const std::string &path, const Session &model);

  /// Loads the program; nullopt if the cache has none, or cannot keep it.
  std::optional<Program> load() { return loadFrom(key); }
  void store(const Program &program);

  /// The same for a part of the model that a text determines. A known value is
  /// in the text.
  std::optional<Program> loadPart(const std::string &text) {
    return loadFrom(keyOf(text));
  }
  void storePart(const std::string &text, const Program &program);

private:
  std::string keyOf(const std::string &part) const;
  std::optional<Program> loadFrom(const std::string &key);
  void storeAs(const std::string &key, const Program &program);
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

/// The stages of a model in the cache.
class CachedStages final : public StageStore {
public:
  CachedStages(const CompileRequest &request, const Backend &backend,
               const std::string &path, const Session &model)
      : parts(request, backend, path, model) {}

  std::optional<Program> load(const std::string &key) override {
    return parts.loadPart(key);
  }
  void store(const std::string &key, const Program &program) override {
    parts.storePart(key, program);
  }

private:
  CachedProgram parts;
};

} // namespace glow

#endif // GLOW_LIB_TOOLCHAIN_CACHEDPROGRAM_H
