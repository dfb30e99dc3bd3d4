//===- Depthwise.cpp - a window of each channel times its own filter ------===//
//
// Images are in blocks of 16 channels: [n, b, height, width, 16], filters
// [1, b, rows, columns, 16]; those without a height have one row. Sums of
// neighbouring pixels stay in registers over the whole window.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include "Window.h"

using namespace glow::cpu;

namespace {

/// The node's shapes and attributes.
struct Depthwise {
  int64_t images, blocks;
  Axis height, width;
  float low, high;

  explicit Depthwise(const StepInfo *info) {
    const Shape &out = info->shapes[0], &in = info->shapes[1];
    const Shape &filter = info->shapes[2];
    const Attribute *attributes = info->attributes;
    images = in.sizes[0], blocks = in.sizes[1];
    int64_t rank = in.rank - 3;
    auto axis = [&](int64_t i) -> Axis {
      return {in.sizes[i + 2],       out.sizes[i + 2],
              filter.sizes[i + 2],   attributes[0].ints[i],
              attributes[1].ints[i], attributes[2].ints[i]};
    };
    width = axis(rank - 1);
    if (rank == 2)
      height = axis(0);
    low = float(attributes[3].real), high = float(attributes[4].real);
  }
  Rows rows() const {
    return {images * blocks * height.out,
            width.out * lanes * dividedUp(width.window * height.window, 4)};
  }
  GLOW_INLINE V16f finish(V16f sum) const {
    return min(double(high), max(double(low), sum));
  }
};

/// What all pixels of a row share.
struct DepthwiseRow {
  const float *in, *filter; // of the first row of the window that lies inside
  int64_t rows, inStep, filterStep;
  V16f bias;
};

/// One pixel, whose window may lie partly outside.
GLOW_INLINE void pixel(const Depthwise &conv, const DepthwiseRow &row,
                       float *out, int64_t x) {
  const Axis &width = conv.width;
  V16f sum = row.bias;
  for (int64_t r = 0; r < row.rows; ++r)
    for (int64_t k = width.first(x); k < width.last(x); ++k)
      sum += load<V16f>(row.in + r * row.inStep + width.at(x, k) * lanes) *
             load<V16f>(row.filter + r * row.filterStep + k * lanes);
  store(out + x * lanes, conv.finish(sum));
}

constexpr int tileWidth = 5;

/// Neighbours whose windows lie inside. Each element is loaded once, for all
/// windows that it is in; `columns` and `stride` are constants.
template <int columns, int stride>
GLOW_INLINE void tile(const Depthwise &conv, const DepthwiseRow &row,
                      float *out, int64_t x) {
  V16f sums[tileWidth];
#pragma clang loop unroll(full)
  for (int t = 0; t < tileWidth; ++t)
    sums[t] = row.bias;
  const float *in = row.in + conv.width.at(x, 0) * lanes;
  const float *filter = row.filter;
#pragma clang loop unroll(disable)
  for (int64_t r = 0; r < row.rows; ++r) {
    V16f weights[columns];
#pragma clang loop unroll(full)
    for (int k = 0; k < columns; ++k)
      weights[k] = load<V16f>(filter + k * lanes);
#pragma clang loop unroll(full)
    for (int i = 0; i < (tileWidth - 1) * stride + columns; ++i) {
      V16f element = load<V16f>(in + i * lanes);
#pragma clang loop unroll(full)
      for (int k = 0; k < columns; ++k)
        if (i >= k && (i - k) % stride == 0 && (i - k) / stride < tileWidth)
          sums[(i - k) / stride] += element * weights[k];
    }
    in += row.inStep;
    filter += row.filterStep;
  }
#pragma clang loop unroll(full)
  for (int t = 0; t < tileWidth; ++t)
    store(out + (x + t) * lanes, conv.finish(sums[t]));
}

/// The same for any window and stride.
GLOW_INLINE void anyTile(const Depthwise &conv, const DepthwiseRow &row,
                         float *out, int64_t x) {
  const Axis &width = conv.width;
  V16f sums[tileWidth];
#pragma clang loop unroll(full)
  for (int t = 0; t < tileWidth; ++t)
    sums[t] = row.bias;
  int64_t step = width.stride * lanes;
  for (int64_t r = 0; r < row.rows; ++r) {
    const float *in = row.in + r * row.inStep + width.at(x, 0) * lanes;
    const float *filter = row.filter + r * row.filterStep;
#pragma clang loop unroll(disable)
    for (int64_t k = 0; k < width.window; ++k) {
      V16f weight = load<V16f>(filter + k * lanes);
      const float *element = in + k * width.dilation * lanes;
#pragma clang loop unroll(full)
      for (int t = 0; t < tileWidth; ++t)
        sums[t] += load<V16f>(element + t * step) * weight;
    }
  }
#pragma clang loop unroll(full)
  for (int t = 0; t < tileWidth; ++t)
    store(out + (x + t) * lanes, conv.finish(sums[t]));
}

/// A row of the result, its middle by tiles; the last one overlaps the one
/// before.
template <typename Tile>
GLOW_INLINE void wholeRow(const Depthwise &conv, const DepthwiseRow &row,
                          float *out, Tile tile) {
  const Axis &width = conv.width;
  int64_t first = 0, last = width.out;
  while (first < last && width.first(first) > 0)
    ++first;
  while (last > first && width.last(last - 1) < width.window)
    --last;
  if (last - first < tileWidth)
    first = last = 0;
  for (int64_t x = 0; x < first; ++x)
    pixel(conv, row, out, x);
  for (int64_t x = first; x < last; x += tileWidth)
    tile(conv, row, out, smaller(x, last - tileWidth));
  for (int64_t x = last; x < width.out; ++x)
    pixel(conv, row, out, x);
}

template <typename Tile>
GLOW_INLINE void runRows(const StepInfo *info, const Depthwise &conv,
                         char *const *buffers, int64_t begin, int64_t end,
                         Tile tile) {
  auto *out = reinterpret_cast<float *>(buffers[0]);
  auto *in = reinterpret_cast<const float *>(buffers[1]);
  auto *filter = reinterpret_cast<const float *>(buffers[2]);
  bool hasBias = info->segments[3] > 0;
  const Axis &height = conv.height, &width = conv.width;
  Rows rows = conv.rows();
  for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
    int64_t y = r % height.out, plane = r / height.out;
    int64_t block = plane % conv.blocks, top = height.first(y);
    DepthwiseRow row;
    row.rows = larger(0, height.last(y) - top);
    row.inStep = height.dilation * width.in * lanes;
    row.filterStep = width.window * lanes;
    row.in = in + (plane * height.in + height.at(y, top)) * width.in * lanes;
    row.filter = filter + (block * height.window + top) * row.filterStep;
    row.bias = splat<V16f>(0);
    if (hasBias)
      row.bias = load<V16f>(reinterpret_cast<const float *>(buffers[3]) +
                            block * lanes);
    wholeRow(conv, row, out + r * width.out * lanes, tile);
  }
}

} // namespace

GLOW_WORK(cpu_depthwise_f32) { Depthwise(info).rows().cut(work); }
GLOW_KERNEL(cpu_depthwise_f32) {
  Depthwise conv(info);
  const Axis &width = conv.width;
  auto run = [&](auto tile) { runRows(info, conv, buffers, begin, end, tile); };
  bool plain = width.dilation == 1;
  if (plain && width.window == 3 && width.stride == 1)
    run(tile<3, 1>);
  else if (plain && width.window == 3 && width.stride == 2)
    run(tile<3, 2>);
  else if (plain && width.window == 5 && width.stride == 1)
    run(tile<5, 1>);
  else if (plain && width.window == 5 && width.stride == 2)
    run(tile<5, 2>);
  else
    run(anyTile);
}
