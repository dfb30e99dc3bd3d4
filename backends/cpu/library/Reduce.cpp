//===- Reduce.cpp - one value of all elements along some axes -------------===//

#include "Support.h"

using namespace glow::cpu;

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

  explicit Reduction(const StepInfo *info) {
    const Shape &in = info->shapes[1];
    const Attribute &axes = info->attributes[0];
    bool isGone[highestRank] = {};
    for (int64_t i = 0; i < axes.count; ++i)
      isGone[axes.ints[i]] = true;
    int64_t stride = 1, i = in.rank;
    while (i > 0 && in.sizes[i - 1] == 1)
      --i;
    if (i > 0)
      runIsGone = isGone[i - 1];
    for (; i > 0 && (isGone[i - 1] == runIsGone || in.sizes[i - 1] == 1); --i)
      run *= in.sizes[i - 1];
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

/// The run goes: one element of the result.
template <typename Op>
GLOW_INLINE V16f ofRuns(const Reduction &plan, const float *in) {
  V16f result = splat<V16f>(Op::start);
  for (int64_t i = 0, count = plan.gone.count(); i < count; ++i)
    result = reduceLanes<Op>(result, in + plan.gone.offset(i), plan.run,
                             Op::start, [](V16f x) { return x; });
  return across(result, Op::combine);
}

/// The run stays: up to 64 neighbours of the result.
template <typename Op>
GLOW_INLINE void ofColumns(const Reduction &plan, const float *in, float *out,
                           int64_t width, float factor) {
  int64_t count = plan.gone.count();
  for (int64_t part = 0; part < width;) {
    if (width - part >= 4 * lanes) {
      V16f a = splat<V16f>(Op::start), b = a, c = a, d = a;
      for (int64_t i = 0; i < count; ++i) {
        const float *at = in + part + plan.gone.offset(i);
        a = Op::combine(a, load<V16f>(at));
        b = Op::combine(b, load<V16f>(at + lanes));
        c = Op::combine(c, load<V16f>(at + 2 * lanes));
        d = Op::combine(d, load<V16f>(at + 3 * lanes));
      }
      store(out + part, a * factor);
      store(out + part + lanes, b * factor);
      store(out + part + 2 * lanes, c * factor);
      store(out + part + 3 * lanes, d * factor);
      part += 4 * lanes;
      continue;
    }
    int64_t some = smaller(lanes, width - part);
    V16f a = splat<V16f>(Op::start);
    for (int64_t i = 0; i < count; ++i)
      a = Op::combine(a, loadPart(in + part + plan.gone.offset(i), some));
    storePart(out + part, a * factor, some);
    part += some;
  }
}

template <typename Op>
GLOW_INLINE void reduce(const StepInfo *info, char *const *buffers,
                        int64_t begin, int64_t end, bool mean) {
  Reduction plan(info);
  auto *out = reinterpret_cast<float *>(buffers[0]);
  auto *in = reinterpret_cast<const float *>(buffers[1]);
  Rows rows = plan.rows();
  int64_t pieces = plan.pieces(), width = Reduction::width;
  int64_t count = plan.gone.count() * (plan.runIsGone ? plan.run : 1);
  // The mean of nothing is 0.
  float factor = !mean ? 1.0f : count ? 1.0f / float(count) : 0.0f;
  for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
    if (plan.runIsGone) {
      out[r] = ofRuns<Op>(plan, in + plan.kept.offset(r))[0] * factor;
      continue;
    }
    int64_t column = r % pieces * width;
    ofColumns<Op>(plan, in + plan.kept.offset(r / pieces) + column,
                  out + r / pieces * plan.run + column,
                  smaller(width, plan.run - column), factor);
  }
}

} // namespace

#define GLOW_REDUCTION(name, Op, mean)                                         \
  GLOW_WORK(name) { Reduction(info).rows().cut(work); }                        \
  GLOW_KERNEL(name) { reduce<Op>(info, buffers, begin, end, mean); }
GLOW_REDUCTION(reduce_sum_f32, Sum, false)
GLOW_REDUCTION(reduce_mean_f32, Sum, true)
GLOW_REDUCTION(reduce_prod_f32, Product, false)
GLOW_REDUCTION(reduce_max_f32, Largest, false)
GLOW_REDUCTION(reduce_min_f32, Smallest, false)
