//===- NarrowIndices.h - indices of 32 bits ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_NARROWINDICES_H
#define GLOW_BACKENDS_CPU_AOT_NARROWINDICES_H

#include "llvm/IR/PassManager.h"

namespace glow::cpu {

/// Computes integers of 64 bits in 32 bits if their range is known to fit. A
/// 32-bit processor needs two registers and several instructions for a wide
/// integer.
///
/// Pinned after the passes that promote memory to registers, and before passes
/// that change loops. The pass ends because it visits each instruction once.
struct NarrowIndicesPass : llvm::PassInfoMixin<NarrowIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_NARROWINDICES_H
