//===- Front.h - sessions without a compiler --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Sessions for models that were compiled before, which is most runs. Their
// process needs no compiler, whose libraries take longer to load than a small
// model takes to run. Sessions open models through a note of the cache and load
// cached programs. At the first request that needs a compiler, the process is
// replaced by the program that has one. Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FRONT_FRONT_H
#define GLOW_FRONT_FRONT_H

#include "glow/Session/Session.h"
#include <functional>

namespace glow {

class Front final : public SessionFactory {
public:
  /// `askCompiler` is called for requests that need a compiler. It replaces the
  /// process by the program that has one, so nothing may have been printed
  /// before. If that fails, it returns the reason.
  explicit Front(std::function<Status()> askCompiler)
      : askCompiler(std::move(askCompiler)) {}

  /// Sets the folder of notes; "" for none. To be called before a model is
  /// opened.
  void setCacheDir(std::string folder) { cacheDir = std::move(folder); }

  Result<std::unique_ptr<Session>> open(const std::string &path) override;
  Status checkBackend(const std::string &name) const override;
  std::vector<std::string> phaseNames() const override { return {}; }

  /// The result of `askCompiler`.
  Status needCompiler() const { return askCompiler(); }

private:
  std::function<Status()> askCompiler;
  std::string cacheDir;
};

} // namespace glow

#endif // GLOW_FRONT_FRONT_H
