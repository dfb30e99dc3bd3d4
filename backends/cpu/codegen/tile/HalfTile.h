//===- HalfTile.h - sums of products of bf16 by tiles ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The sums of a Tile of WeightForm::Tiles or WeightForm::SplitTiles, between
// its start and its formula. A pixel has 32 contiguous channels, as 16 pairs:
// channel i and channel 16 + i, so that two vectors of f32 are rounded into one
// of pairs. Two by two of the processor's tiles hold the sums of 32 pixels by
// 32 channels.
//
// With WeightForm::SplitTiles a number is the sum of two bf16 numbers, its
// rounded value and the remainder. Three of the four products are added: the
// product of both remainders is left out.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_HALFTILE_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_HALFTILE_H

#include "MatrixTiles.h"
#include "Tile.h"

namespace glow::cpu {

/// The most pixels and blocks of channels of a tile.
constexpr int64_t halfTileLines = 2 * lanes, halfTileBlocks = 2;

class HalfTile {
public:
  /// `memory` is the thread's; `rest` is TileCall::rest.
  HalfTile(Emitter &code, const Tile &tile, llvm::Value *memory,
           llvm::Value *rest)
      : code(code), tile(tile), tiles(code, memory), rest(rest) {}

  /// Sets the initial sums of every pixel, a vector for each block.
  void start(llvm::ArrayRef<llvm::Value *> starts);
  /// Adds the products of 16 pairs of each pixel.
  void multiply(llvm::Value *in, llvm::Value *weights);
  /// Emits `body` in a loop over pixels, with the vectors of sums.
  void finish(llvm::function_ref<void(llvm::Value *pixel,
                                      llvm::ArrayRef<llvm::Value *> sums)>
                  body);

private:
  void
  each(llvm::function_ref<void(int64_t number, int64_t half, int64_t block)>
           body) const;
  void loadPixels(llvm::Value *in);
  void loadWeights(llvm::Value *weights);
  void multiplyLoaded();

  Emitter &code;
  const Tile &tile;
  MatrixTiles tiles;
  llvm::Value *rest, *sums = nullptr;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_HALFTILE_H
