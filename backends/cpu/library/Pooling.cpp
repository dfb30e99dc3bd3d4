//===- Pooling.cpp - one value of each window of an image -----------------===//
// SPDX-License-Identifier: MIT
//
// The last dimensions with a window of a single element, such as the 16
// channels of a blocked image, are contiguous inner elements: windows are
// combined vector by vector. Without them the rows of a window are combined
// first, into scratch, and then the columns (support/PoolRows.h).
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"
#include "support/PoolRows.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Combines columns [first, last) of a window, whose first element is at offset
/// `start` in each row.
template <typename Op>
GLOW_INLINE V16f anyWindow(const RowWindow &window, int64_t start, int64_t step,
                           int64_t first, int64_t last, int64_t part) {
  V16f result = splat<V16f>(Op::start);
  window.forEach([&](const float *from) {
    for (int64_t k = first; k < last; ++k)
      result = Op::combine(result, loadPart(from + start + k * step, part));
  });
  return result;
}

/// The windows of a row of the result that lie wholly inside of the image.
struct WholeWindows {
  int64_t first, last, size = 0; // size x size taps, 0 if not so
  const float *rows[3];

  WholeWindows(const Pooling &pool, const RowWindow &window) {
    const Axis &width = pool.width();
    int64_t reach = (width.window - 1) * width.dilation;
    int64_t room = width.in - 1 + width.pad - reach; // of the last one's start
    first = smaller(width.out, dividedUp(width.pad, width.stride));
    last = room < 0 ? 0 : smaller(width.out, room / width.stride + 1);
    if (pool.inner % lanes != 0 || window.count() != width.window ||
        width.window > 3 || last <= first)
      return;
    window.forEach([&](const float *row) { rows[size++] = row; });
  }
};

/// Prefetches the rows that the window below reads beyond the last row `last`
/// of this window. It does not pay if the image is in a cache.
GLOW_INLINE void fetchBelow(const Pooling &pool, const float *last) {
  const Axis &height = pool.height(), &width = pool.width();
  for (int64_t y = 1; y <= height.stride; ++y)
    for (int64_t x = 0; x < width.stride; ++x)
      __builtin_prefetch(last + (y * width.in + x) * pool.inner, /*write=*/0,
                         /*locality=*/2);
}

/// Computes the whole windows with one instruction a tap, which may lose a NaN.
/// Returns whether there was a NaN, or infinities of both signs.
template <typename Op, int64_t size>
GLOW_INLINE bool squares(const Pooling &pool, const WholeWindows &whole,
                         float *out) {
  const Axis &width = pool.width();
  int64_t step = width.dilation * pool.inner, inner = pool.inner;
  bool isFar = pool.isFar();
  MaskOf<V16f> lost = {};
  for (int64_t x = whole.first; x < whole.last; ++x)
    for (int64_t i = 0; i < inner; i += lanes) {
      int64_t start = width.at(x, 0) * inner + i;
      V16f result = splat<V16f>(Op::start), sum = splat<V16f>(0);
      if (isFar)
        fetchBelow(pool, whole.rows[size - 1] + start);
#pragma clang loop unroll(full)
      for (int64_t tap = 0; tap < size * size; ++tap) {
        V16f value =
            load<V16f>(whole.rows[tap / size] + start + tap % size * step);
        sum += value;
        if constexpr (__is_same(Op, Largest))
          result = result > value ? result : value;
        else
          result = sum;
      }
      // A sum of finite numbers is finite, or infinite by overflow. Only NaN or
      // infinities of both signs make it NaN.
      lost |= isNan(sum);
      store(out + x * inner + i, finished<Op>(result, size * size));
    }
  return any(lost);
}

template <typename Op>
GLOW_INLINE bool anySquares(const Pooling &pool, const WholeWindows &whole,
                            float *out) {
  return whole.size == 3   ? squares<Op, 3>(pool, whole, out)
         : whole.size == 2 ? squares<Op, 2>(pool, whole, out)
                           : squares<Op, 1>(pool, whole, out);
}

/// Computes a row of the result whose elements are vectors.
template <typename Op>
GLOW_INLINE void vectorRow(const Pooling &pool, const RowWindow &window,
                           float *out) {
  const Axis &width = pool.width();
  int64_t rows = window.count(), step = width.dilation * pool.inner, x = 0;
  auto until = [&](int64_t end) {
    for (; x < end; ++x) {
      int64_t first = width.first(x), last = width.last(x);
      int64_t count = rows * larger(0, last - first);
      for (int64_t i = 0; i < pool.inner; i += lanes) {
        int64_t part = smaller(lanes, pool.inner - i);
        int64_t start = width.at(x, 0) * pool.inner + i;
        V16f result = anyWindow<Op>(window, start, step, first, last, part);
        storePart(out + x * pool.inner + i, finished<Op>(result, count), part);
      }
    }
  };
  WholeWindows whole(pool, window);
  if (whole.size) {
    until(whole.first);
    // If there was a NaN, maxima are computed again by operations that keep it;
    // sums keep it themselves.
    if (!anySquares<Op>(pool, whole, out) || __is_same(Op, Sum))
      x = whole.last;
  }
  until(width.out);
}

/// Computes a row of the result whose elements are less than a vector.
template <typename Op>
GLOW_INLINE void elementRow(const Pooling &pool, const RowWindow &window,
                            float *out, float *scratch) {
  const Axis &width = pool.width();
  const int64_t inner = pool.inner, length = window.length;
  const ManyRows rows{window};
  for (int64_t i = 0; i < length; i += lanes)
    store(scratch + i, combineAt<Op>(rows, i, length));
  for (int64_t x = 0; x < width.out; ++x) {
    int64_t first = width.first(x), last = width.last(x);
    int64_t count = window.count() * larger(0, last - first);
    for (int64_t i = 0; i < inner; ++i) {
      V16f result = splat<V16f>(Op::start);
      for (int64_t k = first; k < last; ++k)
        result = Op::combine(result,
                             splat<V16f>(scratch[width.at(x, k) * inner + i]));
      out[x * inner + i] = finished<Op>(result, count)[0];
    }
  }
}

template <typename Op, typename Call>
GLOW_INLINE void pool(const Call &call, int64_t begin, int64_t end,
                      char *scratch) {
  Pooling pool(call);
  auto *out = call.out.template as<float>();
  auto *in = call.in.template as<const float>();
  Rows rows = pool.rows();
  if (pool.isPlain())
    return PlainRows<Op>(pool, in, out, reinterpret_cast<float *>(scratch))
        .run(rows.first(begin), rows.last(end));
  for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
    float *to = out + r * pool.width().out * pool.inner;
    RowWindow window(pool, r, in);
    if (pool.inner < lanes)
      elementRow<Op>(pool, window, to, reinterpret_cast<float *>(scratch));
    else
      vectorRow<Op>(pool, window, to);
  }
}

} // namespace

GLOW_WORK(max_pool_f32) { Pooling(call).cut(work); }
GLOW_KERNEL(max_pool_f32) { pool<Largest>(call, begin, end, scratch); }
GLOW_WORK(avg_pool_f32) { Pooling(call).cut(work); }
GLOW_KERNEL(avg_pool_f32) { pool<Sum>(call, begin, end, scratch); }
