//===- HalfTile.cpp - sums of products of bf16 by tiles -------------------===//
// SPDX-License-Identifier: MIT

#include "HalfTile.h"

using namespace glow::cpu;
using namespace llvm;

/// The first tile of pixels and of weights. Tiles 0 to 3 hold the sums, two
/// tiles of pixels by two of channels.
static constexpr int64_t pixelTile = 4, weightTile = 6;

/// The numbers of pixels in the first and the second tile.
static std::pair<int64_t, int64_t> halvesOfLines(int64_t lines) {
  int64_t first = lines > lanes ? (lines + 1) / 2 : lines;
  return {first, lines - first};
}

void HalfTile::each(function_ref<void(int64_t, int64_t, int64_t)> body) const {
  for (int64_t i = 0; i < (halvesOfLines(tile.lines).second ? 2 : 1); ++i)
    for (int64_t b = 0; b < tile.blocks; ++b)
      body(2 * i + b, i, b);
}

void HalfTile::start(ArrayRef<Value *> starts) {
  auto vectors = [&](int64_t count) {
    return code.CreateAlloca(ArrayType::get(code.vector, uint64_t(count)));
  };
  sums = vectors(tile.lines * tile.blocks);
  Value *kept = vectors(tile.blocks);
  for (auto [b, start] : enumerate(starts))
    code.CreateAlignedStore(start, code.at(kept, int64_t(b) * lanes),
                            Align(MatrixTiles::rowBytes));
  // The same vector is loaded into every row of a tile.
  each([&](int64_t number, int64_t, int64_t b) {
    tiles.load(number, code.at(kept, b * lanes), 0);
  });
}

void HalfTile::loadPixels(Value *in) {
  auto [first, second] = halvesOfLines(tile.lines);
  tiles.load(pixelTile, in, tile.inPixel * 4);
  if (second)
    tiles.load(pixelTile + 1, code.at(in, first * tile.inPixel),
               tile.inPixel * 4);
}

void HalfTile::loadWeights(Value *weights) {
  int64_t step = packedSize(tile.form, tile.blocks) * 4;
  for (int64_t b = 0; b < tile.blocks; ++b)
    tiles.load(weightTile + b, code.at(weights, b * lanes), step);
}

void HalfTile::multiplyLoaded() {
  each([&](int64_t number, int64_t i, int64_t b) {
    tiles.multiplyHalves(number, pixelTile + i, weightTile + b);
  });
}

void HalfTile::multiply(Value *in, Value *weights) {
  loadWeights(weights);
  if (rest) {
    // The remainder's products first, so that loaded weights are used twice.
    loadPixels(code.at(in, rest));
    multiplyLoaded();
  }
  loadPixels(in);
  multiplyLoaded();
  if (rest) {
    loadWeights(code.at(weights, tile.blocks * lanes));
    multiplyLoaded();
  }
}

void HalfTile::finish(function_ref<void(Value *, ArrayRef<Value *>)> body) {
  auto [first, second] = halvesOfLines(tile.lines);
  int64_t line = tile.blocks * lanes;
  each([&, first = first](int64_t number, int64_t i, int64_t b) {
    tiles.store(number, code.at(sums, i * first * line + b * lanes), line * 4);
  });
  code.loop(code.integer(0), code.integer(tile.width), [&](Value *x) {
    Value *from = code.at(sums, code.times(x, line));
    SmallVector<Value *> loaded;
    for (int64_t b = 0; b < tile.blocks; ++b)
      loaded.push_back(code.loadVector(code.at(from, b * lanes)));
    body(x, loaded);
  });
}

int64_t glow::cpu::tileScratchBytes(const glow::cpu::Target &target,
                                    WeightForm form) {
  return isOfTiles(form) ? MatrixTiles::scratchBytes(target) : 0;
}

void glow::cpu::emitTileLines(Emitter &code, WeightForm form, int64_t lines) {
  if (!isOfTiles(form))
    return;
  auto [first, second] = halvesOfLines(lines);
  uint8_t one = uint8_t(first), two = uint8_t(std::max<int64_t>(second, 1));
  MatrixTiles(code, code.scratch())
      .configure({one, one, two, two, one, two, lanes, lanes});
}

void glow::cpu::emitTileRelease(Emitter &code, WeightForm form) {
  if (isOfTiles(form))
    MatrixTiles(code, code.scratch()).release();
}
