//===- OneLane.h - stores of one element ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_ONELANE_H
#define GLOW_BACKENDS_CPU_COMPILE_ONELANE_H

#include "llvm/IR/Module.h"

namespace glow::cpu {

/// Replaces each masked store whose constant mask sets one lane by a store of
/// that element. LLVM 22 lowers such a store of a truncated vector to a store
/// of the wide element on AVX-512, which writes past the lane.
void storeSingleLanes(llvm::Module &module);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_ONELANE_H
