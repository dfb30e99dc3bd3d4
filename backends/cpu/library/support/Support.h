//===- Support.h - shared parts of the library's kernels --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel `name` is a StepKernel (../device/Kernel.h) of C, with its
// StepMeasure `name_work`. Sizes are known only when it runs: one copy serves a
// whole model.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_SUPPORT_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_SUPPORT_H

#include "../../device/Kernel.h"
#include "../vector/VectorMath.h"
#include "glow/Base/Rank.h"

#define GLOW_STEP_KERNEL(name)                                                 \
  extern "C" void name(const ::glow::cpu::StepInfo *info,                      \
                       char *const *buffers, int64_t begin, int64_t end,       \
                       [[maybe_unused]] char *scratch)
#define GLOW_STEP_WORK(name)                                                   \
  extern "C" void name##_work(                                                 \
      [[maybe_unused]] const ::glow::cpu::StepInfo *info,                      \
      ::glow::cpu::StepWork *work)

namespace glow::cpu {

using namespace glow::vector;

constexpr int64_t lanes = 16;
using glow::highestRank;

GLOW_INLINE int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
GLOW_INLINE int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
GLOW_INLINE int64_t dividedUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The product of the sizes from one dimension to another.
GLOW_INLINE int64_t product(const Shape &shape, int64_t from, int64_t to) {
  int64_t result = 1;
  for (int64_t i = from; i < to; ++i)
    result *= shape.sizes[i];
  return result;
}
GLOW_INLINE int64_t elements(const Shape &shape) {
  return product(shape, 0, shape.rank);
}

/// Rows of `length` elements. A chunk has enough rows to pay for a thread.
struct Rows {
  int64_t count, length;

  int64_t group() const {
    constexpr int64_t enough = 16384; // elements
    return larger(1, smaller(count, enough / larger(1, length)));
  }
  void cut(StepWork *work) const {
    *work = {larger(1, dividedUp(count, group())), 0};
  }
  int64_t first(int64_t begin) const { return begin * group(); }
  int64_t last(int64_t end) const { return smaller(count, end * group()); }
};

/// A tensor seen as [outer, count, inner] around an axis.
struct Around {
  int64_t outer, count, inner;
  Around(const Shape &shape, int64_t axis)
      : outer(product(shape, 0, axis)), count(shape.sizes[axis]),
        inner(product(shape, axis + 1, shape.rank)) {}
};

//===----------------------------------------------------------------------===//
// Parts of vectors
//===----------------------------------------------------------------------===//

using Mask = bool __attribute__((ext_vector_type(16)));

GLOW_INLINE Mask firstLanes(int64_t count) {
  V16i lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return __builtin_convertvector(
      lane < splat<V16i>(int32_t(smaller(count, lanes))), Mask);
}
/// The first `count` elements, at most 16, and `rest` in the other lanes.
GLOW_INLINE V16f loadPart(const float *from, int64_t count, float rest = 0) {
  using Lanes = float __attribute__((ext_vector_type(16)));
  return V16f(__builtin_masked_load(firstLanes(count), from, Lanes(rest)));
}
GLOW_INLINE void storePart(float *to, V16f value, int64_t count) {
  using Lanes = float __attribute__((ext_vector_type(16)));
  __builtin_masked_store(firstLanes(count), Lanes(value), to);
}

/// All lanes combined, in every lane.
template <typename Combine> GLOW_INLINE V16f across(V16f v, Combine combine) {
  v = combine(v, __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0,
                                         1, 2, 3, 4, 5, 6, 7));
  v = combine(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13,
                                         14, 15, 8, 9, 10, 11));
  v = combine(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11,
                                         8, 9, 14, 15, 12, 13));
  return combine(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8,
                                            11, 10, 13, 12, 15, 14));
}

struct Sum {
  static constexpr float start = 0;
  GLOW_INLINE static V16f combine(V16f a, V16f b) { return a + b; }
};
struct Largest {
  static constexpr float start = -__builtin_inff();
  GLOW_INLINE static V16f combine(V16f a, V16f b) { return max(a, b); }
};

/// Combines `of(x)` over a row, in lanes. Lanes beyond the end load `rest`,
/// which must not change the result. The term is the first operand, so that a
/// test of the term for NaN does not wait for the term before.
template <typename Op, typename Of>
GLOW_INLINE V16f reduceLanes(V16f start, const float *row, int64_t count,
                             float rest, Of of) {
  // Four accumulators: each addition to a single one would wait for the last.
  V16f a = start, b = splat<V16f>(Op::start), c = b, d = b;
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = Op::combine(of(load<V16f>(row + i)), a);
    b = Op::combine(of(load<V16f>(row + i + lanes)), b);
    c = Op::combine(of(load<V16f>(row + i + 2 * lanes)), c);
    d = Op::combine(of(load<V16f>(row + i + 3 * lanes)), d);
  }
  for (; i + lanes <= count; i += lanes)
    a = Op::combine(of(load<V16f>(row + i)), a);
  if (i < count)
    b = Op::combine(of(loadPart(row + i, count - i, rest)), b);
  return Op::combine(Op::combine(a, b), Op::combine(c, d));
}
/// The same, and then across the lanes.
template <typename Op, typename Of>
GLOW_INLINE V16f reduceRow(const float *row, int64_t count, float rest, Of of) {
  V16f start = splat<V16f>(Op::start);
  return across(reduceLanes<Op>(start, row, count, rest, of), Op::combine);
}

/// out[i] = of(in[i], i), sixteen at a time.
template <typename Of>
GLOW_INLINE void mapRow(float *out, const float *in, int64_t count, Of of) {
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    store(out + i, of(load<V16f>(in + i), i, lanes));
  if (i < count)
    storePart(out + i, of(loadPart(in + i, count - i), i, count - i),
              count - i);
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_SUPPORT_H
