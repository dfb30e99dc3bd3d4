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

  /// The most columns that are reduced together, and their number where there
  /// is little else for threads to share. The wider a piece is, the nearer a
  /// processor comes to the rate of its memory: it does not take rows that lie
  /// apart for a stream.
  static constexpr int64_t most = 64 * lanes, few = 16 * lanes;
  int64_t width() const { return kept.count() < 8 ? few : most; }
  /// Whether short contiguous rows are reduced, the most frequent case.
  bool isRows() const {
    return runIsGone && gone.rank == 0 && run <= shortRow &&
           (kept.rank == 0 || (kept.rank == 1 && kept.strides[0] == run));
  }
  int64_t pieces() const { return runIsGone ? 1 : dividedUp(run, width()); }
  Rows rows() const {
    return {kept.count() * pieces(),
            gone.count() * (runIsGone ? run : smaller(run, width()))};
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

/// The form of a combination for numbers, where it has one.
template <typename Op> struct Fast : Op {};
template <TakesNumbers Op> struct Fast<Op> : OfNumbers<Op> {};

/// Keeps the run: some vectors of contiguous results, the last of which begins
/// at `last`. False if there may be a NaN that the combination does not take.
/// Few vectors have more partial results, because each term would wait for the
/// one before.
template <typename Op, int64_t vectors>
GLOW_INLINE bool ofColumns(const Reduction &plan, const float *in, float *out,
                           int64_t last, float divisor) {
  constexpr int64_t chains = vectors > 2 ? 1 : 4 / vectors;
  const V16i sign = plan.sign;
  V16i unordered = {};
  auto place = [=](int64_t v) { return v + 1 < vectors ? v * lanes : last; };
  auto take = [&](int64_t i, V16f *parts) {
    const float *at = in + plan.gone.offset(i);
    // One comparison tells whether there is a NaN in one of two vectors.
#pragma clang loop unroll(full)
    for (int64_t v = 0; v < vectors; v += 2) {
      V16f a = load<V16f>(at + place(v)), b = a;
      if (v + 1 < vectors)
        b = load<V16f>(at + place(v + 1));
      if constexpr (TakesNumbers<Op>)
        unordered |= isNan(a) | isNan(b);
      parts[v] = Fast<Op>::combine(termOf<Op>(a, sign), parts[v]);
      if (v + 1 < vectors)
        parts[v + 1] = Fast<Op>::combine(termOf<Op>(b, sign), parts[v + 1]);
    }
  };
  V16f totals[vectors];
#pragma clang loop unroll(full)
  for (V16f &total : totals)
    total = splat<V16f>(Op::start);
  for (int64_t i = 0, count = plan.gone.count(); i < count;) {
    V16f parts[chains][vectors];
#pragma clang loop unroll(full)
    for (auto &chain : parts)
#pragma clang loop unroll(full)
      for (V16f &part : chain)
        part = splat<V16f>(Op::start);
    const int64_t end = smaller(count, i + chains * together);
    for (; i + chains <= end; i += chains)
#pragma clang loop unroll(full)
      for (int64_t c = 0; c < chains; ++c)
        take(i + c, parts[c]);
    for (; chains > 1 && i < end; ++i)
      take(i, parts[0]);
#pragma clang loop unroll(full)
    for (auto &chain : parts)
#pragma clang loop unroll(full)
      for (int64_t v = 0; v < vectors; ++v)
        totals[v] = Fast<Op>::combine(totals[v], chain[v]);
  }
  if (TakesNumbers<Op> && any(unordered))
    return false;
#pragma clang loop unroll(full)
  for (int64_t v = 0; v < vectors; ++v)
    store(out + place(v), termOf<Op>(totals[v], sign) / divisor);
  return true;
}

/// Combines `terms` terms, from number `i` on, with partial results in memory.
/// The last of the vectors begins at `last`.
template <typename Op, int64_t terms>
GLOW_INLINE void takeTerms(const Reduction &plan, const float *in, int64_t i,
                           int64_t vectors, int64_t last, V16f *parts,
                           V16i &unordered) {
  const float *at[terms];
#pragma clang loop unroll(full)
  for (int64_t t = 0; t < terms; ++t)
    at[t] = in + plan.gone.offset(i + t);
#pragma clang loop unroll(disable)
  for (int64_t v = 0; v < vectors; ++v) {
    const int64_t place = v + 1 < vectors ? v * lanes : last;
    V16f x[terms];
#pragma clang loop unroll(full)
    for (int64_t t = 0; t < terms; ++t)
      x[t] = load<V16f>(at[t] + place);
    if constexpr (TakesNumbers<Op>)
#pragma clang loop unroll(full)
      for (int64_t t = 0; t < terms; t += 2)
        unordered |= isNan(x[t]) | isNan(x[t + (t + 1 < terms)]);
    V16f part = parts[v];
#pragma clang loop unroll(full)
    for (int64_t t = 0; t < terms; ++t)
      part = Fast<Op>::combine(termOf<Op>(x[t], plan.sign), part);
    parts[v] = part;
  }
}

/// As ofColumns, for any number of vectors up to the width of a piece. Partial
/// results are in memory, and four terms are combined each time that they are
/// read: rows that are read far lie in memory as few streams.
template <typename Op>
GLOW_INLINE bool ofManyColumns(const Reduction &plan, const float *in,
                               float *out, int64_t vectors, int64_t last,
                               float divisor) {
  constexpr int64_t most = Reduction::most / lanes;
  V16f totals[most], parts[most];
  V16i unordered = {};
  for (int64_t v = 0; v < vectors; ++v)
    totals[v] = splat<V16f>(Op::start);
  for (int64_t i = 0, count = plan.gone.count(); i < count;) {
    for (int64_t v = 0; v < vectors; ++v)
      parts[v] = splat<V16f>(Op::start);
    const int64_t end = smaller(count, i + together);
    for (; i + 4 <= end; i += 4)
      takeTerms<Op, 4>(plan, in, i, vectors, last, parts, unordered);
    for (; i < end; ++i)
      takeTerms<Op, 1>(plan, in, i, vectors, last, parts, unordered);
    for (int64_t v = 0; v < vectors; ++v)
      totals[v] = Fast<Op>::combine(totals[v], parts[v]);
  }
  if (TakesNumbers<Op> && any(unordered))
    return false;
  for (int64_t v = 0; v < vectors; ++v)
    store(out + (v + 1 < vectors ? v * lanes : last),
          termOf<Op>(totals[v], plan.sign) / divisor);
  return true;
}

/// Up to one vector of contiguous results, with any terms.
template <typename Op>
[[gnu::noinline]] void ofColumn(const Reduction &plan, const float *in,
                                float *out, int64_t width, float divisor) {
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
  storePart(out, termOf<Op>(total, sign) / divisor, width);
}

/// Keeps the run: `count` contiguous results. Results that fill no vector are
/// made together with some before them, which loads whole vectors.
template <typename Op>
GLOW_INLINE void ofPiece(const Reduction &plan, const float *in, float *out,
                         int64_t count, float divisor) {
  if (count < lanes)
    return ofColumn<Op>(plan, in, out, count, divisor);
  for (int64_t i = 0; i < count;) {
    const int64_t left = dividedUp(count - i, lanes);
    // Three vectors are two and one, without code of their own.
    const int64_t some = left == 3 ? 2 : smaller(left, Reduction::most / lanes);
    const int64_t first = smaller(i, count - lanes); // of one vector
    const int64_t last = smaller((some - 1) * lanes, count - lanes - i);
    const float *from = in + i;
    float *to = out + i;
    const bool isDone =
        some > 4    ? ofManyColumns<Op>(plan, from, to, some, last, divisor)
        : some == 4 ? ofColumns<Op, 4>(plan, from, to, last, divisor)
        : some == 2
            ? ofColumns<Op, 2>(plan, from, to, last, divisor)
            : ofColumns<Op, 1>(plan, in + first, out + first, 0, divisor);
    for (int64_t v = 0; !isDone && v < some; ++v) {
      const int64_t place = smaller(i + v * lanes, count - lanes);
      ofColumn<Op>(plan, in + place, out + place, lanes, divisor);
    }
    i += some * lanes;
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
  const int64_t pieces = plan.pieces(), width = plan.width();
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
