//===- Products.cpp - products of large constant matrices -----------------===//
// SPDX-License-Identifier: MIT
//
// A tile of sums is in registers, and a panel of columns is converted to
// doubles once for all rows. The same loops are compiled for the vectors of
// several processors, of which the one that runs the compiler takes the widest.
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include <algorithm>
#include <vector>

using namespace glow;

namespace {

constexpr int64_t width = 16; ///< columns of a tile
constexpr int64_t height = 4; ///< rows of a tile

/// Doubles of the factors of a tile: `height` rows, and `width` columns.
struct Factors {
  int64_t inner;
  const double *left;  ///< [inner][height]
  const double *right; ///< [inner][width]
};

/// Adds up a tile. The sums are local, so that they stay in registers.
[[gnu::always_inline]] inline void sumTile(const Factors &of,
                                           double (&sums)[height][width]) {
  using Vector = double __attribute__((vector_size(8 * sizeof(double))));
  constexpr int64_t vectors = width / 8;
  Vector tile[height][vectors] = {};
  for (int64_t k = 0; k < of.inner; ++k) {
    Vector right[vectors];
    __builtin_memcpy(right, of.right + k * width, sizeof right);
#pragma GCC unroll 8
    for (int64_t r = 0; r < height; ++r)
#pragma GCC unroll 8
      for (int64_t v = 0; v < vectors; ++v)
        tile[r][v] += of.left[k * height + r] * right[v];
  }
  __builtin_memcpy(sums, tile, sizeof tile);
}

using SumTile = void (*)(const Factors &, double (&)[height][width]);

void sumTileAnywhere(const Factors &of, double (&sums)[height][width]) {
  sumTile(of, sums);
}
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void sumTileOf256(const Factors &of,
                                              double (&sums)[height][width]) {
  sumTile(of, sums);
}
[[gnu::target("avx512f,fma")]] void
sumTileOf512(const Factors &of, double (&sums)[height][width]) {
  sumTile(of, sums);
}
#endif

SumTile chosen() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return sumTileOf512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return sumTileOf256;
#endif
  return sumTileAnywhere;
}

} // namespace

void glow::multiplyMatrices(const float *lhs, const float *rhs, int64_t rows,
                            int64_t inner, int64_t columns, float *out) {
  static const SumTile sum = chosen();
  // Missing rows and columns are 0, and their sums are not stored.
  const int64_t tiles = (rows + height - 1) / height;
  std::vector<double> left(size_t(tiles * height * inner)),
      right(size_t(inner * width));
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < inner; ++k)
      left[size_t((row / height * inner + k) * height + row % height)] =
          lhs[row * inner + k];
  for (int64_t first = 0; first < columns; first += width) {
    const int64_t some = std::min(width, columns - first);
    for (int64_t k = 0; k < inner; ++k)
      std::copy_n(rhs + k * columns + first, some, &right[size_t(k * width)]);
    for (int64_t t = 0; t < tiles; ++t) {
      double sums[height][width];
      sum({inner, &left[size_t(t * inner * height)], right.data()}, sums);
      for (int64_t r = 0; r < std::min(height, rows - t * height); ++r)
        for (int64_t c = 0; c < some; ++c)
          out[(t * height + r) * columns + first + c] = float(sums[r][c]);
    }
  }
}
