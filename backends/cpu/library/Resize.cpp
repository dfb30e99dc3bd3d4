//===- Resize.cpp - a tensor sampled in another resolution ----------------===//
// SPDX-License-Identifier: MIT
//
// An element of the result is a weighted sum of one (nearest), two (linear) or
// four (cubic) elements along each resized axis. The dimensions after the
// resized axes are contiguous. The inner loop goes along the last resized axis.
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"

using namespace glow;
using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

struct Tap {
  int64_t index;
  float weight;
};

/// The tensor as [planes, axes..., inner].
struct Resize {
  const ResizeCall &call;
  int64_t planes = 1, inner = 1, rank = 0;
  int64_t in[highestRank], out[highestRank];
  double scales[highestRank];

  explicit Resize(const ResizeCall &call) : call(call) {
    const Shape &to = call.out.shape, &from = call.in.shape;
    auto changes = [&](int64_t i) {
      return to.sizes[i] != from.sizes[i] || call.scales[i] != 1;
    };
    int64_t first = 0, last = to.rank;
    for (; last > 1 && !changes(last - 1); --last)
      inner *= to.sizes[last - 1];
    for (; first + 1 < last && !changes(first); ++first)
      planes *= to.sizes[first];
    for (int64_t i = first; i < last; ++i, ++rank) {
      in[rank] = from.sizes[i], out[rank] = to.sizes[i];
      scales[rank] = call.scales[i];
    }
    if (rank == 0) // a single element
      in[0] = out[0] = 1, scales[0] = 1, rank = 1;
  }
  /// Whether an axis is not resized.
  bool stays(int64_t axis) const {
    return in[axis] == out[axis] && scales[axis] == 1;
  }
  int64_t widthIn() const { return in[rank - 1]; }
  int64_t widthOut() const { return out[rank - 1]; }
  int64_t tapCount() const {
    bool moves = call.mode == Interpolation::Nearest || stays(rank - 1);
    return moves ? 1 : call.mode == Interpolation::Linear ? 2 : 4;
  }
  Rows rows() const {
    int64_t count = planes;
    for (int64_t i = 0; i + 1 < rank; ++i)
      count *= out[i];
    return {count, widthOut() * inner * tapCount()};
  }
  /// The bytes of the taps of every index of the last axis.
  int64_t tapBytes() const {
    return dividedUp(widthOut() * tapCount() * int64_t(sizeof(Tap)), 64) * 64;
  }
  void cut(StepWork *work) const {
    rows().cut(work);
    work->scratchBytes = tapBytes() + (widthIn() * inner + lanes) * 4;
  }

  /// The coordinate of result element `x` along an axis of the operand.
  double placeOf(int64_t x, int64_t axis) const {
    double scale = scales[axis], from = double(in[axis]);
    double to = double(out[axis]), place = double(x);
    if (call.coordinates == PixelPlace::Asymmetric)
      return place / scale;
    if (call.coordinates == PixelPlace::AlignCorners)
      // ONNX defines this by the size before rounding down.
      return x == 0 ? 0 : place * (from - 1) / (from * scale - 1);
    if (call.coordinates == PixelPlace::TfHalfPixelForNn)
      return (place + 0.5) / scale;
    if (call.coordinates == PixelPlace::PytorchHalfPixel && to == 1)
      return 0;
    double middle = (place + 0.5) / scale - 0.5;
    if (call.coordinates != PixelPlace::HalfPixelSymmetric)
      return middle;
    // The sizes are whole, the scale may not be: keep the centres together.
    return from / 2 * (1 - to / (scale * from)) + middle;
  }
  /// The same, clamped to a range around the axis: further outside nothing
  /// changes. A coordinate that is NaN, from a scale near 0, becomes the first.
  double sourceOf(int64_t x, int64_t axis) const {
    double place = placeOf(x, axis), end = double(in[axis] + 3);
    if (place != place)
      return 0;
    return place < -4 ? -4 : place > end ? end : place;
  }
  int64_t nearestTo(double x) const {
    double below = __builtin_elementwise_floor(x);
    if (call.rounding == PixelRounding::Floor)
      return int64_t(below);
    if (call.rounding == PixelRounding::Ceil)
      return int64_t(__builtin_elementwise_ceil(x));
    if (call.rounding == PixelRounding::RoundPreferFloor && x - below == 0.5)
      return int64_t(below);
    return int64_t(__builtin_elementwise_floor(x + 0.5));
  }

