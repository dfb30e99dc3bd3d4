//===- Convolution.cpp - convolution of any image -------------------------===//
// SPDX-License-Identifier: MIT
//
// Convolutions for which Conv.cpp emits no code: groups of few channels, three
// dimensions, filters that are no constants. A chunk is some rows of the
// result, with all channels of a group. The image rows that a result row needs
// are copied first, with their pads. Every `stride`th element is copied side by
// side, so that each tap reads vectors; all channels use the copy. If taps lie
// so far apart that most of a row would be copied for nothing, each tap has its
// own copy.
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"
#include "support/Window.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Images [n, group * cg, depth, height, width], filters [d, cg, ...].
struct Convolution {
  Axis axes[3];                              // depth, height, width
  int64_t images, groups, channels, filters; // the last two of a group
  /// Whether the copies of all taps are smaller than the parts of a row.
  bool isApart;

  explicit Convolution(const ConvCall &call) {
    const Shape &out = call.out.shape, &in = call.in.shape;
    const Shape &filter = call.filter.shape;
    int64_t rank = in.rank - 2;
    for (int64_t i = 0; i < rank; ++i)
      axes[3 - rank + i] = {in.sizes[i + 2],     out.sizes[i + 2],
                            filter.sizes[i + 2], call.strides[i],
                            call.pads[i],        call.dilations[i]};
    layColumnsDown();
    images = in.sizes[0], groups = call.group;
    channels = filter.sizes[1], filters = filter.sizes[0] / groups;
    isApart = width().window * alone() / shared() < width().stride;
  }
  /// An image of one column is one row in memory, which fills vectors.
  void layColumnsDown() {
    for (int turn = 0; turn < 2; ++turn) {
      const Axis &x = axes[2];
      if (x.in != 1 || x.out != 1 || x.window != 1 || x.pad != 0)
        return;
      // Twice at most: an image of one column and one row is a row along its
      // depth.
      axes[2] = axes[1], axes[1] = axes[0], axes[0] = Axis();
    }
  }
  const Axis &depth() const { return axes[0]; }
  const Axis &height() const { return axes[1]; }
  const Axis &width() const { return axes[2]; }

  int64_t rowsOfFilter() const {
    return channels * depth().window * height().window;
  }
  /// The elements that a tap reads, and a vector more, because the last vector
  /// may read beyond them.
  int64_t alone() const { return width().out + lanes; }
  /// The same for each of the `stride` parts of a padded row, which taps share.
  int64_t shared() const {
    int64_t reach = (width().window - 1) * width().dilation;
    return alone() + reach / width().stride + 1;
  }
  int64_t copied() const {
    return isApart ? width().window * alone() : width().stride * shared();
  }
  /// The offset of a tap's first element in the copy.
  int64_t placeOf(int64_t tap) const {
    int64_t at = tap * width().dilation;
    // Element x * stride + at of the padded row is element x + at / stride of
    // part at % stride.
    return isApart ? tap * alone()
                   : at % width().stride * shared() + at / width().stride;
  }
  /// Rows of one group's results, of all channels each.
  Rows rows() const {
    return {images * groups * depth().out * height().out,
            width().out * filters * rowsOfFilter() * width().window / 8 + 1};
  }
  void cut(StepWork *work) const {
    rows().cut(work);
    work->scratchBytes = rowsOfFilter() * copied() * 4;
  }
};

template <Vector V>
GLOW_INLINE void storeSome(ElementOf<V> *to, V value, int64_t count) {
  storePart(reinterpret_cast<float *>(to), bitsAs<V16f>(value), count);
}

/// One row of the result, of all channels of a group.
struct RowOfGroup {
  const Convolution &conv;
  int64_t image, group, z, y;

  RowOfGroup(const Convolution &conv, int64_t row) : conv(conv) {
    y = row % conv.height().out, row /= conv.height().out;
    z = row % conv.depth().out, row /= conv.depth().out;
    group = row % conv.groups, image = row / conv.groups;
  }

