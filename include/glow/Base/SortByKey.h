//===- SortByKey.h - a list by a number of each element ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_SORTBYKEY_H
#define GLOW_BASE_SORTBYKEY_H

#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace glow {

/// Sorts a list by `key`, greatest first; the sort is stable. (std::stable_sort
/// of libstdc++ 12 allocates with a deprecated function, so that Clang warns at
/// each use.)
template <typename List, typename Key>
void sortGreatestFirst(List &list, Key key) {
  using Element = typename List::value_type;
  using Number = std::decay_t<std::invoke_result_t<Key, const Element &>>;
  std::multimap<Number, Element, std::greater<>> sorted;
  for (Element &element : list) {
    Number number = std::invoke(key, element);
    sorted.emplace(number, std::move(element));
  }
  auto place = std::begin(list);
  for (auto &[number, element] : sorted)
    *place++ = std::move(element);
}

} // namespace glow

#endif // GLOW_BASE_SORTBYKEY_H
