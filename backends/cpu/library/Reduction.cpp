//===- Reduction.cpp - one value of all elements along some axes ----------===//
// SPDX-License-Identifier: MIT

#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Dimensions with how far apart their elements are, the last fastest.
struct Dimensions {
  int64_t rank = 0;
  int64_t sizes[highestRank], strides[highestRank];

  /// Adds the next outer dimension. It is merged with the last one if both have
  /// a common step, because `offset` divides by each dimension except the
  /// first.
  void add(int64_t size, int64_t stride) {
    if (rank > 0 && stride == sizes[rank - 1] * strides[rank - 1]) {
      sizes[rank - 1] *= size;
      return;
    }
    sizes[rank] = size;
    strides[rank++] = stride;
  }
  int64_t count() const {
    int64_t result = 1;
    for (int64_t i = 0; i < rank; ++i)
      result *= sizes[i];
    return result;
  }
  /// The offset of the element with this number. Mostly, one dimension is left.
  GLOW_INLINE int64_t offset(int64_t number) const {
    return rank == 1 ? number * strides[0] : offsetInAll(number);
  }

private:
  /// The same for any rank; all callers share the code.
  [[gnu::noinline]] int64_t offsetInAll(int64_t number) const {
    int64_t result = 0;
    for (int64_t i = rank; i-- > 1; number /= sizes[i])
      result += number % sizes[i] * strides[i];
    return rank ? result + number * strides[0] : 0;
  }
};

/// The number of terms of a partial sum, which is then added to the sum of the
/// terms before: one long sum would lose the last bits of each term.
constexpr int64_t together = 64;
/// The longest short row: `together` terms in each lane of four vectors.
constexpr int64_t shortRow = together * 4 * lanes;

/// The kept and the reduced dimensions, with neighbours of the same kind
/// merged. The last merged dimension is the run of `run` contiguous elements,
/// which is not in `kept` or `gone`.
struct Reduction {
  Dimensions kept, gone;
  int64_t run = 1;
  bool runIsGone = true;
  V16i sign = {}; ///< see termOf

  Reduction(const Shape &in, const List<int64_t> &axes) {
    bool isGone[highestRank] = {};
    for (int64_t i = 0; i < axes.count; ++i)
      isGone[axes[i]] = true;
    int64_t stride = 1, i = in.rank;
    while (i > 0 && in.sizes[i - 1] == 1)
      --i;
    if (i > 0)
      runIsGone = isGone[i - 1];
    for (; i > 0 && (isGone[i - 1] == runIsGone || in.sizes[i - 1] == 1); --i)
      run *= in.sizes[i - 1];
    // The stride of the dimensions before the run.
    stride = run;
    // Collected from the last to the first, then reversed.
    for (; i > 0; --i) {
      if (in.sizes[i - 1] != 1)
        (isGone[i - 1] ? gone : kept).add(in.sizes[i - 1], stride);
      stride *= in.sizes[i - 1];
    }
    turn(kept);
    turn(gone);
  }
  static void turn(Dimensions &dims) {
    for (int64_t i = 0; i < dims.rank / 2; ++i) {
      int64_t j = dims.rank - 1 - i, size = dims.sizes[i];
      int64_t stride = dims.strides[i];
      dims.sizes[i] = dims.sizes[j], dims.strides[i] = dims.strides[j];
      dims.sizes[j] = size, dims.strides[j] = stride;
    }
  }

  /// The number of columns that are reduced together. The wider a piece is, the
  /// nearer a processor comes to the rate of its memory: it does not take rows
  /// that lie apart for a stream. 16 vectors read 16384 columns at the rate of
  /// one long row, 4 vectors at 0.6 of it.
  static constexpr int64_t width = 16 * lanes;
  /// Whether short contiguous rows are reduced, the most frequent case.
  bool isRows() const {
    return runIsGone && gone.rank == 0 && run <= shortRow &&
           (kept.rank == 0 || (kept.rank == 1 && kept.strides[0] == run));
  }
  int64_t pieces() const { return runIsGone ? 1 : dividedUp(run, width); }
  Rows rows() const {
    return {kept.count() * pieces(),
            gone.count() * (runIsGone ? run : smaller(run, width))};
  }
};