  /// Copies the image rows that the filter's rows read; rows outside of the
  /// image are zeros.
  template <typename T> void gather(const T *in, T *scratch) const {
    const Axis &depth = conv.depth(), &height = conv.height();
    int64_t length = conv.width().in, size = conv.copied();
    int64_t first = (image * conv.groups + group) * conv.channels;
    for (int64_t c = 0; c < conv.channels; ++c)
      for (int64_t j = 0; j < depth.window; ++j)
        for (int64_t k = 0; k < height.window; ++k, scratch += size) {
          int64_t deep = depth.at(z, j), high = height.at(y, k);
          bool inside =
              deep >= 0 && deep < depth.in && high >= 0 && high < height.in;
          int64_t row = ((first + c) * depth.in + deep) * height.in + high;
          spread(inside ? in + row * length : nullptr, scratch);
        }
  }

  /// Columns [x, x + 16) of `count` channels, from channel `first` of the group
  /// on.
  template <int64_t count, Vector V, typename T = ElementOf<V>>
  GLOW_INLINE void columns(const T *rows, const T *filter, const T *bias,
                           T *out, int64_t first, int64_t x) const {
    const Axis &width = conv.width();
    int64_t taps = conv.rowsOfFilter() * width.window;
    int64_t channel = group * conv.filters + first;
    V sums[count];
    const T *weights[count];
#pragma clang loop unroll(full)
    for (int64_t d = 0; d < count; ++d) {
      sums[d] = splat<V>(bias ? bias[channel + d] : 0);
      weights[d] = filter + (channel + d) * taps;
    }
    int64_t tap = 0, size = conv.copied();
    for (int64_t r = 0; r < conv.rowsOfFilter(); ++r, rows += size)
      for (int64_t k = 0; k < width.window; ++k, ++tap) {
        V pixels = load<V>(rows + conv.placeOf(k) + x);
#pragma clang loop unroll(full)
        for (int64_t d = 0; d < count; ++d)
          sums[d] += pixels * splat<V>(weights[d][tap]);
      }
    int64_t plane = conv.depth().out * conv.height().out;
    int64_t place = (image * conv.groups * conv.filters + channel) * plane +
                    z * conv.height().out + y;
#pragma clang loop unroll(full)
    for (int64_t d = 0; d < count; ++d)
      storeSome(out + (place + d * plane) * width.out + x, sums[d],
                smaller(lanes, width.out - x));
  }

private:
  template <typename T> void spread(const T *row, T *to) const {
    const Axis &width = conv.width();
    int64_t part = conv.shared(), stride = width.stride;
    __builtin_memset(to, 0, uint64_t(conv.copied()) * sizeof(T));
    if (!row)
      return;
    if (conv.isApart)
      return spreadTaps(row, to);
    int64_t end = smaller(width.in, stride * part - width.pad);
    if (end <= 0)
      return;
    if (stride == 1)
      __builtin_memcpy(to + width.pad, row, uint64_t(end) * sizeof(T));
    else
      for (int64_t x = 0; x < end; ++x)
        to[(x + width.pad) % stride * part + (x + width.pad) / stride] = row[x];
  }

  template <typename T> void spreadTaps(const T *row, T *to) const {
    const Axis &width = conv.width();
    for (int64_t x = 0; x < width.out; ++x)
      for (int64_t k = width.first(x); k < width.last(x); ++k)
        to[conv.placeOf(k) + x] = row[width.at(x, k)];
  }
};

template <Vector V>
GLOW_INLINE void convolve(const ConvCall &call, int64_t begin, int64_t end,
                          char *scratch) {
  using T = ElementOf<V>;
  Convolution conv(call);
  auto *out = call.out.as<T>();
  auto *in = call.in.as<const T>(), *filter = call.filter.as<const T>();
  auto *bias = call.bias.as<const T>();
  auto *copy = reinterpret_cast<T *>(scratch);
  Rows rows = conv.rows();
  for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
    RowOfGroup row(conv, r);
    row.gather(in, copy);
    for (int64_t x = 0; x < conv.width().out; x += lanes) {
      int64_t d = 0;
      // Four channels share each load of pixels, and their sums do not wait for
      // each other.
      for (; d + 4 <= conv.filters; d += 4)
        row.columns<4, V>(copy, filter, bias, out, d, x);
      for (; d < conv.filters; ++d)
        row.columns<1, V>(copy, filter, bias, out, d, x);
    }
  }
}

} // namespace

GLOW_WORK(conv_f32) { Convolution(call).cut(work); }
GLOW_KERNEL(conv_f32) { convolve<V16f>(call, begin, end, scratch); }
GLOW_WORK(conv_i32) { Convolution(call).cut(work); }
GLOW_KERNEL(conv_i32) { convolve<V16i>(call, begin, end, scratch); }
