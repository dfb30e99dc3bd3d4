//===- Pad.cpp - Pad ------------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "support/Calls.h"
#include "support/StridedCopy.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// The source index of index `i`, which may lie outside of an axis of `size`
/// elements; -1 for none.
struct Nothing {
  static int64_t of(int64_t i, int64_t size) {
    return i >= 0 && i < size ? i : -1;
  }
};
struct Edge {
  static int64_t of(int64_t i, int64_t size) {
    return larger(0, smaller(size - 1, i));
  }
};
struct Wrap {
  static int64_t of(int64_t i, int64_t size) {
    return (i % size + size) % size;
  }
};
struct Reflect {
  static int64_t of(int64_t i, int64_t size) {
    int64_t period = 2 * (size - 1);
    if (period == 0)
      return 0;
    i = (i % period + period) % period;
    return i < size ? i : period - i;
  }
};

/// Rows of the result's last dimension.
Rows padRows(const Shape &out) {
  int64_t length = out.rank ? out.sizes[out.rank - 1] : 1;
  return {product(out, 0, out.rank - 1), length};
}

/// The offset of a row's source; -1 when there is none.
template <typename Place, typename Call>
int64_t sourceOf(const Call &call, int64_t row) {
  const Shape &out = call.out.shape, &in = call.in.shape;
  int64_t offset = 0, stride = in.rank ? in.sizes[in.rank - 1] : 1;
  for (int64_t i = in.rank - 1; i-- > 0; row /= out.sizes[i]) {
    int64_t index = row % out.sizes[i] - call.begins[i];
    int64_t place = Place::of(index, in.sizes[i]);
    if (place < 0)
      return -1;
    offset += place * stride;
    stride *= in.sizes[i];
  }
  return offset;
}

template <typename T, typename Place, typename Call>
GLOW_INLINE void pad(const Call &call, int64_t begin, int64_t end, T value) {
  const Shape &in = call.in.shape;
  auto *out = call.out.template as<T>();
  auto *from = call.in.template as<const T>();
  Rows rows = padRows(call.out.shape);
  int64_t size = in.rank ? in.sizes[in.rank - 1] : 1;
  int64_t before = in.rank ? call.begins[in.rank - 1] : 0;
  for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
    T *to = out + r * rows.length;
    int64_t source = sourceOf<Place>(call, r);
    if (source < 0) {
      fillRun(to, value, rows.length);
      continue;
    }
    auto around = [&](int64_t first, int64_t last) {
      if constexpr (__is_same(Place, Nothing))
        fillRun(to + first, value, last - first);
      else
        for (int64_t i = first; i < last; ++i)
          to[i] = from[source + Place::of(i - before, size)];
    };
    around(0, before);
    copyRun(to + before, from + source, size);
    around(before + size, rows.length);
  }
}

} // namespace

GLOW_WORK(pad_f32) { padRows(call.out.shape).cut(work); }
GLOW_KERNEL(pad_f32) {
  pad<float, Nothing>(call, begin, end, float(call.value));
}

#define GLOW_PAD(name, Place, bytes, T)                                        \
  GLOW_WORK(name##_##bytes) { padRows(call.out.shape).cut(work); }             \
  GLOW_KERNEL(name##_##bytes) { pad<T, Place>(call, begin, end, 0); }
#define GLOW_PADS(bytes, T)                                                    \
  GLOW_PAD(pad_edge, Edge, bytes, T)                                           \
  GLOW_PAD(pad_wrap, Wrap, bytes, T)                                           \
  GLOW_PAD(pad_reflect, Reflect, bytes, T)
GLOW_PADS(1, uint8_t)
GLOW_PADS(2, uint16_t)
GLOW_PADS(4, uint32_t)
GLOW_PADS(8, uint64_t)
