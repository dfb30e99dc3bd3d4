//===- AxisReduction.cpp - ArgMax and running sums along an axis ----------===//
// SPDX-License-Identifier: MIT

#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Rows of an innermost axis, or groups of 16 columns of another.
struct Lines {
  Around in;
  int64_t groups = dividedUp(in.inner, lanes);
  Rows rows = {in.outer * groups, in.count *smaller(lanes, in.inner)};

  template <typename Call>
  explicit Lines(const Call &call) : in(call.in.shape, call.axis) {}

  /// Calls `visit` for each line: with its offset in the tensor, its offset in
  /// the result without the axis, and its number of columns.
  template <typename Visit>
  GLOW_INLINE void forEach(int64_t begin, int64_t end, Visit visit) const {
    for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
      int64_t column = r % groups * lanes, outer = r / groups;
      visit(outer * in.count * in.inner + column, outer * in.inner + column,
            smaller(lanes, in.inner - column));
    }
  }
};

template <typename T>
using Sixteen = T __attribute__((vector_size(16 * sizeof(T))));

/// The first `count` elements, at most 16, and zeros.
template <typename T>
GLOW_INLINE Sixteen<T> loadFirst(const T *from, int64_t count) {
  using Lanes = T __attribute__((ext_vector_type(16)));
  return Sixteen<T>(__builtin_masked_load(firstLanes(count), from, Lanes(0)));
}

/// Finds the index of the best element in each lane, with NaN before all
/// others. With `latest`, the last of equal elements wins. `places` has the
/// indices of the elements of `from(i)`.
template <bool largest, typename T, typename From>
GLOW_INLINE void findBest(int64_t count, bool latest, Sixteen<T> &best,
                          V16l &place, From from) {
  using Index = MaskOf<Sixteen<T>>;
  Index index = {};
  Index same = splat<Index>(latest ? -1 : 0);
  best = from(0);
  for (int64_t i = 1; i < count; ++i) {
    Sixteen<T> x = from(i);
    Index better = largest ? x > best : x < best;
    better |= isNan(x) & ~isNan(best);
    better |= same & (x == best);
    best = better ? x : best;
    index = better ? splat<Index>(ElementOf<Index>(i)) : index;
  }
  place = convert<V16l>(index);
}

template <bool largest, typename T>
GLOW_INLINE void columns(int64_t *out, const T *in, const Lines &lines,
                         bool latest, int64_t width) {
  Sixteen<T> best;
  V16l place;
  findBest<largest, T>(lines.in.count, latest, best, place, [&](int64_t i) {
    return loadFirst(in + i * lines.in.inner, width);
  });
  for (int64_t i = 0; i < width; ++i)
    out[i] = place[i];
}

/// The best index of a row: first in 16 columns of every sixteenth element,
/// then among these.
template <bool largest, typename T>
GLOW_INLINE int64_t indexInRow(const T *in, int64_t count, bool latest) {
  int64_t whole = count / lanes * lanes, found = -1;
  auto better = [&](T x, int64_t i) {
    if (found < 0)
      return true;
    T best = in[found];
    if (x != x || best != best)
      return x != x && (best == best || i < found);
    if (x == best)
      return latest ? i > found : i < found;
    return largest ? x > best : x < best;
  };
  if (whole > 0) {
    Sixteen<T> best;
    V16l place;
    findBest<largest, T>(whole / lanes, latest, best, place, [&](int64_t i) {
      return load<Sixteen<T>>(in + i * lanes);
    });
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t i = place[lane] * lanes + lane;
      if (better(in[i], i))
        found = i;
    }
  }
  for (int64_t i = whole; i < count; ++i)
    if (better(in[i], i))
      found = i;
  return found;
}

template <bool largest, typename T, typename Call>
GLOW_INLINE void argReduction(const Call &call, int64_t begin, int64_t end) {
  Lines lines(call);
  auto *out = call.out.template as<int64_t>();
  auto *in = call.in.template as<const T>();
  const bool latest = call.selectLast;
  lines.forEach(begin, end, [&](int64_t from, int64_t to, int64_t width) {
    if (lines.in.inner == 1)
      out[to] = indexInRow<largest>(in + from, lines.in.count, latest);
    else
      columns<largest>(out + to, in + from, lines, latest, width);
  });
}

} // namespace

