//===- Reduction.cpp - one value of all elements along some axes ----------===//

#include "Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Dimensions with how far apart their elements are, the last fastest.
struct Dimensions {
  int64_t rank = 0;
  int64_t sizes[highestRank], strides[highestRank];

  void add(int64_t size, int64_t stride) {
    sizes[rank] = size;
    strides[rank++] = stride;
  }
  int64_t count() const {
    int64_t result = 1;
    for (int64_t i = 0; i < rank; ++i)
      result *= sizes[i];
    return result;
  }
  /// Where the element of this number lies.
  int64_t offset(int64_t number) const {
    int64_t result = 0;
    for (int64_t i = rank; i-- > 1; number /= sizes[i])
      result += number % sizes[i] * strides[i];
    return rank ? result + number * strides[0] : 0;
  }
};

/// What stays, what goes, and the last of all dimensions, which is `run`
/// elements long: neighbours of the same fate count as one dimension.
struct Reduction {
  Dimensions kept, gone;
  int64_t run = 1;
  bool runIsGone = true;

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
    // Of what is left, which lies before the run.
    stride = run;
    // Collected from the last to the first, then turned round.
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

  static constexpr int64_t width = 4 * lanes;
  int64_t pieces() const { return runIsGone ? 1 : dividedUp(run, width); }
  Rows rows() const {
    return {kept.count() * pieces(),
            gone.count() * (runIsGone ? run : smaller(run, width))};
  }
};

/// How many terms are summed before they are added to what came before: one
/// long sum would lose the last bits of each term.
constexpr int64_t together = 64;

/// A sum, or the mean of `count` terms.
template <bool mean> GLOW_INLINE V16f divided(V16f sum, float count) {
  return mean ? sum / count : sum;
}

/// The run goes: one element of the result.
template <typename Op>
GLOW_INLINE V16f ofRuns(const Reduction &plan, const float *in) {
  constexpr int64_t piece = together * 4 * lanes;
  V16f start = splat<V16f>(Op::start), result = start;
  for (int64_t i = 0, count = plan.gone.count(); i < count; ++i)
    for (int64_t j = 0; j < plan.run; j += piece)
      result = Op::combine(
          result, reduceLanes<Op>(start, in + plan.gone.offset(i) + j,
                                  smaller(piece, plan.run - j), Op::start,
                                  [](V16f x) { return x; }));
  // In all lanes, of which one is taken.
  return across(result, Op::combine);
}

/// The run stays: four vectors of neighbours of the result.
template <typename Op, bool mean>
GLOW_INLINE void ofColumns(const Reduction &plan, const float *in, float *out,
                           float divisor) {
  V16f totals[4];
  for (V16f &total : totals)
    total = splat<V16f>(Op::start);
  for (int64_t i = 0, count = plan.gone.count(); i < count;) {
    V16f a = splat<V16f>(Op::start), b = a, c = a, d = a;
    for (int64_t last = smaller(count, i + together); i < last; ++i) {
      const float *at = in + plan.gone.offset(i);
      a = Op::combine(a, load<V16f>(at));
      b = Op::combine(b, load<V16f>(at + lanes));
      c = Op::combine(c, load<V16f>(at + 2 * lanes));
      d = Op::combine(d, load<V16f>(at + 3 * lanes));
    }
    totals[0] = Op::combine(totals[0], a);
    totals[1] = Op::combine(totals[1], b);
    totals[2] = Op::combine(totals[2], c);
    totals[3] = Op::combine(totals[3], d);
  }
  for (int64_t i = 0; i < 4; ++i)
    store(out + i * lanes, divided<mean>(totals[i], divisor));
}

/// Up to one vector of neighbours: four terms at a time, since each addition
/// would wait for the last.
template <typename Op>
GLOW_INLINE V16f ofColumn(const Reduction &plan, const float *in,
                          int64_t width) {
  V16f total = splat<V16f>(Op::start);
  auto term = [&](int64_t i) {
    return loadPart(in + plan.gone.offset(i), width);
  };
  for (int64_t i = 0, count = plan.gone.count(); i < count;) {
    V16f a = splat<V16f>(Op::start), b = a, c = a, d = a;
    int64_t last = smaller(count, i + 4 * together);
    for (; i + 4 <= last; i += 4) {
      a = Op::combine(a, term(i));
      b = Op::combine(b, term(i + 1));
      c = Op::combine(c, term(i + 2));
      d = Op::combine(d, term(i + 3));
    }
    for (; i < last; ++i)
      a = Op::combine(a, term(i));
    total =
        Op::combine(total, Op::combine(Op::combine(a, b), Op::combine(c, d)));
  }
  return total;
}

template <typename Op, bool mean, typename Call>
GLOW_INLINE void reduce(const Call &call, int64_t begin, int64_t end) {
  Reduction plan(call.in.shape, call.axes);
  auto *out = call.out.template as<float>();
  auto *in = call.in.template as<const float>();
  Rows rows = plan.rows();
  int64_t pieces = plan.pieces(), width = Reduction::width;
  int64_t count = plan.gone.count() * (plan.runIsGone ? plan.run : 1);
  // The mean of nothing is 0.
  float divisor = float(larger(count, 1));
  for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
    if (plan.runIsGone) {
      out[r] =
          divided<mean>(ofRuns<Op>(plan, in + plan.kept.offset(r)), divisor)[0];
      continue;
    }
    int64_t column = r % pieces * width, rest = plan.run - column;
    const float *from = in + plan.kept.offset(r / pieces) + column;
    float *to = out + r / pieces * plan.run + column;
    if (rest >= width) {
      ofColumns<Op, mean>(plan, from, to, divisor);
      continue;
    }
    for (int64_t i = 0; i < rest; i += lanes) {
      int64_t some = smaller(lanes, rest - i);
      storePart(to + i,
                divided<mean>(ofColumn<Op>(plan, from + i, some), divisor),
                some);
    }
  }
}

} // namespace

#define GLOW_REDUCTION(name, Op, mean)                                         \
  GLOW_WORK(name) { Reduction(call.in.shape, call.axes).rows().cut(work); }    \
  GLOW_KERNEL(name) { reduce<Op, mean>(call, begin, end); }
GLOW_REDUCTION(reduce_sum_f32, Sum, false)
GLOW_REDUCTION(reduce_mean_f32, Sum, true)
GLOW_REDUCTION(reduce_prod_f32, Product, false)
GLOW_REDUCTION(reduce_max_f32, Largest, false)
GLOW_REDUCTION(reduce_min_f32, Smallest, false)