/// Maximum of numbers, in one instruction; NaN is not handled.
template <typename Op> struct OfNumbers;
template <> struct OfNumbers<Largest> : Largest {
  GLOW_INLINE static V16f combine(V16f a, V16f b) { return a > b ? a : b; }
};
template <typename Op>
concept TakesNumbers = requires { OfNumbers<Op>::start; };

/// A term or a result. A minimum is the maximum of the numbers with the other
/// sign, which has the same code.
template <typename Op> GLOW_INLINE V16f termOf(V16f x, V16i sign) {
  if constexpr (TakesNumbers<Op>)
    return bitsAs<V16f>(bitsAs<V16i>(x) ^ sign);
  return x;
}

/// Reads `count` elements; the lanes behind them change no result.
template <typename Op>
GLOW_INLINE V16f reduceTerms(const float *from, int64_t count, V16i sign) {
  const V16f start = splat<V16f>(Op::start);
  return reduceLanes<Op>(start, from, count, termOf<Op>(start, sign)[0],
                         [=](V16f x) { return termOf<Op>(x, sign); });
}

/// Reduces the run: all lanes of `result` together make one element of the
/// result. All callers share the code.
template <typename Op>
[[gnu::noinline]] void ofRuns(V16f &result, const Reduction &plan,
                              const float *in) {
  const V16i sign = plan.sign;
  result = splat<V16f>(Op::start);
  for (int64_t i = 0, count = plan.gone.count(); i < count; ++i)
    for (int64_t j = 0; j < plan.run; j += shortRow)
      result = Op::combine(
          result, reduceTerms<Op>(in + plan.gone.offset(i) + j,
                                  smaller(shortRow, plan.run - j), sign));
}

/// Combines the halves of each block of `size` lanes. The result has the blocks
/// of the first vector, then those of the second.
template <typename Op, int size> GLOW_INLINE V16f halvesOf(V16f a, V16f b) {
  constexpr int half = size / 2;
  auto pick = [](int i, int upper) constexpr {
    // Lane i of the result is of block i / half, counted through both vectors.
    return i / half * size + i % half + upper * half;
  };
  return Op::combine(__builtin_shufflevector(
                         a, b, pick(0, 0), pick(1, 0), pick(2, 0), pick(3, 0),
                         pick(4, 0), pick(5, 0), pick(6, 0), pick(7, 0),
                         pick(8, 0), pick(9, 0), pick(10, 0), pick(11, 0),
                         pick(12, 0), pick(13, 0), pick(14, 0), pick(15, 0)),
                     __builtin_shufflevector(
                         a, b, pick(0, 1), pick(1, 1), pick(2, 1), pick(3, 1),
                         pick(4, 1), pick(5, 1), pick(6, 1), pick(7, 1),
                         pick(8, 1), pick(9, 1), pick(10, 1), pick(11, 1),
                         pick(12, 1), pick(13, 1), pick(14, 1), pick(15, 1)));
}

/// Combines all lanes of each of 16 vectors; lane i of the result belongs to
/// vector i.
template <typename Op> GLOW_INLINE V16f acrossEach(V16f *vectors) {
  for (int64_t i = 0; i < 8; ++i)
    vectors[i] = halvesOf<Op, 16>(vectors[2 * i], vectors[2 * i + 1]);
  for (int64_t i = 0; i < 4; ++i)
    vectors[i] = halvesOf<Op, 8>(vectors[2 * i], vectors[2 * i + 1]);
  for (int64_t i = 0; i < 2; ++i)
    vectors[i] = halvesOf<Op, 4>(vectors[2 * i], vectors[2 * i + 1]);
  return halvesOf<Op, 2>(vectors[0], vectors[1]);
}