  template <int taps> void find(int64_t x, int64_t axis, Tap *result) const {
    if (stays(axis)) {
      result[0] = {x, 1};
      return;
    }
    double source = sourceOf(x, axis);
    double below = __builtin_elementwise_floor(source), rest = source - below;
    if constexpr (taps == 1) {
      result[0] = {nearestTo(source), 1};
    } else if constexpr (taps == 2) {
      result[0] = {int64_t(below), float(1 - rest)};
      result[1] = {int64_t(below) + 1, float(rest)};
    } else {
      cubic(int64_t(below), rest, in[axis], result);
    }
    for (int t = 0; t < taps; ++t)
      result[t].index = larger(0, smaller(in[axis] - 1, result[t].index));
  }
  /// Keys' cubic convolution of four points.
  void cubic(int64_t below, double d, int64_t size, Tap *result) const {
    double a = call.cubicCoefficient, sum = 0, weights[4];
    auto near = [&](double t) { return ((a + 2) * t - (a + 3)) * t * t + 1; };
    auto far = [&](double t) {
      return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
    };
    weights[0] = far(1 + d), weights[1] = near(d);
    weights[2] = near(1 - d), weights[3] = far(2 - d);
    bool exclude = call.excludeOutside;
    for (int64_t t = 0; t < 4; ++t) {
      int64_t index = below - 1 + t;
      if (exclude && (index < 0 || index >= size))
        weights[t] = 0;
      sum += weights[t];
      result[t].index = index;
    }
    // Weights whose sum is 0, except for rounding, are not normalised.
    constexpr double least = 1e-6;
    exclude = exclude && (sum >= least || sum <= -least);
    for (int t = 0; t < 4; ++t)
      result[t].weight = float(exclude ? weights[t] / sum : weights[t]);
  }
};

/// Calls `visit` with each row of the operand that a result row depends on, and
/// its weight. A weight of 0 counts: 0 times infinity is NaN, as in a product.
template <int taps, typename Visit>
GLOW_INLINE void forRows(const Resize &resize, int64_t row, const float *in,
                         Visit visit) {
  int64_t outer = resize.rank - 1, count = 1;
  Tap found[highestRank][taps];
  int64_t counts[highestRank];
  for (int64_t i = outer; i-- > 0; row /= resize.out[i]) {
    resize.find<taps>(row % resize.out[i], i, found[i]);
    counts[i] = resize.stays(i) ? 1 : taps;
    count *= counts[i];
  }
  for (int64_t c = 0; c < count; ++c) {
    int64_t offset = row, digits = c;
    float weight = 1;
    for (int64_t i = 0; i < outer; digits /= counts[i++]) {
      const Tap &tap = found[i][digits % counts[i]];
      offset = offset * resize.in[i] + tap.index;
      weight *= tap.weight;
    }
    visit(in + offset * resize.widthIn() * resize.inner, weight);
  }
}

/// The weighted sum of the operand rows of a result row.
template <int taps>
GLOW_INLINE const float *sumOfRows(const Resize &resize, int64_t row,
                                   const float *in, float *scratch) {
  int64_t length = resize.widthIn() * resize.inner;
  const float *only = nullptr;
  bool first = true;
  forRows<taps>(resize, row, in, [&](const float *from, float weight) {
    if (taps == 1) {
      only = from;
    } else if (first) {
      mapRow(scratch, from, length,
             [&](V16f x, int64_t, int64_t) { return x * weight; });
    } else {
      mapRow(scratch, from, length, [&](V16f x, int64_t i, int64_t part) {
        return loadPart(scratch + i, part) + x * weight;
      });
    }
    first = false;
  });
  return only ? only : scratch;
}

