//===- Shuffles.h - lanes that move between vectors -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_SHUFFLES_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_SHUFFLES_H

#include "codegen/emit/Emit.h"

namespace glow::cpu {

/// Transposes 16 vectors of 16 lanes.
void transpose16(Emitter &code, llvm::MutableArrayRef<llvm::Value *> rows);

/// The function that transposes the elements of `rows` rows from one address,
/// at most 16, to `count` vectors at another address. Its arguments are the two
/// addresses, each followed by its step in elements. It reads every `every`th
/// element, from at most 16 of a row. Lanes of missing rows are 0.
llvm::Function *rowsToVectors(CodeModule &module, int64_t rows, int64_t count,
                              int64_t every = 1);
/// The reverse: from `count` vectors to so many elements of each row.
llvm::Function *vectorsToRows(CodeModule &module, int64_t rows, int64_t count);

/// A vector with the sum of the lanes of each of 16 vectors, which have 16 or 8
/// lanes.
llvm::Value *sumsOfLanes(Emitter &code, llvm::ArrayRef<llvm::Value *> vectors);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_SHUFFLES_H
