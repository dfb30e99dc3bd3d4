//===- OpenSizes.h - sizes that a run gives, in code ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_EMIT_OPENSIZES_H
#define GLOW_BACKENDS_CPU_CODEGEN_EMIT_OPENSIZES_H

#include "Emit.h"

namespace glow::cpu {

/// The quotient, rounded down, or the remainder; 0 for a divisor of 0.
llvm::Value *floorDivide(Emitter &code, llvm::Value *a, llvm::Value *b,
                         bool rest);

/// The value in a run of a size variable, from StepInfo::sizes.
llvm::Value *sizeOf(Emitter &code, const SizeVariable &variable);
/// The value of a length in a run.
llvm::Value *valueOf(Emitter &code, const Length &length);

/// Emits the StepMeasure of a function from its number of chunks.
void emitMeasure(Emitter &of,
                 llvm::function_ref<llvm::Value *(Emitter &code)> chunks);

/// The StepMeasure of a step's function; null if sizes of a run do not change
/// the number of its chunks.
llvm::Function *measureOf(const llvm::Function &function);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_OPENSIZES_H
