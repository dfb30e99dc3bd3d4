//===- Clean.h - common subexpressions and dead code ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_QUICK_CLEAN_H
#define GLOW_BACKENDS_CPU_QUICK_CLEAN_H

#include "llvm/IR/Dominators.h"

namespace glow::cpu::quick {

/// Removes common subexpressions along every path, and unused values.
void clean(llvm::Function &function, const llvm::DominatorTree &dominators);

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_CLEAN_H
