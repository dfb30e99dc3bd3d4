//===- Functions.h - functions on compile-time values ---------*- C++ -*-===//
//
// The C++ of the Function records in defs/Functions.td, one each, by the same
// names. Total: no argument makes them fail or read out of bounds, since a
// model's attributes reach them before they are checked. Where there is no
// right answer the result is 0, or the list unchanged. One header, since
// generated code may call any of them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_FUNCTIONS_H
#define GLOW_BASE_FUNCTIONS_H

#include "glow/Base/Activations.h"
#include "glow/Base/Einsum.h"
#include "glow/Base/Ints.h"
#include "glow/Base/Trees.h"
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

namespace glow::expr {

template <typename... T> Ints ints(const T &...parts) {
  Ints result;
  [[maybe_unused]] auto add = [&](const auto &part) {
    if constexpr (std::is_convertible_v<decltype(part), int64_t>)
      result.push_back(part);
    else
      result.insert(result.end(), part.begin(), part.end());
  };
  (add(parts), ...);
  return result;
}
template <typename... T> Reals reals(const T &...parts) {
  Reals result;
  [[maybe_unused]] auto add = [&](const auto &part) {
    if constexpr (std::is_convertible_v<decltype(part), double>)
      result.push_back(part);
    else
      result.insert(result.end(), part.begin(), part.end());
  };
  (add(parts), ...);
  return result;
}

/// The element at `index`; 0 outside the list.
template <typename List> auto at(const List &list, int64_t index) {
  return index >= 0 && index < int64_t(list.size())
             ? list[size_t(index)]
             : typename List::value_type(0);
}

// Arithmetic wraps around, so that no size in a file is undefined behaviour;
// `/` and `%` round towards minus infinity, and by 0 give 0.
constexpr int64_t add(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) + uint64_t(b));
}
constexpr int64_t subtract(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) - uint64_t(b));
}
constexpr int64_t multiply(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) * uint64_t(b));
}
constexpr int64_t divide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return subtract(0, a);
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
constexpr int64_t modulo(int64_t a, int64_t b) {
  if (b == 0 || b == -1)
    return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// A number as a list of itself, as long as its partner.
template <typename F, typename A, typename B>
Ints elementwise(F f, const A &a, const B &b) {
  Ints result;
  auto size = [](const auto &x) {
    if constexpr (std::integral<std::decay_t<decltype(x)>>)
      return std::numeric_limits<size_t>::max();
    else
      return x.size();
  };
  auto get = [](const auto &x, size_t i) -> int64_t {
    if constexpr (std::integral<std::decay_t<decltype(x)>>)
      return x;
    else
      return x[i];
  };
  for (size_t i = 0, e = std::min(size(a), size(b)); i < e; ++i)
    result.push_back(f(get(a, i), get(b, i)));
  return result;
}

#define GLOW_LISTS(name)                                                       \
  inline Ints name(const Ints &a, const Ints &b) {                             \
    return elementwise([](int64_t x, int64_t y) { return name(x, y); }, a, b); \
  }                                                                            \
  inline Ints name(const Ints &a, int64_t b) {                                 \
    return elementwise([](int64_t x, int64_t y) { return name(x, y); }, a, b); \
  }                                                                            \
  inline Ints name(int64_t a, const Ints &b) {                                 \
    return elementwise([](int64_t x, int64_t y) { return name(x, y); }, a, b); \
  }
GLOW_LISTS(add)
GLOW_LISTS(subtract)
GLOW_LISTS(multiply)
GLOW_LISTS(divide)
GLOW_LISTS(modulo)
#undef GLOW_LISTS

constexpr int64_t max(int64_t a, int64_t b) { return a < b ? b : a; }
constexpr double max(double a, double b) { return a < b ? b : a; }
constexpr int64_t min(int64_t a, int64_t b) { return b < a ? b : a; }
constexpr double min(double a, double b) { return b < a ? b : a; }
constexpr int64_t abs(int64_t a) { return a < 0 ? subtract(0, a) : a; }
inline double abs(double a) { return std::fabs(a); }
/// Towards zero; 0 for what does not fit.
inline int64_t integerOf(double a) {
  return a > -9.2e18 && a < 9.2e18 ? int64_t(a) : 0;
}
inline int64_t integerOf(int64_t a) { return a; }
inline double realOf(double a) { return a; }
inline double realOf(int64_t a) { return double(a); }
inline int64_t floor(double a) { return integerOf(std::floor(a)); }
inline int64_t ceil(double a) { return integerOf(std::ceil(a)); }
inline double sqrt(double a) { return std::sqrt(a); }
inline double log(double a) { return std::log(a); }
inline double exp(double a) { return std::exp(a); }
inline double power(double a, double b) { return std::pow(a, b); }
inline bool isNan(double a) { return std::isnan(a); }

inline int64_t size(const Ints &list) { return int64_t(list.size()); }
inline int64_t length(const Reals &list) { return int64_t(list.size()); }
inline int64_t prod(const Ints &list) {
  int64_t result = 1;
  for (int64_t x : list)
    result = multiply(result, x);
  return result;
}
inline int64_t sum(const Ints &list) {
  int64_t result = 0;
  for (int64_t x : list)
    result = add(result, x);
  return result;
}

/// At most as many elements as a tensor may have dimensions, many times over:
/// a bound on what an attribute can ask for.
inline constexpr int64_t longestList = 1 << 16;

inline Ints repeat(int64_t value, int64_t count) {
  return Ints(size_t(std::clamp<int64_t>(count, 0, longestList)), value);
}
inline Ints range(int64_t from, int64_t to) {
  Ints result;
  for (int64_t i = from; i < to && size(result) < longestList; ++i)
    result.push_back(i);
  return result;
}
inline Ints take(const Ints &list, int64_t count) {
  return Ints(list.begin(),
              list.begin() + std::clamp<int64_t>(count, 0, size(list)));
}
inline Ints drop(const Ints &list, int64_t count) {
  return Ints(list.begin() + std::clamp<int64_t>(count, 0, size(list)),
              list.end());
}
inline Ints slice(const Ints &list, int64_t from, int64_t count) {
  return take(drop(list, from), count);
}
inline Ints concat(const Ints &a, const Ints &b) { return ints(a, b); }
inline Ints reverse(const Ints &list) {
  return Ints(list.rbegin(), list.rend());
}
inline Ints set(Ints list, int64_t index, int64_t value) {
  if (index >= 0 && index < size(list))
    list[size_t(index)] = value;
  return list;
}
inline Ints insert(Ints list, int64_t index, int64_t value) {
  list.insert(list.begin() + std::clamp<int64_t>(index, 0, size(list)), value);
  return list;
}
inline bool contains(const Ints &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
inline Ints common(const Ints &list, const Ints &others) {
  Ints result;
  for (int64_t value : list)
    if (contains(others, value))
      result.push_back(value);
  return result;
}
inline Ints excluding(const Ints &list, const Ints &others) {
  Ints result;
  for (int64_t value : list)
    if (!contains(others, value))
      result.push_back(value);
  return result;
}
inline Ints unique(const Ints &list) {
  Ints result;
  for (int64_t value : list)
    if (!contains(result, value))
      result.push_back(value);
  return result;
}
inline Ints indicesOf(const Ints &values, const Ints &list) {
  Ints result;
  for (int64_t value : values)
    result.push_back(std::find(list.begin(), list.end(), value) - list.begin());
  return result;
}
inline Ints nonzeros(const Ints &list) {
  Ints result;
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i] != 0)
      result.push_back(int64_t(i));
  return result;
}
inline Ints pick(const Ints &list, const Ints &indices) {
  Ints result;
  for (int64_t index : indices)
    result.push_back(at(list, index));
  return result;
}
inline Ints without(const Ints &list, const Ints &indices) {
  Ints result;
  for (int64_t i = 0; i < size(list); ++i)
    if (!contains(indices, i))
      result.push_back(list[size_t(i)]);
  return result;
}
inline bool allAtLeast(const Ints &list, int64_t bound) {
  return std::all_of(list.begin(), list.end(),
                     [&](int64_t x) { return x >= bound; });
}
inline bool allBelow(const Ints &list, int64_t bound) {
  return std::all_of(list.begin(), list.end(),
                     [&](int64_t x) { return x < bound; });
}
inline bool distinct(Ints list) {
  std::sort(list.begin(), list.end());
  return std::adjacent_find(list.begin(), list.end()) == list.end();
}
inline Ints maximum(const Ints &a, const Ints &b) {
  return elementwise([](int64_t x, int64_t y) { return max(x, y); }, a, b);
}
inline Ints minimum(const Ints &a, const Ints &b) {
  return elementwise([](int64_t x, int64_t y) { return min(x, y); }, a, b);
}