/// The number of repeats of each element of a row; 0 if the elements of `table`
/// are not repeated equally.
GLOW_INLINE int64_t repeatsOf(const Resize &resize, const Tap *table) {
  const int64_t in = resize.widthIn(), out = resize.widthOut();
  const int64_t times = in > 0 && out % in == 0 ? out / in : 0;
  for (int64_t x = 0; times != 0 && x < out; ++x)
    if (table[x].index != x / times)
      return 0;
  return times;
}

/// Writes each element `times` times.
GLOW_INLINE void repeat(float *to, const float *from, int64_t count,
                        int64_t times) {
  int64_t i = 0;
  if (times == 2)
    for (; i + lanes <= count; i += lanes) {
      V16f x = load<V16f>(from + i);
      store(to + 2 * i,
            V16f(__builtin_shufflevector(x, x, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5,
                                         5, 6, 6, 7, 7)));
      store(to + 2 * i + lanes,
            V16f(__builtin_shufflevector(x, x, 8, 8, 9, 9, 10, 10, 11, 11, 12,
                                         12, 13, 13, 14, 14, 15, 15)));
    }
  for (; i < count; ++i)
    for (int64_t t = 0; t < times; ++t)
      to[i * times + t] = from[i];
}

/// Resizes by the nearest element, with inner elements of size 1. A result row
/// with the same source as the row before is a copy of it.
GLOW_INLINE void runNearest(const Resize &resize, const Tap *table,
                            int64_t first, int64_t last) {
  auto *out = resize.call.out.as<float>();
  auto *in = resize.call.in.as<const float>();
  const int64_t width = resize.widthOut();
  const int64_t times = repeatsOf(resize, table);
  const float *before = nullptr;
  for (int64_t r = first; r < last; ++r) {
    const float *from = sumOfRows<1>(resize, r, in, nullptr);
    float *to = out + r * width;
    if (from == before)
      mapRow(to, to - width, width, [](V16f x, int64_t, int64_t) { return x; });
    else if (times != 0)
      repeat(to, from, resize.widthIn(), times);
    else
      for (int64_t x = 0; x < width; ++x)
        to[x] = from[table[x].index];
    before = from;
  }
}

template <int taps>
GLOW_INLINE void run(const Resize &resize, int64_t begin, int64_t end,
                     char *scratch) {
  auto *out = resize.call.out.as<float>();
  auto *in = resize.call.in.as<const float>();
  auto *table = reinterpret_cast<Tap *>(scratch);
  auto *sums = reinterpret_cast<float *>(scratch + resize.tapBytes());
  int64_t width = resize.widthOut(), inner = resize.inner;
  for (int64_t x = 0; x < width; ++x)
    resize.find<taps>(x, resize.rank - 1, table + x * taps);
  Rows rows = resize.rows();
  if (taps == 1 && inner == 1)
    return runNearest(resize, table, rows.first(begin), rows.last(end));
  for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
    const float *from = sumOfRows<taps>(resize, r, in, sums);
    float *to = out + r * width * inner;
    for (int64_t x = 0; x < width; ++x) {
      const Tap *tap = table + x * taps;
      if (inner == 1) {
        float sum = from[tap[0].index] * tap[0].weight;
        for (int t = 1; t < taps; ++t)
          sum += from[tap[t].index] * tap[t].weight;
        to[x] = sum;
        continue;
      }
      mapRow(to + x * inner, from + tap[0].index * inner, inner,
             [&](V16f first, int64_t i, int64_t part) {
               V16f sum = first * tap[0].weight;
               for (int t = 1; t < taps; ++t)
                 sum += loadPart(from + tap[t].index * inner + i, part) *
                        tap[t].weight;
               return sum;
             });
    }
  }
}

} // namespace

GLOW_WORK(resize_f32) { Resize(call).cut(work); }
GLOW_KERNEL(resize_f32) {
  Resize resize(call);
  int64_t taps = resize.tapCount();
  if (taps == 1)
    run<1>(resize, begin, end, scratch);
  else if (taps == 2)
    run<2>(resize, begin, end, scratch);
  else
    run<4>(resize, begin, end, scratch);
}
