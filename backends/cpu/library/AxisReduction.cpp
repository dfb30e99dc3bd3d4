//===- AxisReduction.cpp - the index of the best element of an axis -------===//
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
