//===- NearestInteger.h - floats as the nearest integers --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_EMIT_NEARESTINTEGER_H
#define GLOW_BACKENDS_CPU_CODEGEN_EMIT_NEARESTINTEGER_H

#include "Emit.h"

namespace glow::cpu {

/// The integer nearest to a float of one lane, halves to even, as i32: at least
/// up to 2^21 on either side, beyond which it stays beyond; 0 of NaN.
llvm::Value *nearestInteger(Emitter &code, llvm::Value *real);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_NEARESTINTEGER_H
