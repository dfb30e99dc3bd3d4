//===- TileModelTest.cpp - the model of AMX multiplies as AMX does --------===//
// SPDX-License-Identifier: MIT

#include "common/TileModel.h"
#include "codegen/step/Halves.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using glow::cpu::TileModel, glow::cpu::SplitFloat;

extern "C" void tile_model_configure(TileModel *, const uint8_t *);
extern "C" void tile_model_multiply_halves(TileModel *, int64_t, int64_t,
                                           int64_t);

namespace {

constexpr int rows = 5, columns = 7, pairs = 16;

/// Tiles 0, the sums, 1 and 2.
class Model {
public:
  Model() {
    uint8_t sizes[64] = {1};
    int bytes[] = {columns * 4, pairs * 4, columns * 4};
    int lines[] = {rows, rows, pairs};
    for (int i = 0; i < 3; ++i)
      sizes[16 + 2 * i] = uint8_t(bytes[i]), sizes[48 + i] = uint8_t(lines[i]);
    tile_model_configure(&model, sizes);
  }
  void multiply() { tile_model_multiply_halves(&model, 0, 1, 2); }
  float &sum(int row, int column) {
    return reinterpret_cast<float *>(model.tiles[0].elements[row])[column];
  }
  /// Of channel k.
  uint16_t &a(int row, int k) {
    return reinterpret_cast<uint16_t *>(model.tiles[1].elements[row])[k];
  }
  uint16_t &b(int k, int column) {
    return reinterpret_cast<uint16_t *>(
        model.tiles[2].elements[k / 2])[2 * column + k % 2];
  }

private:
  TileModel model;
};

float flushed(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}
float real(uint16_t bits) {
  return flushed(std::bit_cast<float>(uint32_t(bits) << 16));
}

} // namespace

// As the manual says it, by the machine's own fused products: even and odd
// channels apart, then both, then the sum.
TEST(TileModel, TheOrderOfSumsAndTheirRounding) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 200; ++turn) {
    Model model;
    // Exponents near each other, so that sums cancel, are rounded, and fall
    // below normal numbers.
    uint32_t middle = turn % 2 ? 127 : 66;
    auto half = [&] {
      uint32_t exponent = middle + random() % 8 - 4;
      return uint16_t((random() & 0x807f) | exponent << 7);
    };
    float starts[rows][columns];
    for (int row = 0; row < rows; ++row) {
      for (int k = 0; k < 2 * pairs; ++k)
        model.a(row, k) = half();
      for (int column = 0; column < columns; ++column)
        starts[row][column] = model.sum(row, column) =
            turn % 2 ? real(half()) : real(half()) * 0x1p-66f;
    }
    for (int k = 0; k < 2 * pairs; ++k)
      for (int column = 0; column < columns; ++column)
        model.b(k, column) = half();
    model.multiply();
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        float parts[2] = {};
        for (int k = 0; k < 2 * pairs; ++k)
          parts[k % 2] = flushed(std::fmaf(
              real(model.a(row, k)), real(model.b(k, column)), parts[k % 2]));
        float sum = flushed(flushed(starts[row][column]) +
                            flushed(parts[0] + parts[1]));
        EXPECT_EQ(model.sum(row, column), sum) << row << " " << column;
      }
  }
}

TEST(TileModel, NumbersWithoutANormalFormAndInfinity) {
  Model model;
  model.a(0, 0) = 0x0040, model.b(0, 0) = 0x7f00; // too small to count
  model.a(1, 0) = 0x7f80, model.b(0, 1) = 0x3f80;
  model.sum(0, 0) = 3, model.sum(2, 2) = 0x1p-127f;
  model.multiply();
  EXPECT_EQ(model.sum(0, 0), 3);
  EXPECT_EQ(model.sum(1, 1), INFINITY);
  EXPECT_EQ(std::bit_cast<uint32_t>(model.sum(2, 2)), 0u);
  EXPECT_TRUE(std::isnan(model.sum(1, 2))); // times 0
}

TEST(SplitFloats, TheSumIsTheNumber) {
  auto real = [](uint32_t bits) { return std::bit_cast<float>(bits); };
  std::mt19937 random(2);
  for (int i = 0; i < 10000; ++i) {
    uint32_t exponent = 20 + random() % 235;
    float x = real((random() & 0x807fffff) | exponent << 23);
    SplitFloat split(x);
    EXPECT_EQ((split.high | split.low) & 0xffff, 0u);
    EXPECT_TRUE(std::isfinite(real(split.high)));
    double rest = double(x) - real(split.high) - real(split.low);
    EXPECT_LE(std::fabs(rest), std::fabs(x) * 0x1p-17) << x;
  }
  SplitFloat whole(-768);
  EXPECT_EQ(real(whole.high), -768);
  EXPECT_EQ(real(whole.low), 0);
  SplitFloat infinite(INFINITY);
  EXPECT_EQ(real(infinite.high) + real(infinite.low), INFINITY);
  SplitFloat nan(real(0x7fffffff));
  EXPECT_TRUE(std::isnan(real(nan.low)));
}
