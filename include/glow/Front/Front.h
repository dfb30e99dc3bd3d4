//===- Front.h - sessions without a compiler --------------------*- C++ -*-===//
//
// Most runs are of models that were compiled before. A process that runs one
// needs no compiler, whose libraries take longer to load than a small model to
// run. Its sessions open what a note of the cache tells, load what is kept, and
// at the first thing that they cannot do the process goes on as the program
// that has a compiler. Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FRONT_FRONT_H
#define GLOW_FRONT_FRONT_H

#include "glow/Session/Session.h"
#include <functional>

namespace glow {

class Front final : public SessionFactory {
public:
  /// `askCompiler` is called for what takes a compiler. It lets the process go
  /// on as the program that has one, for which nothing may have been printed,
  /// or returns why it cannot.
  explicit Front(std::function<Status()> askCompiler)
      : askCompiler(std::move(askCompiler)) {}

  /// The folder where notes are; "" for none. To be said before a model is
  /// opened.
  void setCacheDir(std::string folder) { cacheDir = std::move(folder); }

  Result<std::unique_ptr<Session>> open(const std::string &path) override;
  Status checkBackend(const std::string &name) const override;
  std::vector<std::string> roomNames() const override { return {}; }

  /// What `askCompiler` returns.
  Status needCompiler() const { return askCompiler(); }

private:
  std::function<Status()> askCompiler;
  std::string cacheDir;
};

} // namespace glow

#endif // GLOW_FRONT_FRONT_H
