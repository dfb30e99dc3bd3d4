//===- Float24.h - weights of 24 bits --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Weights of 24 bits, f32 without its last byte, for products that wait for
// their weights; not in strict mode. Three vectors hold four: the dropped bytes
// of three vectors hold the fourth, with its first byte in the first vector. So
// only shifts and masks are needed, which every processor has.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_FLOAT24_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_FLOAT24_H

#include "codegen/emit/Emit.h"

namespace glow::cpu {

/// Whether a product of so many rows with a constant matrix of so many weights
/// uses weights of 24 bits.
bool usesFloat24(const CodeModule &module, int64_t rows, int64_t inner,
                 int64_t columns);

constexpr int64_t blocks24 = 4; ///< vectors that are packed together

/// The packed size of `blocks` vectors, in elements. Vectors that do not fill a
/// group of four are not packed; their last bytes are 0.
constexpr int64_t size24(int64_t blocks) {
  return (blocks - blocks / blocks24) * lanes;
}

/// Rounds to the nearest number whose last byte is 0, halves to even. Finite
/// numbers stay finite; infinity and NaN stay as they are.
float round24(float value);

/// Packs `blocks` vectors.
void pack24(const float *row, int64_t blocks, float *to);

/// The callback for each of four unpacked vectors, with its number. It is
/// called before the next vector is loaded, for processors with few registers.
using UseVector = llvm::function_ref<void(int64_t, llvm::Value *)>;
void load24(Emitter &code, llvm::Value *packed, UseVector use);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_FLOAT24_H
