//===- Trees.cpp - trees that a model lists as columns --------------------===//
// SPDX-License-Identifier: MIT
//
// Two numbers identify a node: its tree and itself. The functions are total, as
// all functions of the language are; defs/functions/Trees.td declares them.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Ints.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace glow;

/// The words between commas; an empty text has no words.
static std::vector<std::string> split(const std::string &list) {
  std::vector<std::string> words;
  for (size_t begin = 0, comma; begin < list.size(); begin = comma + 1) {
    comma = std::min(list.find(',', begin), list.size());
    words.push_back(list.substr(begin, comma - begin));
  }
  return words;
}

namespace glow::expr {
Ints wordIndices(const std::string &list, const std::string &words) {
  std::vector<std::string> known = split(words);
  Ints result;
  for (const std::string &word : split(list)) {
    auto found = std::ranges::find(known, word);
    result.push_back(found == known.end() ? -1 : found - known.begin());
  }
  return result;
}

Ints placesOf(const Ints &trees, const Ints &nodes, const Ints &wantedTrees,
              const Ints &wantedNodes) {
  std::map<std::pair<int64_t, int64_t>, int64_t> places;
  for (size_t i = 0; i < std::min(trees.size(), nodes.size()); ++i)
    places.try_emplace({trees[i], nodes[i]}, int64_t(i));
  Ints result;
  for (size_t i = 0; i < std::min(wantedTrees.size(), wantedNodes.size());
       ++i) {
    auto found = places.find({wantedTrees[i], wantedNodes[i]});
    result.push_back(found == places.end() ? -1 : found->second);
  }
  return result;
}
} // namespace glow::expr

namespace {

/// A depth-first search from every node, with a stack of its own: trees may be
/// deep.
struct CycleSearch {
  const Ints &modes, &whenTrue, &whenFalse;
  int64_t count;
  enum State : char { New, Open, Done };
  std::vector<State> states = std::vector<State>(size_t(count), New);
  Ints path = {};

  /// Pushes the children of `at`; returns an open child, which leads back to
  /// `at`, or -1.
  int64_t open(int64_t at) {
    states[size_t(at)] = Open;
    for (int64_t next : {whenTrue[size_t(at)], whenFalse[size_t(at)]}) {
      if (modes[size_t(at)] == 0 || next < 0 || next >= count)
        continue;
      if (states[size_t(next)] == Open)
        return next;
      path.push_back(next);
    }
    return -1;
  }

  int64_t from(int64_t start) {
    for (path = {start}; !path.empty();) {
      const int64_t at = path.back();
      if (states[size_t(at)] != New) {
        states[size_t(at)] = Done;
        path.pop_back();
      } else if (int64_t found = open(at); found >= 0) {
        return found;
      }
    }
    return -1;
  }
};

} // namespace

/// A node on a cycle of branches; -1 where there is none.
static int64_t cycleIn(const Ints &modes, const Ints &whenTrue,
                       const Ints &whenFalse) {
  CycleSearch search{
      modes, whenTrue, whenFalse,
      int64_t(std::min({modes.size(), whenTrue.size(), whenFalse.size()}))};
  for (int64_t i = 0; i < search.count; ++i)
    if (int64_t found = search.from(i); found >= 0)
      return found;
  return -1;
}

namespace glow::expr {
Ints treeRoots(const Ints &trees, const Ints &modes, const Ints &whenTrue,
               const Ints &whenFalse) {
  if (int64_t back = cycleIn(modes, whenTrue, whenFalse); back >= 0)
    return {-1 - back};
  std::set<int64_t> led;
  size_t count =
      std::min({trees.size(), modes.size(), whenTrue.size(), whenFalse.size()});
  for (size_t i = 0; i < count; ++i)
    if (modes[i] != 0) {
      led.insert(whenTrue[i]);
      led.insert(whenFalse[i]);
    }
  Ints order;
  std::map<int64_t, int64_t> first, root; // by tree
  for (size_t i = 0; i < count; ++i) {
    if (first.try_emplace(trees[i], int64_t(i)).second)
      order.push_back(trees[i]);
    if (!led.contains(int64_t(i)))
      root.try_emplace(trees[i], int64_t(i));
  }
  for (int64_t &tree : order)
    tree = root.contains(tree) ? root[tree] : first[tree];
  return order;
}

Ints setPlaces(const Ints &modes, const Reals &sets) {
  Ints result;
  size_t begin = 0;
  for (int64_t mode : modes) {
    result.push_back(mode != 6 ? 0 : begin < sets.size() ? int64_t(begin) : -1);
    if (mode == 6) {
      auto end = std::find_if(sets.begin() + int64_t(begin), sets.end(),
                              [](double value) { return std::isnan(value); });
      begin = std::min(size_t(end - sets.begin()) + 1, sets.size());
    }
  }
  return result;
}

} // namespace glow::expr
