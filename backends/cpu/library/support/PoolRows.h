//===- PoolRows.h - rows of pools of channels-first images ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The rows of a window are combined into scratch, and then its columns. With a
// stride of two, columns that are as far apart are neighbours in scratch, so
// that a tap of 16 windows is one vector. Several rows of the result are
// combined first and read later: a load that covers two recent stores would
// wait for both.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_POOLROWS_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_POOLROWS_H

#include "Planes.h"
#include "Window.h"

namespace glow::cpu {

/// Combined rows in scratch. Padded column c of a row is element c / planes of
/// plane c % planes; the image begins at column `lead`.
struct PlainLayout {
  static constexpr int64_t mostRows = 8; ///< that are combined first
  int64_t planes, lead, length, batch, counts, taps;

  explicit PlainLayout(const Axis &width)
      : planes(width.stride <= 2 ? width.stride : 1) {
    const int64_t block = planes * lanes;
    const int64_t windows = dividedUp(width.out, lanes) * lanes;
    const int64_t reach = (width.window - 1) * width.dilation;
    lead = dividedUp(width.pad, block) * block;
    // A whole vector has windows beyond the last one.
    const int64_t end = planes == width.stride
                            ? windows + (lead - width.pad + reach) / planes + 1
                            : lead + (width.out - 1) * width.stride + reach + 1;
    length = dividedUp(lead + width.in, block) * lanes;
    length = dividedUp(larger(length, end), lanes) * lanes;
    counts = windows, taps = width.window;
    batch = larger(1, smaller(mostRows, 2048 / (planes * length)));
  }
  int64_t row() const { return planes * length; }
  int64_t bytes() const {
    return (batch * row() + 2 * counts) * 4 + taps * int64_t(sizeof(int64_t));
  }
};

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

  /// Whether images have no inner elements, and windows reach only a little
  /// beyond them: scratch has all columns that windows read.
  bool isPlain() const {
    constexpr int64_t far = 4096;
    const Axis &w = width();
    return inner == 1 && w.pad <= far && w.window <= far && w.dilation <= far &&
           (w.window - 1) * w.dilation <= far &&
           (w.out <= 1 || w.stride <= (w.in + 2 * far) / (w.out - 1));
  }

  /// Rows of the result.
  Rows rows() const {
    return {planes * depth().out * height().out,
            width().out * inner * height().window};
  }
  void cut(StepWork *work) const {
    rows().cut(work);
    if (isPlain())
      work->scratchBytes = PlainLayout(width()).bytes();
    else if (inner < lanes) // one row, and the lanes of its last vector
      work->scratchBytes = (width().in * inner + lanes) * 4;
  }
};

/// The rows of the image that a row of the result needs: a rectangle of taps.
struct RowWindow {
  const float *plane;
  int64_t deepFirst, deepLast, highFirst, highLast;
  int64_t deepStart, highStart; // rows of the plane; may lie before it
  int64_t deepStep, highStep, length;

  int64_t y, z; // of the row

