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

/// The list of numbers `N`: std::vector, or the list that a kind of numbers has
/// of its own (glow/Program/Size.h).
template <typename N> struct ListOf {
  using Type = std::vector<N>;
};
template <typename N> using List = typename ListOf<N>::Type;
/// A number beside a list of `N`, to which it converts.
template <typename N> using Same = std::type_identity_t<N>;

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
template <typename N> N at(const std::vector<N> &list, int64_t index) {
  return index >= 0 && index < int64_t(list.size()) ? list[size_t(index)]
                                                    : N(0);
}

/// Applies `f` to the elements of two lists, as far as the shorter list goes.
template <typename F, typename N>
List<N> elementwise(F f, const std::vector<N> &a, const std::vector<N> &b) {
  List<N> result;
  for (size_t i = 0, e = std::min(a.size(), b.size()); i < e; ++i)
    result.push_back(f(a[i], b[i]));
  return result;
}

// A number counts as a list of itself, as long as its partner.
#define GLOW_LISTS(name)                                                       \
  template <typename N>                                                        \
  List<N> name(const std::vector<N> &a, const std::vector<N> &b) {             \
    return elementwise([](const N &x, const N &y) { return name(x, y); }, a,   \
                       b);                                                     \
  }                                                                            \
  template <typename N>                                                        \
  List<N> name(const std::vector<N> &a, const Same<N> &b) {                    \
    return name(a, std::vector<N>(a.size(), b));                               \
  }                                                                            \
  template <typename N>                                                        \
  List<N> name(const Same<N> &a, const std::vector<N> &b) {                    \
    return name(std::vector<N>(b.size(), a), b);                               \
  }
GLOW_LISTS(add)
GLOW_LISTS(subtract)
GLOW_LISTS(multiply)
GLOW_LISTS(divide)
GLOW_LISTS(modulo)
#undef GLOW_LISTS

/// Applies `element` to the first element of each list, then to the second,
/// ..., up to the length of the shortest list.
template <typename Result, typename Element, typename... Lists>
Result each(Element element, const Lists &...lists) {
  Result result;
  size_t count = std::min({size_t(lists.size())...});
  for (size_t i = 0; i < count; ++i)
    result.push_back(element(lists[i]...));
  return result;
}

template <typename N> int64_t size(const std::vector<N> &list) {
  return int64_t(list.size());
}
inline int64_t length(const Reals &list) { return int64_t(list.size()); }
/// Product of the numbers. A 0 makes it 0, even where other products overflow.
template <typename N> N prod(const std::vector<N> &list) {
  for (const N &x : list)
    if (isNumber(x, 0))
      return 0;
  N result = 1;
  for (const N &x : list)
    result = multiply(result, x);
  return result;
}
template <typename N> N sum(const std::vector<N> &list) {
  N result = 0;
  for (const N &x : list)
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

template <typename N> List<N> repeat(const N &value, int64_t count) {
  return List<N>(size_t(listLength(count)), value);
}
inline Ints range(int64_t from, int64_t to) {
  Ints result(size_t(listLength(subtract(to, from))));
  std::iota(result.begin(), result.end(), from);
  return result;
}
template <typename N> List<N> take(const std::vector<N> &list, int64_t count) {
  return List<N>(list.begin(),
                 list.begin() + std::clamp<int64_t>(count, 0, size(list)));
}
template <typename N> List<N> drop(const std::vector<N> &list, int64_t count) {
  return List<N>(list.begin() + std::clamp<int64_t>(count, 0, size(list)),
                 list.end());
}
template <typename N>
List<N> set(const std::vector<N> &list, int64_t index, const Same<N> &value) {
  List<N> result(list.begin(), list.end());
  if (index >= 0 && index < size(list))
    result[size_t(index)] = value;
  return result;
}
template <typename N>
bool contains(const std::vector<N> &list, const Same<N> &value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
template <typename N, typename Keep>
List<N> filtered(const std::vector<N> &list, Keep keep) {
  List<N> result;
  std::copy_if(list.begin(), list.end(), std::back_inserter(result), keep);
  return result;
}
template <typename N>
List<N> common(const std::vector<N> &list, const std::vector<N> &others) {
  return filtered(list, [&](const N &x) { return contains(others, x); });
}
template <typename N>
List<N> excluding(const std::vector<N> &list, const std::vector<N> &others) {
  return filtered(list, [&](const N &x) { return !contains(others, x); });
}
template <typename N> List<N> unique(const std::vector<N> &list) {
  List<N> result;
  for (const N &value : list)
    if (!contains(result, value))
      result.push_back(value);
  return result;
}
template <typename N>
List<N> indicesOf(const std::vector<N> &values, const std::vector<N> &list) {
  List<N> result;
  for (const N &value : values)
    result.push_back(
        int64_t(std::find(list.begin(), list.end(), value) - list.begin()));
  return result;
}
template <typename N> List<N> nonzeros(const std::vector<N> &list) {
  List<N> result;
  for (size_t i = 0; i < list.size(); ++i)
    if (!(list[i] == 0))
      result.push_back(int64_t(i));
  return result;
}
template <typename N>
List<N> pick(const std::vector<N> &list, const std::vector<N> &indices) {
  List<N> result;
  for (const N &index : indices)
    result.push_back(at(list, index));
  return result;
}
template <typename N>
bool allAtLeast(const std::vector<N> &list, const Same<N> &bound) {
  return std::all_of(list.begin(), list.end(),
                     [&](const N &x) { return x >= bound; });
}
template <typename N>
bool allBelow(const std::vector<N> &list, const Same<N> &bound) {
  return std::all_of(list.begin(), list.end(),
                     [&](const N &x) { return x < bound; });
}
template <typename N> bool distinct(std::vector<N> list) {
  std::sort(list.begin(), list.end());
  return std::adjacent_find(list.begin(), list.end()) == list.end();
}

template <typename N>
List<N> wrapAxes(const std::vector<N> &axes, int64_t rank) {
  List<N> result;
  for (const N &axis : axes)
    result.push_back(wrapAxis(axis, rank));
  return result;
}
template <typename N> List<N> inverse(const std::vector<N> &permutation) {
  List<N> result(permutation.size(), 0);
  for (int64_t i = 0; i < size(permutation); ++i)
    result = set(result, permutation[size_t(i)], i);
  return result;
}
template <typename N>
List<N> compose(const std::vector<N> &first, const std::vector<N> &second) {
  return pick(first, second);
}

} // namespace glow::expr

#endif // GLOW_BASE_FUNCTIONS_LISTS_H
