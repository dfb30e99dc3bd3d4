//===- Place.cpp - where the largest element is; running sums -------------===//

#include "Support.h"

using namespace glow::cpu;

namespace {

/// Rows of an innermost axis, or groups of 16 columns of another.
struct Lines {
  Around in;
  int64_t groups = dividedUp(in.inner, lanes);
  Rows rows = {in.outer * groups, in.count *smaller(lanes, in.inner)};

  explicit Lines(const StepInfo *info)
      : in(info->shapes[1], info->attributes[0].integer) {}

  /// Calls `visit` with where a line begins, in the tensor and with the axis
  /// gone, and how many columns it has.
  template <typename Visit>
  GLOW_INLINE void forEach(int64_t begin, int64_t end, Visit visit) const {
    for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
      int64_t column = r % groups * lanes, outer = r / groups;
      visit(outer * in.count * in.inner + column, outer * in.inner + column,
            smaller(lanes, in.inner - column));
    }
  }
};

/// The place of the best element, NaN before all others, in each lane. With
/// `latest`, of the last of several that are the same. `places` holds where
/// `from(i)`'s elements are.
template <bool largest, typename From>
GLOW_INLINE void findBest(int64_t count, bool latest, V16f &best, V16l &place,
                          From from) {
  V16i index = {};
  V16i same = splat<V16i>(latest ? -1 : 0);
  best = from(0);
  for (int64_t i = 1; i < count; ++i) {
    V16f x = from(i);
    V16i better = largest ? x > best : x < best;
    better |= isNan(x) & ~isNan(best);
    better |= same & (x == best);
    best = better ? x : best;
    index = better ? splat<V16i>(int32_t(i)) : index;
  }
  place = convert<V16l>(index);
}

template <bool largest>
GLOW_INLINE void columns(int64_t *out, const float *in, const Lines &lines,
                         bool latest, int64_t width) {
  V16f best;
  V16l place;
  findBest<largest>(lines.in.count, latest, best, place, [&](int64_t i) {
    return loadPart(in + i * lines.in.inner, width);
  });
  for (int64_t i = 0; i < width; ++i)
    out[i] = place[i];
}

/// A row in 16 columns of every sixteenth element; then the best of these.
template <bool largest>
GLOW_INLINE int64_t placeInRow(const float *in, int64_t count, bool latest) {
  int64_t whole = count / lanes * lanes, found = -1;
  auto better = [&](float x, int64_t i) {
    if (found < 0)
      return true;
    float best = in[found];
    if (x != x || best != best)
      return x != x && (best == best || i < found);
    if (x == best)
      return latest ? i > found : i < found;
    return largest ? x > best : x < best;
  };
  if (whole > 0) {
    V16f best;
    V16l place;
    findBest<largest>(whole / lanes, latest, best, place,
                      [&](int64_t i) { return load<V16f>(in + i * lanes); });
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

template <bool largest>
GLOW_INLINE void place(const StepInfo *info, char *const *buffers,
                       int64_t begin, int64_t end) {
  Lines lines(info);
  auto *out = reinterpret_cast<int64_t *>(buffers[0]);
  auto *in = reinterpret_cast<const float *>(buffers[1]);
  bool latest = info->attributes[2].integer != 0;
  lines.forEach(begin, end, [&](int64_t from, int64_t to, int64_t width) {
    if (lines.in.inner == 1)
      out[to] = placeInRow<largest>(in + from, lines.in.count, latest);
    else
      columns<largest>(out + to, in + from, lines, latest, width);
  });
}

} // namespace

GLOW_WORK(arg_max_f32) { Lines(info).rows.cut(work); }
GLOW_KERNEL(arg_max_f32) { place<true>(info, buffers, begin, end); }
GLOW_WORK(arg_min_f32) { Lines(info).rows.cut(work); }
GLOW_KERNEL(arg_min_f32) { place<false>(info, buffers, begin, end); }

GLOW_WORK(cum_sum_f32) { Lines(info).rows.cut(work); }
GLOW_KERNEL(cum_sum_f32) {
  Lines lines(info);
  auto *out = reinterpret_cast<float *>(buffers[0]);
  auto *in = reinterpret_cast<const float *>(buffers[1]);
  bool exclusive = info->attributes[1].integer != 0;
  bool backwards = info->attributes[2].integer != 0;
  int64_t count = lines.in.count, inner = lines.in.inner;
  lines.forEach(begin, end, [&](int64_t from, int64_t, int64_t width) {
    V16f sum = splat<V16f>(0);
    for (int64_t i = 0; i < count; ++i) {
      int64_t at = from + (backwards ? count - 1 - i : i) * inner;
      V16f next = sum + loadPart(in + at, width);
      storePart(out + at, exclusive ? sum : next, width);
      sum = next;
    }
  });
}
