//===- IntegerTile.h - sums of products of bytes --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The one kernel below convolutions and products of integers. A tile computes
// `width` pixels (rows) x `blocks` vectors of channels (columns):
//
//   sum[x, b]  = bias[b] - zero * columnSums[b] +
//                sum over q, r, s, k of in[q, r, s, x, k] * weights[q, r, s, k,
//                b]
//
// in i32, which is exact, and applies the epilogue to the sums. `q`, `r` and
// `s` are the taps of a filter, `k` contiguous bytes. Offsets are in bytes,
// except for results.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_INTEGERTILE_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_INTEGERTILE_H

#include "IntegerResult.h"

namespace glow::cpu {

/// The instructions by which a processor multiplies bytes.
enum class ByteProducts {
  Tiles, ///< 16 pixels by 16 channels, 64 bytes of each at once (AMX)
  Quads, ///< four unsigned bytes by four signed bytes, added to a sum
  Pairs, ///< two numbers of 16 bits, of any signs
  // Without vectors:
  Words, ///< two pairs of 16 bits, unpacked from four bytes (Arm's DSP)
  Single ///< one byte by one weight
};
/// The products for weights of `kind`, i8 or i16.
ByteProducts byteProductsOf(const CodeModule &module, ElementKind kind);

/// The bytes of a tap, rounded up to whole products: the weights of the padding
/// are 0.
int64_t wholeBytes(ByteProducts products, int64_t bytes);
/// Bytes that `bytes` of each of 16 channels take when they are packed: in
/// [quad][16][4] bytes, or in [pair][16][2] numbers of 16 bits.
int64_t packedBytes(ByteProducts products, int64_t bytes);

/// In each 32-bit lane, the sum of the products of two 16-bit numbers. It does
/// not overflow, as never all factors are the least number.
llvm::Value *sumOfPairs(Emitter &code, llvm::Value *a, llvm::Value *b);

/// The properties that determine the code of a tile (IntegerTile.def).
struct IntegerTile {
#define GLOW_TILE_PROPERTY(TYPE, NAME, DEFAULT) TYPE NAME = DEFAULT;
#include "IntegerTile.def"

  std::string key() const;
};

/// The arguments of a tile. `bias` may be null; no other may be.
struct IntegerTileCall {
  llvm::Value *in, *weights, *columnSums, *bias = nullptr, *out;
  llvm::Value *zero; ///< an i64
  llvm::SmallVector<llvm::Value *> extras;
};

/// Configures the processor's tiles for the following calls of a tile, or
/// releases them.
void emitTileSizes(Emitter &code, const IntegerTile &tile);
void emitTileRelease(Emitter &code);

/// Calls the tile, making its function when it is the first of its kind.
void emitIntegerTile(Emitter &code, const IntegerTile &tile,
                     const IntegerTileCall &call);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_INTEGERTILE_H