inline int64_t wrapAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}
inline Ints wrapAxes(Ints axes, int64_t rank) {
  for (int64_t &axis : axes)
    axis = wrapAxis(axis, rank);
  return axes;
}
inline bool isPermutation(const Ints &list) {
  return distinct(list) && allAtLeast(list, 0) && allBelow(list, size(list));
}
inline Ints inverse(const Ints &permutation) {
  Ints result(permutation.size(), 0);
  for (int64_t i = 0; i < size(permutation); ++i)
    result = set(result, permutation[size_t(i)], i);
  return result;
}
inline Ints compose(const Ints &first, const Ints &second) {
  return pick(first, second);
}

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
inline Reals pickReals(const Reals &list, const Ints &indices) {
  Reals result;
  for (int64_t index : indices)
    result.push_back(at(list, index));
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
inline Ints place(Ints list, const Ints &axes, const Ints &values) {
  for (int64_t i = 0; i < min(size(axes), size(values)); ++i)
    list = set(list, wrapAxis(axes[size_t(i)], size(list)), values[size_t(i)]);
  return list;
}
inline Reals placeReals(Reals list, const Ints &axes, const Reals &values) {
  for (int64_t i = 0; i < min(size(axes), length(values)); ++i) {
    int64_t axis = wrapAxis(axes[size_t(i)], length(list));
    if (axis >= 0 && axis < length(list))
      list[size_t(axis)] = values[size_t(i)];
  }
  return list;
}
inline Ints listOr(const Ints &list, const Ints &otherwise) {
  return list.empty() ? otherwise : list;
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
  for (int64_t i = 0; i < min(count, longestList); ++i) {
    result.push_back(max(int64_t(0), min(part, total)));
    total = subtract(total, part);
  }
  return result;
}

/// Pads, all begins, then all ends, that are `total` together; the odd pixel at
/// the begin if `lower`.
inline Ints sharedPads(const Ints &total, bool lower) {
  Ints smaller = divide(total, 2), larger = subtract(total, smaller);
  return lower ? ints(larger, smaller) : ints(smaller, larger);
}
inline Ints windowPads(const std::string &mode, const Ints &image,
                       const Ints &extents, const Ints &strides,
                       const Ints &pads) {
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    // As many windows as strides in the image, the last one not full.
    Ints windows = divide(subtract(add(image, strides), 1), strides);
    Ints reach = add(multiply(subtract(windows, 1), strides), extents);
    Ints total = maximum(subtract(reach, image), repeat(0, size(image)));
    return sharedPads(total, mode == "SAME_LOWER");
  }
  return pads.empty() || mode == "VALID" ? repeat(0, 2 * size(image)) : pads;
}
/// Pads with more at the end, so that the last window that begins in the image
/// or the pad before it is full.
inline Ints ceilPads(const Ints &image, const Ints &extents,
                     const Ints &strides, const Ints &pads) {
  int64_t rank = size(image);
  Ints begins = take(pads, rank), ends = drop(pads, rank);
  Ints padded = add(add(image, begins), ends);
  Ints rest = subtract(padded, extents);
  Ints steps = divide(subtract(add(rest, strides), 1), strides);
  // The last window must not begin behind the image.
  for (int64_t i = 0; i < min(size(steps), rank); ++i)
    if (multiply(at(steps, i), at(strides, i)) >=
        add(at(image, i), at(begins, i)))
      steps[size_t(i)] = subtract(steps[size_t(i)], 1);
  Ints more = subtract(multiply(steps, strides), rest);
  return ints(begins, add(ends, maximum(more, repeat(0, rank))));
}
/// `full` are the sizes of a transposed convolution without pads.
inline Ints transposePads(const std::string &mode, const Ints &full,
                          const Ints &wanted, const Ints &, const Ints &pads) {
  if (!wanted.empty())
    return sharedPads(subtract(full, wanted), mode != "SAME_UPPER");
  return pads.empty() || mode != "NOTSET" ? repeat(0, 2 * size(full)) : pads;
}

