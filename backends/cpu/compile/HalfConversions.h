//===- HalfConversions.h - f16 by integers --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_HALFCONVERSIONS_H
#define GLOW_BACKENDS_CPU_COMPILE_HALFCONVERSIONS_H

#include "llvm/IR/Module.h"

namespace glow::cpu {

/// Replaces conversions between f16 and f32 by arithmetic of integers with the
/// same results. For processors without such instructions, where LLVM would
/// call functions of a compiler's library that no process has to have.
void convertHalvesByIntegers(llvm::Module &module);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_HALFCONVERSIONS_H
