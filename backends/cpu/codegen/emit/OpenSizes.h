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
/// The value of a length in a run. `sizeOf` gives the values of variables.
llvm::Value *
valueOf(Emitter &code, const Length &length,
        llvm::function_ref<llvm::Value *(const SizeVariable &)> sizeOf);
/// The same with the values of StepInfo::sizes.
llvm::Value *valueOf(Emitter &code, const Length &length);

/// The product of a value and a length.
llvm::Value *times(Emitter &code, llvm::Value *value, const Length &length);

/// Covers a number of units that a run gives by tiles: calls `body` with the
/// first unit of a tile and its number of units. Tiles have `width` units; the
/// rest are in tiles of half as many, and so on.
void overTiles(Emitter &code, llvm::Value *count, int64_t width,
               llvm::function_ref<void(llvm::Value *, int64_t)> body);
/// The same for `rest` units from `first` on, fewer than `width`.
void overRest(Emitter &code, llvm::Value *first, llvm::Value *rest,
              int64_t width,
              llvm::function_ref<void(llvm::Value *, int64_t)> body);

/// Emits the StepMeasure of a function from its number of chunks.
void emitMeasure(Emitter &of,
                 llvm::function_ref<llvm::Value *(Emitter &code)> chunks);
/// The same for a number that a run gives; nothing for a fixed number.
void emitMeasure(Emitter &of, const Length &chunks);

/// The StepMeasure of a step's function; null if sizes of a run do not change
/// the number of its chunks.
llvm::Function *measureOf(const llvm::Function &function);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_OPENSIZES_H
