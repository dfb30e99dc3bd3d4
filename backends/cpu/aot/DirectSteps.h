//===- DirectSteps.h - steps that are given their buffers -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_DIRECTSTEPS_H
#define GLOW_BACKENDS_CPU_AOT_DIRECTSTEPS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

namespace glow::cpu {

/// A function that does the work of a step: void name(buffer..., size...,
/// first chunk, end, scratch).
struct DirectStep {
  llvm::Function *function = nullptr;
  llvm::SmallVector<unsigned> buffers; ///< numbers, in the order of parameters
  llvm::SmallVector<unsigned> sizes;   ///< numbers in StepInfo::sizes
};

/// Replaces functions of steps, which read their buffers and sizes from lists,
/// by functions with these as parameters. The lists are then dead code for a
/// compiler.
class DirectSteps {
public:
  explicit DirectSteps(llvm::Module &module) : module(module) {}

  /// The function that has replaced the function of a step. Null if the step
  /// uses the lists in another way, as kernels of the library do.
  const DirectStep *find(llvm::StringRef step);

private:
  llvm::Module &module;
  llvm::StringMap<DirectStep> known;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_DIRECTSTEPS_H