/// Combines the lanes of 16 rows of `run` elements; false if there is a NaN,
/// which integer operations beside the float operations detect.
template <typename Op>
GLOW_INLINE bool combineNumbers(const float *from, int64_t run, V16i sign,
                                V16f *rows) {
  V16i most = {};
  const V16f start = splat<V16f>(Op::start);
  for (int64_t i = 0; i < lanes; ++i, from += run)
    rows[i] = reduceLanes<OfNumbers<Op>>(
        start, from, run, termOf<Op>(start, sign)[0], [&](V16f x) {
          V16i magnitude = bitsAs<V16i>(x) & 0x7fffffff;
          most = magnitude > most ? magnitude : most;
          return termOf<Op>(x, sign);
        });
  return !any(most > 0x7f800000);
}

/// Combines the lanes of 16 rows of `run` elements each.
template <typename Op>
GLOW_INLINE void combineRows(const float *from, int64_t run, V16f *rows) {
  for (int64_t i = 0; i < lanes; ++i, from += run)
    rows[i] = reduceTerms<Op>(from, run, V16i());
}

/// Reduces the run: `count` elements of the result, at most 16, from `first`
/// on.
template <typename Op>
GLOW_INLINE void ofRows(const Reduction &plan, const float *in, float *out,
                        int64_t first, int64_t count, float divisor) {
  V16f rows[lanes];
  const V16i sign = plan.sign;
  if constexpr (TakesNumbers<Op>)
    if (count == lanes && plan.isRows() &&
        combineNumbers<Op>(in + first * plan.run, plan.run, sign, rows))
      return store(out + first,
                   termOf<Op>(acrossEach<OfNumbers<Op>>(rows), sign));
  if (!TakesNumbers<Op> && count == lanes && plan.isRows())
    combineRows<Op>(in + first * plan.run, plan.run, rows);
  else
    for (int64_t i = 0; i < count; ++i)
      ofRuns<Op>(rows[i], plan, in + plan.kept.offset(first + i));
  if (!TakesNumbers<Op> && count == lanes)
    return store(out + first, acrossEach<Op>(rows) / divisor);
  for (int64_t i = 0; i < count; ++i)
    out[first + i] =
        termOf<Op>(across(rows[i], Op::combine), sign)[0] / divisor;
}

/// Keeps the run: some vectors of contiguous results.
template <typename Op, int64_t vectors>
GLOW_INLINE void ofColumns(const Reduction &plan, const float *in, float *out,
                           float divisor) {
  V16f totals[vectors];
  const V16i sign = plan.sign;
  for (V16f &total : totals)
    total = splat<V16f>(Op::start);
  for (int64_t i = 0, count = plan.gone.count(); i < count;) {
    V16f parts[vectors];
#pragma clang loop unroll(full)
    for (V16f &part : parts)
      part = splat<V16f>(Op::start);
    for (int64_t last = smaller(count, i + together); i < last; ++i) {
      const float *at = in + plan.gone.offset(i);
#pragma clang loop unroll(full)
      for (int64_t v = 0; v < vectors; ++v)
        parts[v] =
            Op::combine(termOf<Op>(load<V16f>(at + v * lanes), sign), parts[v]);
    }
#pragma clang loop unroll(full)
    for (int64_t v = 0; v < vectors; ++v)
      totals[v] = Op::combine(totals[v], parts[v]);
  }
  for (int64_t v = 0; v < vectors; ++v)
    store(out + v * lanes, termOf<Op>(totals[v], sign) / divisor);
}

