//===- Softmax.cpp - softmax along any axis -------------------------------===//
// SPDX-License-Identifier: MIT

#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

GLOW_INLINE V16f self(V16f x) { return x; }

/// The largest number. NaN is ignored here, and makes the sum NaN.
struct LargestNumber {
  static constexpr float start = Largest::start;
  GLOW_INLINE static V16f combine(V16f a, V16f b) { return a > b ? a : b; }
};

/// out[i] = exp(in[i] - largest), and the sum of all.
GLOW_INLINE V16f powersOf(float *out, const float *in, int64_t count,
                          V16f largest) {
  // Four sums, as in reduceLanes.
  V16f sums[4] = {};
  auto put = [&](int64_t i, V16f &sum) {
    V16f power = expBelow(load<V16f>(in + i) - largest);
    store(out + i, power);
    sum += power;
  };
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes)
    for (int64_t v = 0; v < 4; ++v)
      put(i + v * lanes, sums[v]);
  for (; i + lanes <= count; i += lanes)
    put(i, sums[0]);
  if (i < count) {
    V16f x = loadPart(in + i, count - i, Largest::start);
    V16f power = expBelow(x - largest);
    storePart(out + i, power, count - i);
    sums[1] += power; // minus infinity adds 0
  }
  return across((sums[0] + sums[1]) + (sums[2] + sums[3]), Sum::combine);
}

/// One row of an innermost axis.
template <bool logarithm>
GLOW_INLINE void row(float *out, const float *in, int64_t count) {
  V16f largest =
      reduceRow<LargestNumber>(in, count, LargestNumber::start, self);
  if constexpr (logarithm) {
    V16f sum = reduceRow<Sum>(in, count, Largest::start,
                              [&](V16f x) { return expBelow(x - largest); });
    V16f offset = log(sum);
    mapRow(out, in, count,
           [&](V16f x, int64_t, int64_t) { return x - largest - offset; });
  } else {
    V16f factor = 1.0f / powersOf(out, in, count, largest);
    mapRow(out, out, count,
           [&](V16f x, int64_t, int64_t) { return x * factor; });
  }
}

/// Up to 16 neighbours of an axis whose elements are `stride` apart.
template <bool logarithm>
GLOW_INLINE void columns(float *out, const float *in, int64_t count,
                         int64_t stride, int64_t width) {
  V16f largest = splat<V16f>(Largest::start), sum = splat<V16f>(0);
  for (int64_t i = 0; i < count; ++i)
    largest = LargestNumber::combine(loadPart(in + i * stride, width), largest);
  for (int64_t i = 0; i < count; ++i) {
    V16f power = expBelow(loadPart(in + i * stride, width) - largest);
    sum += power;
    if (!logarithm)
      storePart(out + i * stride, power, width);
  }
  V16f last = logarithm ? log(sum) : 1.0f / sum;
  for (int64_t i = 0; i < count; ++i) {
    V16f x = loadPart((logarithm ? in : out) + i * stride, width);
    storePart(out + i * stride, logarithm ? x - largest - last : x * last,
              width);
  }
}

/// Rows of an innermost axis, or groups of 16 columns of another.
struct Softmax {
  Around in;
  int64_t groups = dividedUp(in.inner, lanes);
  Rows rows = in.inner == 1 ? Rows{in.outer, in.count}
                            : Rows{in.outer * groups, in.count * lanes};

  template <typename Call>
  explicit Softmax(const Call &call) : in(call.in.shape, call.axis) {}

  template <bool logarithm, typename Call>
  GLOW_INLINE void run(const Call &call, int64_t begin, int64_t end) const {
    auto *to = call.out.template as<float>();
    auto *from = call.in.template as<const float>();
    for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
      if (in.inner == 1) {
        row<logarithm>(to + r * in.count, from + r * in.count, in.count);
        continue;
      }
      int64_t column = r % groups * lanes;
      int64_t offset = r / groups * in.count * in.inner + column;
      columns<logarithm>(to + offset, from + offset, in.count, in.inner,
                         smaller(lanes, in.inner - column));
    }
  }
};

} // namespace

GLOW_WORK(softmax_f32) { Softmax(call).rows.cut(work); }
GLOW_KERNEL(softmax_f32) { Softmax(call).run<false>(call, begin, end); }
GLOW_WORK(log_softmax_f32) { Softmax(call).rows.cut(work); }
GLOW_KERNEL(log_softmax_f32) { Softmax(call).run<true>(call, begin, end); }
