//===- NarrowIndices.h - indices of 32 bits ---------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_NARROWINDICES_H
#define GLOW_BACKENDS_CPU_AOT_NARROWINDICES_H

#include "llvm/IR/PassManager.h"

namespace glow::cpu {

/// Computes integers of 64 bits in 32 where their range is known to fit.
///
/// Stands behind the passes that make values of memory values of registers, and
/// before those that change loops: a processor of 32 bits has two registers and
/// several instructions for each of the wide ones. Ends because it visits each
/// instruction once.
struct NarrowIndicesPass : llvm::PassInfoMixin<NarrowIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_NARROWINDICES_H
