//===- TileModel.cpp - AMX instructions in C++ ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Models LDTILECFG, TILELOADD, TILESTORED, TDPBUSD, TDPBSSD and TDPBF16PS by
// their descriptions in Intel's Software Developer's Manual, volume 2. Bytes
// outside of a tile's rows and columns are zero and stay zero, and sums of
// integers wrap around.
//
//===----------------------------------------------------------------------===//

#include "../common/TileModel.h"
#include "vector/Vector.h"

using namespace glow::cpu;
using namespace glow::vector;

/// The 64 bytes that LDTILECFG reads.
extern "C" void tile_model_configure(TileModel *model, const uint8_t *config) {
  for (int64_t i = 0; i < 8; ++i) {
    TileModel::Tile &tile = model->tiles[i];
    tile.rows = config[48 + i];
    tile.bytes = config[16 + 2 * i] | config[17 + 2 * i] << 8;
    for (auto &row : tile.elements)
      for (uint8_t &element : row)
        element = 0;
  }
}

extern "C" void tile_model_load(TileModel *model, int64_t number,
                                const uint8_t *from, int64_t step) {
  TileModel::Tile &tile = model->tiles[number];
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t i = 0; i < tile.bytes; ++i)
      tile.elements[row][i] = from[row * step + i];
}

extern "C" void tile_model_store(TileModel *model, int64_t number, uint8_t *to,
                                 int64_t step) {
  const TileModel::Tile &tile = model->tiles[number];
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t i = 0; i < tile.bytes; ++i)
      to[row * step + i] = tile.elements[row][i];
}

extern "C" void tile_model_multiply(TileModel *model, int64_t sums, int64_t a,
                                    int64_t b, int64_t isSigned) {
  TileModel::Tile &result = model->tiles[sums];
  const TileModel::Tile &left = model->tiles[a], &right = model->tiles[b];
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t column = 0; column < result.bytes / 4; ++column) {
      uint32_t sum = 0;
      for (int64_t i = 0; i < 4; ++i)
        sum |= uint32_t(result.elements[row][column * 4 + i]) << (8 * i);
      for (int64_t k = 0; k < left.bytes; ++k) {
        uint8_t byte = left.elements[row][k];
        int32_t factor = isSigned ? int32_t(int8_t(byte)) : int32_t(byte);
        auto weight = int8_t(right.elements[k / 4][column * 4 + k % 4]);
        sum += uint32_t(factor * int32_t(weight));
      }
      for (int64_t i = 0; i < 4; ++i)
        result.elements[row][column * 4 + i] = uint8_t(sum >> (8 * i));
    }
}

/// Numbers without a normal form are 0, of either sign.
static V16f flushed(V16f x) {
  V16u bits = bitsAs<V16u>(x);
  return bitsAs<V16f>((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}

/// a * b + sum, rounded once. The product of two bf16 is exact as f64. The f64
/// sum is rounded to odd, so that rounding it to f32 gives the rounded exact
/// sum.
static V16f multiplyAdd(V16f a, V16f b, V16f sum) {
  V16d product = convert<V16d>(a) * convert<V16d>(b);
  V16d start = convert<V16d>(sum), all = product + start, part = all - product;
  V16d rest = (product - (all - part)) + (start - part);
  V16l bits = bitsAs<V16l>(all);
  // Rounds to odd: an inexact sum becomes its odd neighbour.
  V16l isBetween = (rest < 0.0 | rest > 0.0) & (all - all == 0.0);
  V16l step = (rest > 0.0) == (all > 0.0) ? splat<V16l>(1) : splat<V16l>(-1);
  bits = (isBetween & ((bits & 1) == 0)) != 0 ? bits + step : bits;
  V16f result = convert<V16f>(bitsAs<V16d>(bits));
  // A result is tiny if it would be below the normal numbers with an unbounded
  // exponent.
  V16l magnitude = bits & 0x7fffffffffffffff;
  V16l isTiny = bitsAs<V16d>(magnitude) < 0x1p-126 * (1 - 0x1p-25);
  V16f zero = convert<V16f>(bitsAs<V16d>(bits & int64_t(uint64_t(1) << 63)));
  return convert<V16i>(isTiny) != 0 ? zero : result;
}

extern "C" void tile_model_multiply_halves(TileModel *model, int64_t sums,
                                           int64_t a, int64_t b) {
  TileModel::Tile &result = model->tiles[sums];
  const TileModel::Tile &left = model->tiles[a], &right = model->tiles[b];
  // All columns: those outside of a tile are 0 in every row.
  for (int64_t row = 0; row < result.rows; ++row) {
    V16f even = {}, odd = {};
    for (int64_t k = 0; k < left.bytes / 4; ++k) {
      uint32_t word;
      __builtin_memcpy(&word, &left.elements[row][4 * k], sizeof word);
      V16u pair = splat<V16u>(word), weights = load<V16u>(right.elements[k]);
      auto product = [](V16u a, V16u b, V16f sum) {
        return multiplyAdd(flushed(bitsAs<V16f>(a)), flushed(bitsAs<V16f>(b)),
                           sum);
      };
      even = product(pair << 16, weights << 16, even);
      odd = product(pair & 0xffff0000, weights & 0xffff0000, odd);
    }
    auto *place = result.elements[row];
    V16f sum = flushed(load<V16f>(place)) + flushed(even + odd);
    store(place, flushed(sum));
  }
}
