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

/// Whether the lists are equal in each run.
template <typename N>
bool areSame(const std::vector<N> &a, const std::vector<N> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const N &x, const N &y) { return isSame(x, y); });
}

/// Numpy's rule: from the last dimension on, sizes are equal or one of them is
/// 1.
template <typename N>
bool canBroadcast(const std::vector<N> &a, const std::vector<N> &b) {
  for (int64_t i = 1; i <= min(size(a), size(b)); ++i) {
    const N &x = a[a.size() - size_t(i)], &y = b[b.size() - size_t(i)];
    if (!isNumber(x, 1) && !isNumber(y, 1) && !(x == y))
      return false;
  }
  return true;
}
template <typename N>
List<N> broadcastShape(const std::vector<N> &a, const std::vector<N> &b) {
  const std::vector<N> &larger = a.size() < b.size() ? b : a;
  const std::vector<N> &other = a.size() < b.size() ? a : b;
  List<N> result(larger.begin(), larger.end());
  for (size_t i = 1; i <= other.size(); ++i) {
    N &dim = result[result.size() - i];
    if (isNumber(dim, 1))
      dim = other[other.size() - i];
  }
  return result;
}
/// Whether a tensor of shape `from` may be broadcast to `to`, its first
/// dimension at axis `axis` of `to`. An `axis` of -1 aligns the last
/// dimensions.
template <typename N>
bool broadcastsTo(const std::vector<N> &from, const std::vector<N> &to,
                  int64_t axis) {
  int64_t start = axis < 0 ? size(to) - size(from) : axis;
  if (start < 0 || start > size(to) - size(from))
    return false;
  for (int64_t i = 0; i < size(from); ++i)
    if (!isNumber(from[size_t(i)], 1) &&
        !(from[size_t(i)] == to[size_t(start + i)]))
      return false;
  return true;
}
/// Whether the permutation moves only axes of size 1, so that the elements keep
/// their order in memory.
template <typename N>
bool keepsOrder(const std::vector<N> &shape,
                const std::vector<N> &permutation) {
  int64_t last = -1;
  for (int64_t axis : permutation) {
    if (isNumber(at(shape, axis), 1))
      continue;
    if (axis < last)
      return false;
    last = axis;
  }
  return true;
}

template <typename N>
List<N> exactQuotient(const std::vector<N> &a, const std::vector<N> &b) {
  return elementwise(
      [](const N &x, const N &y) -> N {
        return modulo(x, y) == 0 ? divide(x, y) : N(-1);
      },
      a, b);
}
template <typename N>
List<N> exactQuotient(const std::vector<N> &a, const Same<N> &b) {
  return exactQuotient(a, std::vector<N>(a.size(), b));
}

/// Whether the elements `start`, `start` + `step`, ..., `count` of them, are
/// inside a dimension.
template <typename N>
bool isSliceInside(const N &dimension, const N &start, const N &step,
                   const N &count) {
  if (isNumber(count, 0))
    return true;
  // Also of a count that is 0 in some runs.
  if (isNumber(step, 1))
    return start >= 0 && add(start, count) <= dimension;
  const N last = add(start, multiply(subtract(count, 1), step));
  return start >= 0 && start < dimension && last >= 0 && last < dimension;
}
template <typename N>
bool sliceFits(const std::vector<N> &shape, const std::vector<N> &starts,
               const std::vector<N> &steps, const std::vector<N> &sizes) {
  if (starts.size() != shape.size() || steps.size() != shape.size() ||
      sizes.size() != shape.size() || !allAtLeast(sizes, 0))
    return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!isSliceInside(shape[i], starts[i], steps[i], sizes[i]))
      return false;
  return true;
}

} // namespace glow::expr

#endif // GLOW_BASE_FUNCTIONS_SHAPES_H
