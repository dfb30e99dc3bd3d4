//===- Shapes.h - functions on shapes -------------------------*- C++ -*-===//
//
// Broadcasts, reshapes, reductions and slices. See Functions.h.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_FUNCTIONS_SHAPES_H
#define GLOW_BASE_FUNCTIONS_SHAPES_H

#include "glow/Base/Functions/Lists.h"

namespace glow::expr {

/// Numpy's rule, from the last dimension: equal, or one of them 1.
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
/// Whether a tensor of shape `from` may be repeated to `to`, its first
/// dimension lying at `axis`; -1 aligns the last dimensions.
inline bool broadcastsTo(const Ints &from, const Ints &to, int64_t axis) {
  int64_t start = axis < 0 ? size(to) - size(from) : axis;
  if (start < 0 || start > size(to) - size(from))
    return false;
  for (int64_t i = 0; i < size(from); ++i)
    if (from[size_t(i)] != 1 && from[size_t(i)] != to[size_t(start + i)])
      return false;
  return true;
}
/// The axes of `to` along which such a tensor is repeated.
inline Ints repeatedAxes(const Ints &from, const Ints &to, int64_t axis) {
  int64_t start = axis < 0 ? size(to) - size(from) : axis;
  Ints axes;
  for (int64_t i = 0; i < size(to); ++i)
    if (i < start || i - start >= size(from) ||
        from[size_t(i - start)] != to[size_t(i)])
      axes.push_back(i);
  return axes;
}
/// The order of the axes that are left when those of `axes` go.
inline Ints remaining(const Ints &permutation, const Ints &axes) {
  Ints result;
  for (int64_t axis : permutation)
    if (!contains(axes, axis))
      result.push_back(
          subtract(axis, std::count_if(axes.begin(), axes.end(),
                                       [&](int64_t a) { return a < axis; })));
  return result;
}
/// Whether the permutation moves none but axes of size 1, so that the elements
/// stay in order.
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
/// Whether a tensor of `shape`, broadcast to `dims` from axis `from` on (or to
/// the end, if negative), is of the full size along `axis` and of 1 elsewhere.
inline bool variesAlong(const Ints &shape, const Ints &dims, int64_t from,
                        int64_t axis) {
  int64_t first = from < 0 ? size(dims) - size(shape) : from;
  return first >= 0 && axis >= first &&
         at(shape, axis - first) == at(dims, axis) &&
         prod(shape) == at(dims, axis);
}
inline Ints without1(const Ints &shape) {
  Ints axes;
  for (int64_t i = 0; i < size(shape); ++i)
    if (shape[size_t(i)] == 1)
      axes.push_back(i);
  return axes;
}
/// The shape with dimensions of size 1 put in; `axes` count in the result.
inline Ints unsqueezed(Ints shape, Ints axes) {
  axes = wrapAxes(axes, size(shape) + size(axes));
  std::sort(axes.begin(), axes.end());
  for (int64_t axis : axes)
    shape = insert(shape, axis, 1);
  return shape;
}
/// ONNX's Reshape: 0 keeps the dimension (unless `zero` says that it is 0), -1
/// is what is left over.
inline Ints resolveReshape(const Ints &from, Ints to, bool zero) {
  int64_t open = -1, known = 1;
  for (int64_t i = 0; i < size(to); ++i) {
    int64_t &dim = to[size_t(i)];
    if (dim == 0 && !zero)
      dim = at(from, i);
    if (dim == -1)
      open = i;
    else
      known = multiply(known, dim);
  }
  return open < 0 ? to : set(to, open, divide(prod(from), known));
}

/// A shape without `axes`, or with 1 there.
inline Ints reducedShape(Ints shape, const Ints &axes, bool keep) {
  if (!keep)
    return without(shape, axes);
  for (int64_t axis : axes)
    shape = set(shape, axis, 1);
  return shape;
}
inline Ints exactQuotient(const Ints &a, const Ints &b) {
  return elementwise(
      [](int64_t x, int64_t y) { return modulo(x, y) ? -1 : divide(x, y); }, a,
      b);
}
/// Whether a tensor of shape `small` lies in one of shape `large`, whatever it
/// has along `axis`.
inline bool fitsExcept(const Ints &small, const Ints &large, int64_t axis) {
  for (int64_t i = 0; i < min(size(small), size(large)); ++i)
    if (i != axis && small[size_t(i)] > large[size_t(i)])
      return false;
  return small.size() == large.size();
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
/// A bound of a slice within 0..size, or -1..size-1 where it goes backwards.
constexpr int64_t sliceBound(int64_t bound, int64_t size, int64_t step) {
  if (bound < 0)
    bound = add(bound, size);
  int64_t lowest = step < 0 ? -1 : 0;
  return max(lowest, min(bound, size + lowest));
}
inline Ints sliceStarts(const Ints &shape, const Ints &axes, const Ints &starts,
                        const Ints &steps) {
  Ints result = repeat(0, size(shape));
  for (int64_t i = 0; i < min(size(axes), size(starts)); ++i) {
    int64_t axis = wrapAxis(axes[size_t(i)], size(shape));
    int64_t start =
        sliceBound(starts[size_t(i)], at(shape, axis), at(steps, i));
    // An empty slice backwards may begin before the first element.
    result = set(result, axis, max(start, int64_t(0)));
  }
  return result;
}
inline Ints sliceSizes(const Ints &shape, const Ints &axes, const Ints &starts,
                       const Ints &ends, const Ints &steps) {
  Ints result = shape;
  for (int64_t i = 0; i < min(size(axes), min(size(starts), size(ends))); ++i) {
    int64_t axis = wrapAxis(axes[size_t(i)], size(shape));
    int64_t step = at(steps, i), bound = at(shape, axis);
    int64_t from = sliceBound(starts[size_t(i)], bound, step);
    int64_t to = sliceBound(ends[size_t(i)], bound, step);
    // Rounded up: -floor(-a / b).
    int64_t count = subtract(0, divide(subtract(from, to), step));
    result = set(result, axis, max(count, int64_t(0)));
  }
  return result;
}
inline Ints equalParts(int64_t total, int64_t count) {
  Ints result;
  int64_t part = subtract(0, divide(subtract(0, total), count));
  for (int64_t i = 0, end = listLength(count); i < end; ++i) {
    result.push_back(max(int64_t(0), min(part, total)));
    total = subtract(total, part);
  }
  return result;
}

} // namespace glow::expr

#endif // GLOW_BASE_FUNCTIONS_SHAPES_H
