//===- Shuffles.h - lanes that move between vectors -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_SHUFFLES_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_SHUFFLES_H

#include "codegen/emit/Emit.h"

namespace glow::cpu {

/// Transposes 16 vectors of 16 lanes.
void transpose16(Emitter &code, llvm::MutableArrayRef<llvm::Value *> rows);

/// A vector with the sum of the lanes of each of 16 vectors.
llvm::Value *sumsOfLanes(Emitter &code, llvm::ArrayRef<llvm::Value *> vectors);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_SHUFFLES_H
