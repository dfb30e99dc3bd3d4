//===- Trees.h - from a row to the leaf of a tree ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Decision trees: a row of features leads to a leaf. Compiled into kernels that
// have no C++ library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_TREES_H
#define GLOW_BASE_TREES_H

#include <stdint.h>

namespace glow::trees {

/// The nodes of all trees as columns, one element for each node; the record
/// tree_leaves defines them. `sets` and `begins` may be null.
template <typename T> struct Forest {
  int64_t nodes;
  const int64_t *features, *modes, *whenTrue, *whenFalse, *missingTrue;
  const T *bounds, *sets;
  const int64_t *begins;
  int64_t setLength;
};

template <typename C> bool holds(int64_t mode, C value, C bound) {
  return mode == 1   ? value <= bound
         : mode == 2 ? value < bound
         : mode == 3 ? value >= bound
         : mode == 4 ? value > bound
         : mode == 5 ? value == bound
                     : value != bound;
}

/// Whether an element goes to `whenTrue` at node `at`. `load` converts an
/// element to a number.
template <typename T, typename Load>
bool branches(const Forest<T> &forest, int64_t at, T element, Load load) {
  auto value = load(element);
  // NaN marks a missing value.
  if (value != value && forest.missingTrue[at] != 0)
    return true;
  if (forest.modes[at] != 7)
    return holds(forest.modes[at], value, load(forest.bounds[at]));
  if (!forest.sets || !forest.begins)
    return false;
  int64_t first = forest.begins[at] > 0 ? forest.begins[at] : 0;
  for (int64_t i = first; i < forest.setLength; ++i) {
    auto member = load(forest.sets[i]);
    if (member != member)
      return false;
    if (member == value)
      return true;
  }
  return false;
}

/// The end of a walk, and its reason.
struct End {
  enum { Leaf, NoNode, NoFeature } what;
  int64_t node, feature;
};

/// Follows a row of `features` features from node `root` on.
template <typename T, typename Load>
End follow(const Forest<T> &forest, const T *row, int64_t features,
           int64_t root, Load load) {
  int64_t at = root;
  for (int64_t steps = 0;; ++steps) {
    // More steps than nodes: the walk has visited a node twice.
    if (at < 0 || at >= forest.nodes || steps > forest.nodes)
      return {End::NoNode, at, 0};
    if (forest.modes[at] == 0)
      return {End::Leaf, at, 0};
    int64_t feature = forest.features[at];
    if (feature < 0 || feature >= features)
      return {End::NoFeature, at, feature};
    at = branches(forest, at, row[feature], load) ? forest.whenTrue[at]
                                                  : forest.whenFalse[at];
  }
}

/// The forest in the operands of a kernel call; `data` gives the elements of an
/// operand.
template <typename T, typename Call, typename Data>
Forest<T> forestOf(const Call &call, int64_t nodes, int64_t setLength,
                   Data data) {
  auto integers = [&](const auto &operand) {
    return data.template operator()<const int64_t>(operand);
  };
  auto numbers = [&](const auto &operand) {
    return data.template operator()<const T>(operand);
  };
  return {nodes,
          integers(call.features),
          integers(call.modes),
          integers(call.whenTrue),
          integers(call.whenFalse),
          integers(call.missingTrue),
          numbers(call.bounds),
          numbers(call.sets),
          integers(call.begins),
          setLength};
}

} // namespace glow::trees

#endif // GLOW_BASE_TREES_H
