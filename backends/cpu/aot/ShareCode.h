//===- ShareCode.h - one function for layers of one form --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_SHARECODE_H
#define GLOW_BACKENDS_CPU_AOT_SHARECODE_H

#include "llvm/IR/PassManager.h"

namespace glow::cpu {

/// Makes one function of internal functions that differ in numbers alone: the
/// numbers become parameters. Layers of one operator have such functions, which
/// differ in sizes. Behind this no group of such functions is left.
struct ShareCodePass : llvm::PassInfoMixin<ShareCodePass> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_SHARECODE_H