/// Up to one vector of contiguous results. Four terms are added at a time,
/// because each addition would wait for the one before.
template <typename Op>
GLOW_INLINE V16f ofColumn(const Reduction &plan, const float *in,
                          int64_t width) {
  V16f total = splat<V16f>(Op::start);
  const V16i sign = plan.sign;
  auto term = [&](int64_t i) {
    return termOf<Op>(loadPart(in + plan.gone.offset(i), width), sign);
  };
  for (int64_t i = 0, count = plan.gone.count(); i < count;) {
    V16f a = splat<V16f>(Op::start), b = a, c = a, d = a;
    int64_t last = smaller(count, i + 4 * together);
    for (; i + 4 <= last; i += 4) {
      a = Op::combine(term(i), a);
      b = Op::combine(term(i + 1), b);
      c = Op::combine(term(i + 2), c);
      d = Op::combine(term(i + 3), d);
    }
    for (; i < last; ++i)
      a = Op::combine(term(i), a);
    total =
        Op::combine(total, Op::combine(Op::combine(a, b), Op::combine(c, d)));
  }
  return termOf<Op>(total, sign);
}

/// Keeps the run: `count` contiguous results.
template <typename Op>
GLOW_INLINE void ofPiece(const Reduction &plan, const float *in, float *out,
                         int64_t count, float divisor) {
  for (int64_t i = 0; i < count;) {
    const int64_t rest = count - i;
    if (rest >= 16 * lanes) {
      ofColumns<Op, 16>(plan, in + i, out + i, divisor);
      i += 16 * lanes;
    } else if (rest >= 8 * lanes) {
      ofColumns<Op, 8>(plan, in + i, out + i, divisor);
      i += 8 * lanes;
    } else if (rest >= 4 * lanes) {
      ofColumns<Op, 4>(plan, in + i, out + i, divisor);
      i += 4 * lanes;
    } else {
      const int64_t some = smaller(lanes, rest);
      storePart(out + i, ofColumn<Op>(plan, in + i, some) / divisor, some);
      i += lanes;
    }
  }
}

/// Computes rows [first, last) of the plan. A sum has the divisor 1, so that
/// its code is that of a mean.
template <typename Op>
[[gnu::noinline]] void reduceRows(const Reduction &plan, const float *in,
                                  float *out, int64_t first, int64_t last,
                                  float divisor) {
  if (plan.runIsGone) {
    for (int64_t r = first; r < last; r += lanes)
      ofRows<Op>(plan, in, out, r, smaller(lanes, last - r), divisor);
    return;
  }
  const int64_t pieces = plan.pieces(), width = Reduction::width;
  for (int64_t r = first; r < last; ++r) {
    int64_t column = r % pieces * width;
    ofPiece<Op>(plan, in + plan.kept.offset(r / pieces) + column,
                out + r / pieces * plan.run + column,
                smaller(width, plan.run - column), divisor);
  }
}

template <typename Op, bool mean, typename Call>
GLOW_INLINE void reduce(const Call &call, int64_t begin, int64_t end,
                        int32_t sign = 0) {
  Reduction plan(call.in.shape, call.axes);
  plan.sign = V16i() + sign;
  Rows rows = plan.rows();
  const int64_t count = plan.gone.count() * (plan.runIsGone ? plan.run : 1);
  // The mean of nothing is 0.
  const float divisor = mean ? float(larger(count, 1)) : 1;
  reduceRows<Op>(plan, call.in.template as<const float>(),
                 call.out.template as<float>(), rows.first(begin),
                 rows.last(end), divisor);
}

} // namespace

#define GLOW_REDUCTION(name, Op, mean, ...)                                    \
  GLOW_WORK(name) { Reduction(call.in.shape, call.axes).rows().cut(work); }    \
  GLOW_KERNEL(name) {                                                          \
    reduce<Op, mean>(call, begin, end __VA_OPT__(, ) __VA_ARGS__);             \
  }
GLOW_REDUCTION(reduce_sum_f32, Sum, false)
GLOW_REDUCTION(reduce_mean_f32, Sum, true)
GLOW_REDUCTION(reduce_max_f32, Largest, false)
GLOW_REDUCTION(reduce_min_f32, Largest, false, int32_t(0x80000000))