inline Ints scaled(const Ints &shape, const Reals &scales) {
  Ints result;
  for (size_t i = 0; i < std::min(shape.size(), scales.size()); ++i)
    result.push_back(floor(double(shape[i]) * scales[i]));
  return result;
}
inline Ints roundScaled(const Ints &sizes, const Reals &scales) {
  Ints result;
  for (size_t i = 0; i < std::min(sizes.size(), scales.size()); ++i)
    result.push_back(floor(double(sizes[i]) * scales[i] + 0.5));
  return result;
}
inline double aspectScale(const Ints &sizes, const Ints &wanted, bool most) {
  double scale = 0;
  for (size_t i = 0; i < std::min(sizes.size(), wanted.size()); ++i) {
    double ratio = double(wanted[i]) / double(max(sizes[i], int64_t(1)));
    scale = i == 0 ? ratio : most ? min(scale, ratio) : max(scale, ratio);
  }
  return scale;
}
inline Reals ratios(const Ints &a, const Ints &b) {
  Reals result;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    result.push_back(b[i] ? double(a[i]) / double(b[i]) : 0);
  return result;
}
inline Reals repeatReal(double value, int64_t count) {
  return Reals(size_t(std::clamp<int64_t>(count, 0, longestList)), value);
}

} // namespace glow::expr

#endif // GLOW_BASE_FUNCTIONS_H
