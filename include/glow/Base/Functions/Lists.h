//===- Lists.h - functions on compile-time lists --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Lists of numbers, and permutations among them. See Functions.h.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_FUNCTIONS_LISTS_H
#define GLOW_BASE_FUNCTIONS_LISTS_H

#include "glow/Base/Functions/Numbers.h"
#include "glow/Base/Ints.h"
#include <algorithm>
#include <concepts>
#include <iterator>
#include <numeric>

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

/// Applies `element` to the first element of each list, then to the second,
/// ..., up to the length of the shortest list.
template <typename List, typename Element, typename... Lists>
List each(Element element, const Lists &...lists) {
  List result;
  size_t count = std::min({size_t(lists.size())...});
  for (size_t i = 0; i < count; ++i)
    result.push_back(element(lists[i]...));
  return result;
}

inline int64_t size(const Ints &list) { return int64_t(list.size()); }
inline int64_t length(const Reals &list) { return int64_t(list.size()); }
/// Product of the numbers. A 0 makes it 0, even where other products overflow.
inline int64_t prod(const Ints &list) {
  if (std::find(list.begin(), list.end(), 0) != list.end())
    return 0;
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

/// Limit on the length of a list: more than any list of a file, and a bound on
/// the memory that a number in a file can ask for.
inline constexpr int64_t longestList = 1 << 24;

/// The first length beyond `longestList` that was asked for on this thread
/// since the last reset to 0. The list that was asked for is empty. Code that
/// evaluates expressions on the contents of a file checks this before it uses
/// the result.
inline int64_t &tooLongList() {
  static thread_local int64_t length = 0;
  return length;
}
/// `count` as the length of a list: 0 if negative or beyond `longestList`.
inline int64_t listLength(int64_t count) {
  if (count <= longestList)
    return max(count, int64_t(0));
  if (int64_t &length = tooLongList(); length == 0)
    length = count;
  return 0;
}

inline Ints repeat(int64_t value, int64_t count) {
  return Ints(size_t(listLength(count)), value);
}
inline Ints range(int64_t from, int64_t to) {
  Ints result(size_t(listLength(subtract(to, from))));
  std::iota(result.begin(), result.end(), from);
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
inline Ints set(Ints list, int64_t index, int64_t value) {
  if (index >= 0 && index < size(list))
    list[size_t(index)] = value;
  return list;
}
inline bool contains(const Ints &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
template <typename Keep> Ints filtered(const Ints &list, Keep keep) {
  Ints result;
  std::copy_if(list.begin(), list.end(), std::back_inserter(result), keep);
  return result;
}
inline Ints common(const Ints &list, const Ints &others) {
  return filtered(list, [&](int64_t x) { return contains(others, x); });
}
inline Ints excluding(const Ints &list, const Ints &others) {
  return filtered(list, [&](int64_t x) { return !contains(others, x); });
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

inline Ints wrapAxes(Ints axes, int64_t rank) {
  for (int64_t &axis : axes)
    axis = wrapAxis(axis, rank);
  return axes;
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

} // namespace glow::expr

#endif // GLOW_BASE_FUNCTIONS_LISTS_H
