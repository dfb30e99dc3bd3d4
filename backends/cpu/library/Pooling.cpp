//===- Pooling.cpp - one value of each window of an image -----------------===//
// SPDX-License-Identifier: MIT
//
// The last dimensions with a window of a single element, such as the 16
// channels of a blocked image, are contiguous inner elements: windows are
// combined vector by vector. Without them the rows of a window are combined
// first, into scratch, and then the columns.
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"
#include "support/Window.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// An image [planes, depth, height, width, inner].
struct Pooling {
  int64_t planes, inner = 1;
  Axis axes[3]; // depth, height, width

  template <typename Call> explicit Pooling(const Call &call) {
    const Shape &out = call.out.shape, &in = call.in.shape;
    int64_t rank = in.rank - 2, used = rank;
    auto axis = [&](int64_t i) -> Axis {
      return {in.sizes[i + 2], out.sizes[i + 2], call.window[i],
              call.strides[i], call.pads[i],     call.dilations[i]};
    };
    // Axes without a window are contiguous inner elements, as the lanes of a
    // packed image.
    for (; used > 0 && axis(used - 1).isPlain(); --used)
      inner *= in.sizes[used + 1];
    for (int64_t i = 0; i < used; ++i)
      axes[3 - used + i] = axis(i);
    planes = in.sizes[0] * in.sizes[1];
  }
  /// Whether the images lie in memory rather than in a cache.
  bool isFar() const {
    int64_t pixels = depth().in * height().in * width().in;
    return planes * pixels * inner * 4 > 8 << 20;
  }
  const Axis &depth() const { return axes[0]; }
  const Axis &height() const { return axes[1]; }
  const Axis &width() const { return axes[2]; }

  /// Rows of the result.
  Rows rows() const {
    return {planes * depth().out * height().out,
            width().out * inner * height().window};
  }
  void cut(StepWork *work) const {
    rows().cut(work);
    // One row, and a vector more, because shuffles read beyond it.
    if (inner < lanes)
      work->scratchBytes = (width().in * inner + 2 * lanes) * 4;
  }
};

/// The rows of the image that a row of the result needs: a rectangle of taps.
struct RowWindow {
  const float *plane;
  int64_t deepFirst, deepLast, highFirst, highLast;
  int64_t deepStart, highStart; // rows of the plane; may lie before it
  int64_t deepStep, highStep, length;

  RowWindow(const Pooling &pool, int64_t row, const float *in) {
    const Axis &depth = pool.depth(), &height = pool.height();
    int64_t y = row % height.out, z = row / height.out % depth.out;
    length = pool.width().in * pool.inner;
    plane = in + row / (height.out * depth.out) * depth.in * height.in * length;
    deepFirst = depth.first(z), deepLast = depth.last(z);
    highFirst = height.first(y), highLast = height.last(y);
    deepStart = depth.at(z, 0) * height.in, highStart = height.at(y, 0);
    deepStep = depth.dilation * height.in, highStep = height.dilation;
  }
  int64_t count() const {
    return larger(0, deepLast - deepFirst) * larger(0, highLast - highFirst);
  }
  template <typename Visit> GLOW_INLINE void forEach(Visit visit) const {
    for (int64_t j = deepFirst; j < deepLast; ++j)
      for (int64_t k = highFirst; k < highLast; ++k)
        visit(plane +
              (deepStart + highStart + j * deepStep + k * highStep) * length);
  }
};

/// The result of a window of `count` elements: for sums the mean, which is 0
/// for an empty window.
template <typename Op> GLOW_INLINE V16f finished(V16f result, int64_t count) {
  if constexpr (__is_same(Op, Sum))
    return result / float(larger(count, 1));
  else
    return result;
}

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

/// Every second element of two vectors.
GLOW_INLINE V16f everySecond(V16f a, V16f b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                                 22, 24, 26, 28, 30);
}

/// The end of the windows that lie wholly inside of the image.
GLOW_INLINE int64_t wholeUntil(const Axis &width) {
  int64_t reach = (width.window - 1) * width.dilation;
  int64_t room = width.in - 1 + width.pad - reach; // of the last one's start
  return room < 0 ? 0 : smaller(width.out, room / width.stride + 1);
}

/// Computes a row of the result whose elements are scalars.
template <typename Op>
GLOW_INLINE void elementRow(const Pooling &pool, const RowWindow &window,
                            float *out, float *scratch) {
  const Axis &width = pool.width();
  int64_t inner = pool.inner, length = window.length, rows = window.count();
  // Rows are combined in registers. In memory they would become masked stores,
  // which the next load waits for. Lanes past the end are never read.
  for (int64_t i = 0; i < length; i += lanes) {
    V16f result = splat<V16f>(Op::start);
    if (i + lanes <= length)
      window.forEach([&](const float *from) {
        result = Op::combine(result, load<V16f>(from + i));
      });
    else
      window.forEach([&](const float *from) {
        result = Op::combine(result, loadPart(from + i, length - i));
      });
    store(scratch + i, result);
  }
  // Windows that lie wholly inside, 16 at a time where they are next to each
  // other or every second element.
  int64_t x = 0;
  auto single = [&] {
    int64_t first = width.first(x), last = width.last(x);
    int64_t count = rows * larger(0, last - first);
    for (int64_t i = 0; i < inner; ++i) {
      V16f result = splat<V16f>(Op::start);
      for (int64_t k = first; k < last; ++k)
        result = Op::combine(result,
                             splat<V16f>(scratch[width.at(x, k) * inner + i]));
      out[x * inner + i] = finished<Op>(result, count)[0];
    }
    ++x;
  };
  while (x < width.out && width.first(x) > 0)
    single();
  if (inner == 1 && width.stride <= 2) {
    auto sixteen = [&](int64_t x) {
      V16f result = splat<V16f>(Op::start);
      for (int64_t k = 0; k < width.window; ++k) {
        const float *from = scratch + width.at(x, k);
        V16f next = load<V16f>(from);
        if (width.stride == 2)
          next = everySecond(next, load<V16f>(from + lanes));
        result = Op::combine(result, next);
      }
      store(out + x, finished<Op>(result, rows * width.window));
    };
    int64_t first = x, last = wholeUntil(width);
    for (; x + lanes <= last; x += lanes)
      sixteen(x);
    // The last sixteen windows overlap the ones before.
    if (x < last && last - first >= lanes) {
      sixteen(last - lanes);
      x = last;
    }
  }
  while (x < width.out)
    single();
}

template <typename Op, typename Call>
GLOW_INLINE void pool(const Call &call, int64_t begin, int64_t end,
                      char *scratch) {
  Pooling pool(call);
  auto *out = call.out.template as<float>();
  auto *in = call.in.template as<const float>();
  Rows rows = pool.rows();
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
