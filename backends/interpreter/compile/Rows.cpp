//===- Rows.cpp - tensors that are copied row by row ----------------------===//
// SPDX-License-Identifier: MIT
//
// Folding handles large weights by rows. One pass multiplies a filter by a
// factor of each channel, which is never broadcast in memory. Matrices are
// transposed in squares. With the kernels, folding took as long as a third of
// LLVM's whole work.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

using namespace glow;

static int64_t countOf(SizesRef sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

/// Calls row(from, out, count, single) for runs of elements of the result that
/// come from as many elements, or from a single one; `from` and `out` are in
/// elements. Returns the offset behind the last element of the result.
template <typename Row>
static int64_t forEachRow(int64_t from, SizesRef sizes, SizesRef to,
                          int64_t out, Row row) {
  int64_t count = countOf(to);
  bool single = countOf(sizes) == 1;
  if (single || sizes == to) {
    row(from, out, count, single);
    return out + count;
  }
  int64_t step = sizes[0] == 1 ? 0 : countOf(sizes.drop_front());
  for (int64_t i = 0; i < to[0]; ++i)
    out = forEachRow(from + i * step, sizes.drop_front(), to.drop_front(), out,
                     row);
  return out;
}

void glow::repeatRows(const char *from, SizesRef sizes, SizesRef to,
                      size_t width, char *out) {
  auto repeat = [&](int64_t place, int64_t at, int64_t count, bool single) {
    const char *source = from + size_t(place) * width;
    char *first = out + size_t(at) * width,
         *end = first + size_t(count) * width;
    char *next = std::copy_n(
        source, single ? std::min<long>(long(width), end - first) : end - first,
        first);
    while (next < end) // twice as much each time
      next = std::copy_n(first, std::min(next - first, end - next), next);
  };
  forEachRow(0, sizes, to, 0, repeat);
}

void glow::multiplyRows(const float *in, const float *factor, SizesRef sizes,
                        SizesRef to, float *out) {
  auto multiply = [&](int64_t place, int64_t at, int64_t count, bool single) {
    if (single)
      std::transform(in + at, in + at + count, out + at,
                     [by = factor[place]](float x) { return x * by; });
    else
      std::transform(in + at, in + at + count, factor + place, out + at,
                     std::multiplies<float>());
  };
  forEachRow(0, sizes, to, 0, multiply);
}

/// Transposes a matrix in squares: a cache line is used whole while it is in
/// the cache, and loops over full squares have a constant trip count.
template <typename T>
static void transposeMatrix(const T *in, int64_t rows, int64_t columns,
                            T *out) {
  constexpr int64_t side = 16;
  for (int64_t r = 0; r < rows; r += side)
    for (int64_t c = 0; c < columns; c += side) {
      auto turn = [&](int64_t height, int64_t width) {
        for (int64_t i = c; i < c + width; ++i)
          for (int64_t j = r; j < r + height; ++j)
            out[i * rows + j] = in[j * columns + i];
      };
      if (r + side <= rows && c + side <= columns)
        turn(side, side);
      else
        turn(std::min(side, rows - r), std::min(side, columns - c));
    }
}

bool glow::transposeRows(const char *in, SizesRef sizes, SizesRef permutation,
                         size_t width, char *out) {
  size_t rank = sizes.size(), first = 0;
  while (first < rank && permutation[first] == int64_t(first))
    ++first;
  if (first == rank)
    return false;
  size_t turn = size_t(permutation[first]) - first;
  for (size_t i = first; i < rank; ++i)
    if (size_t(permutation[i]) != first + (i - first + turn) % (rank - first))
      return false;
  int64_t rows = countOf(sizes.slice(first, turn));
  int64_t columns = countOf(sizes.drop_front(first + turn));
  auto turnAll = [&]<typename T>(T) {
    for (int64_t i = 0, count = countOf(sizes.take_front(first)); i < count;
         ++i)
      transposeMatrix(reinterpret_cast<const T *>(in) + i * rows * columns,
                      rows, columns,
                      reinterpret_cast<T *>(out) + i * rows * columns);
    return true;
  };
  switch (width) {
  case 1:
    return turnAll(uint8_t());
  case 2:
    return turnAll(uint16_t());
  case 4:
    return turnAll(uint32_t());
  case 8:
    return turnAll(uint64_t());
  }
  return false;
}