#define GLOW_ARG_REDUCTION(name, T)                                            \
  GLOW_WORK(arg_max_##name) { Lines(call).rows.cut(work); }                    \
  GLOW_KERNEL(arg_max_##name) { argReduction<true, T>(call, begin, end); }     \
  GLOW_WORK(arg_min_##name) { Lines(call).rows.cut(work); }                    \
  GLOW_KERNEL(arg_min_##name) { argReduction<false, T>(call, begin, end); }
GLOW_ARG_REDUCTION(f32, float)
GLOW_ARG_REDUCTION(i32, int32_t)
GLOW_ARG_REDUCTION(i64, int64_t)

namespace {

/// Running sums or products of several vectors of columns, or of several rows.
/// An operation waits only for the previous one of its own line. Wide pieces of
/// rows are read and written nearer to the rate of the memory.
template <typename Op> struct Running {
  static constexpr int64_t vectors = 16, rowsTogether = 8;

  const bool backwards, exclusive;
  const Around in;
  const bool ofRows = in.inner == 1;
  const int64_t width = ofRows ? rowsTogether : vectors * lanes;
  const int64_t groups = ofRows ? dividedUp(in.outer, width)
                                : in.outer * dividedUp(in.inner, width);
  const Rows lines = {groups, in.count *smaller(width, in.outer *in.inner)};

  template <typename Call>
  explicit Running(const Call &call)
      : backwards(call.backwards), exclusive(call.exclusive),
        in(call.in.shape, call.axis) {}

  int64_t place(int64_t i) const { return backwards ? in.count - 1 - i : i; }

  GLOW_INLINE static float combine(float a, float b) {
    return __is_same(Op, Sum) ? a + b : a * b;
  }

  /// Handles columns that fill whole vectors.
  template <int64_t some>
  GLOW_INLINE void columns(const float *from, float *to) const {
    V16f sums[some];
    for (V16f &sum : sums)
      sum = splat<V16f>(Op::start);
    for (int64_t i = 0; i < in.count; ++i) {
      int64_t at = place(i) * in.inner;
#pragma clang loop unroll(full)
      for (int64_t v = 0; v < some; ++v) {
        V16f next = Op::combine(sums[v], load<V16f>(from + at + v * lanes));
        store(to + at + v * lanes, exclusive ? sums[v] : next);
        sums[v] = next;
      }
    }
  }
  /// Handles the first columns of a vector.
  void part(const float *from, float *to, int64_t some) const {
    V16f sum = splat<V16f>(Op::start);
    for (int64_t i = 0; i < in.count; ++i) {
      int64_t at = place(i) * in.inner;
      V16f next = Op::combine(sum, loadPart(from + at, some));
      storePart(to + at, exclusive ? sum : next, some);
      sum = next;
    }
  }
  template <int64_t some>
  GLOW_INLINE void rows(const float *from, float *to) const {
    float sums[some];
    for (float &sum : sums)
      sum = Op::start;
    for (int64_t i = 0; i < in.count; ++i) {
      int64_t at = place(i);
#pragma clang loop unroll(full)
      for (int64_t r = 0; r < some; ++r) {
        float next = combine(sums[r], from[r * in.count + at]);
        to[r * in.count + at] = exclusive ? sums[r] : next;
        sums[r] = next;
      }
    }
  }

  void group(const float *from, float *to, int64_t number) const {
    if (ofRows) {
      int64_t row = number * width, at = row * in.count;
      if (in.outer - row >= width)
        return rows<rowsTogether>(from + at, to + at);
      for (int64_t end = in.outer * in.count; at < end; at += in.count)
        rows<1>(from + at, to + at);
      return;
    }
    int64_t pieces = dividedUp(in.inner, width);
    int64_t column = number % pieces * width;
    int64_t at = number / pieces * in.count * in.inner + column;
    int64_t rest = in.inner - column;
    if (rest >= width)
      return columns<vectors>(from + at, to + at);
    int64_t i = 0;
    for (; i + 4 * lanes <= rest; i += 4 * lanes)
      columns<4>(from + at + i, to + at + i);
    for (; i + lanes <= rest; i += lanes)
      columns<1>(from + at + i, to + at + i);
    if (i < rest)
      part(from + at + i, to + at + i, rest - i);
  }
};

} // namespace

#define GLOW_RUNNING(name, Op)                                                 \
  GLOW_WORK(name) { Running<Op>(call).lines.cut(work); }                       \
  GLOW_KERNEL(name) {                                                          \
    const Running<Op> running(call);                                           \
    auto *in = call.in.as<const float>();                                      \
    auto *out = call.out.as<float>();                                          \
    const int64_t last = running.lines.last(end);                              \
    for (int64_t g = running.lines.first(begin); g < last; ++g)                \
      running.group(in, out, g);                                               \
  }
GLOW_RUNNING(cum_sum_f32, Sum)
GLOW_RUNNING(cum_prod_f32, Product)
