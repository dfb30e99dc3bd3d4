//===- Front.h - sessions without a compiler --------------------*- C++ -*-===//
//
// Most runs are of models that were compiled before. A process that runs one
// needs no compiler, whose libraries take longer to load than a small model to
// run. The library GlowFront has the class Session for such a process: it opens
// what a note of the cache tells, loads what is kept, and at the first thing
// that it cannot do it goes on as the program that has a compiler. Includes no
// LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PIPELINE_FRONT_H
#define GLOW_PIPELINE_FRONT_H

#include <functional>
#include <string>

namespace glow {

struct Front {
  std::string cacheDir; ///< where notes are; "" for none

  /// Starts the program with a compiler in place of this one, with the same
  /// arguments; returns if it cannot. Nothing may have been printed.
  std::function<void()> becomeCompiler;
};

/// The file `name` in the folder of this program; the program itself without a
/// name.
std::string fileBeside(const std::string &name);

/// To be filled in before the first session is opened.
Front &front();

} // namespace glow

#endif // GLOW_PIPELINE_FRONT_H