  RowWindow(const Pooling &pool, int64_t row, const float *in) {
    const Axis &depth = pool.depth(), &height = pool.height();
    y = row % height.out, z = row / height.out % depth.out;
    length = pool.width().in * pool.inner;
    plane = in + row / (height.out * depth.out) * depth.in * height.in * length;
    deepStep = depth.dilation * height.in, highStep = height.dilation;
    enter(pool);
  }
  /// Moves to the next row of the result, without divisions.
  GLOW_INLINE void advance(const Pooling &pool) {
    if (++y == pool.height().out) {
      y = 0;
      if (++z == pool.depth().out) {
        z = 0;
        plane += pool.depth().in * pool.height().in * length;
      }
    }
    enter(pool);
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

private:
  GLOW_INLINE void enter(const Pooling &pool) {
    const Axis &depth = pool.depth(), &height = pool.height();
    deepFirst = depth.first(z), deepLast = depth.last(z);
    highFirst = height.first(y), highLast = height.last(y);
    deepStart = depth.at(z, 0) * height.in, highStart = height.at(y, 0);
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

/// The rows of a window of at most three, which are read without a loop.
struct FewRows {
  static constexpr int64_t most = 3;
  const int64_t count;
  const float *rows[most];

  explicit FewRows(const RowWindow &window) : count(window.count()) {
    int64_t found = 0;
    window.forEach([&](const float *row) { rows[found++] = row; });
  }
  /// Combines what `loaded` reads of each row.
  template <typename Op, typename Load>
  GLOW_INLINE V16f combine(Load loaded) const {
    V16f result = splat<V16f>(Op::start);
    if (count > 0)
      result = Op::combine(result, loaded(rows[0]));
    if (count > 1)
      result = Op::combine(result, loaded(rows[1]));
    if (count > 2)
      result = Op::combine(result, loaded(rows[2]));
    return result;
  }
};

/// The rows of any window.
struct ManyRows {
  const RowWindow &window;

  template <typename Op, typename Load>
  GLOW_INLINE V16f combine(Load loaded) const {
    V16f result = splat<V16f>(Op::start);
    window.forEach(
        [&](const float *row) { result = Op::combine(result, loaded(row)); });
    return result;
  }
};

/// Sets `v` to the combined elements `i` to `i` + 15, of which those beyond
/// `length` do not count. All callers share the code.
template <typename Op, typename Rows>
[[gnu::noinline]] void combineTo(V16f &v, const Rows &rows, int64_t i,
                                 int64_t length) {
  if (i + lanes <= length)
    v = rows.template combine<Op>(
        [i](const float *row) { return load<V16f>(row + i); });
  else
    v = rows.template combine<Op>([i, length](const float *row) {
      return loadPart(row + i, length - i, Op::start);
    });
}

/// The same of few rows, which are read without a call.
template <typename Op>
GLOW_INLINE V16f combineAt(const FewRows &rows, int64_t i, int64_t length) {
  if (i + lanes <= length)
    return rows.combine<Op>(
        [i](const float *row) { return load<V16f>(row + i); });
  if (i >= length)
    return splat<V16f>(Op::start);
  return rows.combine<Op>([i, length](const float *row) {
    return loadPart(row + i, length - i, Op::start);
  });
}
template <typename Op>
GLOW_INLINE V16f combineAt(const ManyRows &rows, int64_t i, int64_t length) {
  V16f all = splat<V16f>(Op::start);
  if (i < length)
    combineTo<Op>(all, rows, i, length);
  return all;
}

/// Pools rows of an image without inner elements.
template <typename Op> class PlainRows {
public:
  PlainRows(const Pooling &pool, const float *in, float *out, float *scratch)
      : pool(pool), width(pool.width()), layout(width), in(in), out(out),
        rows(scratch), columns(scratch + layout.batch * layout.row()),
        shares(columns + layout.counts),
        taps(reinterpret_cast<int64_t *>(shares + layout.counts)) {
    for (int64_t i = 0; i < layout.batch * layout.row(); ++i)
      rows[i] = Op::start;
    for (int64_t x = 0; x < layout.counts; ++x)
      columns[x] = float(larger(0, width.last(x) - width.first(x)));
    for (int64_t k = 0; k < layout.taps; ++k) {
      const int64_t column = layout.lead + width.at(0, k);
      taps[k] = column % layout.planes * layout.length + column / layout.planes;
    }
  }

  /// Computes rows [first, last) of the result.
  void run(int64_t first, int64_t last) {
    if (pool.depth().window * pool.height().window > FewRows::most)
      return runAny(first, last);
    if (isOf(1, 3, 1))
      return stream<1, 3, 1>(first, last);
    if (isOf(2, 3, 1))
      return stream<2, 3, 1>(first, last);
    if (isOf(2, 3, 0))
      return stream<2, 3, 0>(first, last);
    if (isOf(2, 2, 0))
      return stream<2, 2, 0>(first, last);
    runAny(first, last);
  }

private:
  void runAny(int64_t first, int64_t last) {
    RowWindow window(pool, first, in);
    int64_t rowsOf[PlainLayout::mostRows];
    for (int64_t r = first; r < last; r += layout.batch) {
      const int64_t some = smaller(layout.batch, last - r);
      for (int64_t i = 0; i < some; ++i, window.advance(pool)) {
        rowsOf[i] = window.count();
        combineRows({window}, rows + i * layout.row());
      }
      for (int64_t i = 0; i < some; ++i) {
        setShares(rowsOf[i]);
        combineColumns(rows + i * layout.row(), out + (r + i) * width.out);
      }
    }
  }
  bool isOf(int64_t stride, int64_t window, int64_t pad) const {
    return width.stride == stride && width.window == window &&
           width.pad == pad && width.dilation == 1;
  }

  /// The rows of usual windows, whose columns are combined in registers.
  template <int stride, int size, int pad>
  [[gnu::noinline]] void stream(int64_t first, int64_t last) {
    RowWindow window(pool, first, in);
    for (int64_t r = first; r < last; ++r, window.advance(pool)) {
      setShares(window.count());
      streamRow<stride, size, pad>(FewRows(window), out + r * width.out);
    }
  }
  template <int stride, int size, int pad>
  GLOW_INLINE void streamRow(const FewRows &window, float *to) const {
    V16f before[stride], now[stride], after[stride];
    for (int p = 0; p < stride; ++p)
      now[p] = after[p] = splat<V16f>(Op::start);
    for (int64_t x = -lanes; x < width.out; x += lanes) {
      for (int p = 0; p < stride; ++p)
        before[p] = now[p], now[p] = after[p];
      columnsAt<stride>(window, (x + lanes) * stride, after);
      if (x < 0)
        continue;
      const V16f result = share(ofTaps<stride, size, -pad>(
                                    splat<V16f>(Op::start), before, now, after),
                                x);
      if (x + lanes <= width.out)
        store(to + x, result);
      else
        storePart(to + x, result, width.out - x);
    }
  }
  /// Combines the last `count` taps of 16 windows. A tap is a plane of columns
  /// that begins one column earlier, here or one column later.
  template <int stride, int count, int column>
  GLOW_INLINE static V16f ofTaps(V16f result, const V16f *before,
                                 const V16f *now, const V16f *after) {
    if constexpr (count == 0) {
      return result;
    } else {
      constexpr int place = column < 0 ? column + stride : column;
      constexpr int plane = place % stride;
      V16f tap = now[plane];
      if constexpr (column < 0)
        tap = lanesOf<[](int i) { return i + 15; }>(before[plane], now[plane]);
      else if constexpr (place >= stride)
        tap = lanesOf<[](int i) { return i + 1; }>(now[plane], after[plane]);
      return ofTaps<stride, count - 1, column + 1>(Op::combine(result, tap),
                                                   before, now, after);
    }
  }
  /// Combined columns of the image from `i` on, in planes.
  template <int planes, typename Rows>
  GLOW_INLINE void columnsAt(const Rows &window, int64_t i,
                             V16f (&v)[planes]) const {
    for (int p = 0; p < planes; ++p)
      v[p] = combineAt<Op>(window, i + p * lanes, width.in);
    if constexpr (planes > 1)
      separate<planes>(v);
  }
  /// The results of windows from `x` on, whose sums become means.
  GLOW_INLINE V16f share(V16f result, int64_t x) const {
    if constexpr (__is_same(Op, Sum))
      return isExact ? result * load<V16f>(shares + x)
                     : result / load<V16f>(shares + x);
    else
      return result;
  }

  void combineRows(const ManyRows &window, float *to) const {
    if (layout.planes == 1)
      combineRows<1>(window, to);
    else
      combineRows<2>(window, to);
  }
  template <int planes>
  GLOW_INLINE void combineRows(const ManyRows &window, float *to) const {
    to += layout.lead / planes;
    for (int64_t i = 0; i < width.in; i += planes * lanes, to += lanes) {
      V16f v[planes];
      columnsAt<planes>(window, i, v);
      for (int p = 0; p < planes; ++p)
        store(to + p * layout.length, v[p]);
    }
  }

  /// Sets the divisors of sums in a row whose windows have `count` rows. If all
  /// are powers of two, factors are as exact, in a fraction of the time. The
  /// mean of equal whole numbers is whole (docs/Math.md).
  void setShares(int64_t count) {
    if (!__is_same(Op, Sum) || count == counted)
      return;
    counted = count;
    isExact = true;
    for (int64_t x = 0; x < layout.counts; x += lanes) {
      const V16f all =
          max(load<V16f>(columns + x) * float(count), splat<V16f>(1));
      isExact &= !any((bitsAs<V16i>(all) & 0x7fffff) != 0);
      store(shares + x, all);
    }
    if (isExact)
      for (int64_t x = 0; x < layout.counts; x += lanes)
        store(shares + x, 1.0f / load<V16f>(shares + x));
  }
  void combineColumns(const float *from, float *to) const {
    if (layout.planes != width.stride)
      return combineApart(from + layout.lead, to);
    int64_t x = 0;
    for (; x + lanes <= width.out; x += lanes)
      store(to + x, windowsAt(from, x));
    if (x == width.out)
      return;
    // The last vector overlaps the one before.
    if (x > 0)
      return store(to + width.out - lanes, windowsAt(from, width.out - lanes));
    storePart(to, windowsAt(from, 0), width.out);
  }
  /// The results of 16 windows.
  GLOW_INLINE V16f windowsAt(const float *from, int64_t x) const {
    from += x;
    V16f result = splat<V16f>(Op::start);
    for (int64_t k = 0; k < width.window; ++k)
      result = Op::combine(result, load<V16f>(from + taps[k]));
    return share(result, x);
  }

  /// Windows further apart than the planes: four sums do not wait for each
  /// other.
  void combineApart(const float *from, float *to) const {
    constexpr int64_t together = 4;
    for (int64_t x = 0; x < width.out; x += together) {
      const int64_t some = smaller(together, width.out - x);
      float results[together];
      for (float &result : results)
        result = Op::start;
      for (int64_t k = 0; k < width.window; ++k)
        for (int64_t w = 0; w < together; ++w) {
          const float next = from[width.at(smaller(x + w, width.out - 1), k)];
          results[w] = combined(results[w], next);
        }
      for (int64_t w = 0; w < some; ++w)
        to[x + w] = !__is_same(Op, Sum) ? results[w]
                    : isExact           ? results[w] * shares[x + w]
                                        : results[w] / shares[x + w];
    }
  }
  GLOW_INLINE static float combined(float a, float b) {
    if constexpr (__is_same(Op, Sum))
      return a + b;
    else
      return a > b || a != a ? a : b;
  }

  const Pooling &pool;
  const Axis &width;
  const PlainLayout layout;
  const float *in;
  float *out, *rows, *columns, *shares;
  int64_t counted = -1; ///< rows of windows that `shares` is of
  bool isExact = false; ///< whether `shares` has factors, else divisors
  int64_t *taps;        ///< where each tap of the first window is in a row
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_POOLROWS_H
