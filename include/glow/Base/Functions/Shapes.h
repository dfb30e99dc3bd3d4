//===- Shapes.h - functions on shapes -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Broadcasts, reshapes, reductions and slices. See Functions.h.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_FUNCTIONS_SHAPES_H
#define GLOW_BASE_FUNCTIONS_SHAPES_H

#include "glow/Base/Functions/Lists.h"

namespace glow::expr {

/// Numpy's rule: from the last dimension on, sizes are equal or one of them is
/// 1.
inline bool canBroadcast(const Ints &a, const Ints &b) {
  for (int64_t i = 1; i <= min(size(a), size(b)); ++i) {
    int64_t x = a[a.size() - size_t(i)], y = b[b.size() - size_t(i)];
    if (x != y && x != 1 && y != 1)
      return false;
  }
  return true;
}
inline Ints broadcastShape(const Ints &a, const Ints &b) {
  Ints result = a.size() < b.size() ? b : a;
  const Ints &other = a.size() < b.size() ? a : b;
  for (size_t i = 1; i <= other.size(); ++i) {
    int64_t &dim = result[result.size() - i];
    if (dim == 1)
      dim = other[other.size() - i];
  }
  return result;
}
/// Whether a tensor of shape `from` may be broadcast to `to`, its first
/// dimension at axis `axis` of `to`. An `axis` of -1 aligns the last
/// dimensions.
inline bool broadcastsTo(const Ints &from, const Ints &to, int64_t axis) {
  int64_t start = axis < 0 ? size(to) - size(from) : axis;
  if (start < 0 || start > size(to) - size(from))
    return false;
  for (int64_t i = 0; i < size(from); ++i)
    if (from[size_t(i)] != 1 && from[size_t(i)] != to[size_t(start + i)])
      return false;
  return true;
}
/// Whether the permutation moves only axes of size 1, so that the elements keep
/// their order in memory.
inline bool keepsOrder(const Ints &shape, const Ints &permutation) {
  int64_t last = -1;
  for (int64_t axis : permutation) {
    if (at(shape, axis) == 1)
      continue;
    if (axis < last)
      return false;
    last = axis;
  }
  return true;
}

inline Ints exactQuotient(const Ints &a, const Ints &b) {
  return elementwise(
      [](int64_t x, int64_t y) { return modulo(x, y) ? -1 : divide(x, y); }, a,
      b);
}

inline bool sliceFits(const Ints &shape, const Ints &starts, const Ints &steps,
                      const Ints &sizes) {
  if (starts.size() != shape.size() || steps.size() != shape.size() ||
      sizes.size() != shape.size() || !allAtLeast(sizes, 0))
    return false;
  auto inside = [](int64_t x, int64_t bound) { return x >= 0 && x < bound; };
  for (size_t i = 0; i < shape.size(); ++i) {
    __int128 last = __int128(starts[i]) + __int128(sizes[i] - 1) * steps[i];
    if (sizes[i] == 0)
      continue;
    if (!inside(starts[i], shape[i]) || last < 0 || last >= shape[i])
      return false;
  }
  return true;
}

} // namespace glow::expr

#endif // GLOW_BASE_FUNCTIONS_SHAPES_H
