//===- DirectSteps.h - steps that are given their buffers -------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_DIRECTSTEPS_H
#define GLOW_BACKENDS_CPU_AOT_DIRECTSTEPS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

namespace glow::cpu {

/// A function that has the work of a step: void name(buffer..., first chunk,
/// end, memory of the thread).
struct DirectStep {
  llvm::Function *function = nullptr;
  llvm::SmallVector<unsigned> buffers; ///< numbers, in the order of parameters
};

/// Makes functions of steps, which look for their buffers in a list, functions
/// that are given the buffers: a compiler then sees that the list is of no use.
class DirectSteps {
public:
  explicit DirectSteps(llvm::Module &module) : module(module) {}

  /// The function that has taken the place of a step's, which is gone. Null
  /// where the step uses the list in another way, as kernels of the library do.
  const DirectStep *find(llvm::StringRef step);

private:
  llvm::Module &module;
  llvm::StringMap<DirectStep> known;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_DIRECTSTEPS_H
