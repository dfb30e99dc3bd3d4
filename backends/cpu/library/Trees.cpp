//===- Trees.cpp - leaves of trees for each row ---------------------------===//
// SPDX-License-Identifier: MIT
//
// Trees that are no constants, or that do not fit the packed form;
// PackedTrees.cpp has the others. Several walks go down together, one step of
// each at a time. A step waits for three dependent loads; the steps of other
// walks hide this latency. Walks of several rows share one tree, which then
// stays in the first-level cache. Walks of few rows go down several trees.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Trees.h"
#include "support/Calls.h"
#include "support/Support.h"
#include "vector/Narrow.h"

using namespace glow::cpu;
using namespace glow::cpu::library;
using namespace glow::trees;

/// The rows of a chunk.
constexpr int64_t group = 256;
/// Rows of models are of these kinds; the code for others is small.
template <typename T>
constexpr bool stepsTogether = __is_same(T, float) || __is_same(T, double);
/// The number of walks that go down together.
template <typename T> constexpr int64_t walksOf = stepsTogether<T> ? 8 : 1;

namespace {

template <typename T> struct Walks {
  using Number = decltype(wide(T()));
  static constexpr int64_t together = walksOf<T>;
  static constexpr int64_t bytes = together * sizeof(Number);
  using Numbers = Number __attribute__((vector_size(bytes)));
  using Mask = decltype(Numbers() < Numbers());

  Forest<T> forest;
  int64_t features;

  /// The nodes of the walks, the modes of these nodes, and the rows of the
  /// walks.
  struct State {
    int64_t at[together], modes[together];
    const T *rows[together];
  };

  /// Reads the modes of all nodes; false if a walk has left the forest. `all`
  /// has the bits of all modes.
  GLOW_INLINE bool readModes(State &state, int64_t &all) const {
    all = 0;
    for (int64_t w = 0; w < together; ++w) {
      if (uint64_t(state.at[w]) >= uint64_t(forest.nodes))
        return false;
      state.modes[w] = forest.modes[state.at[w]];
      all |= state.modes[w];
    }
    return true;
  }

  /// One step of all walks, if the modes of all nodes except leaves are 1, or
  /// all are 2. False if an element is NaN or a feature is out of range. No
  /// branch depends on a comparison, because it would often be mispredicted.
  GLOW_INLINE bool stepTogether(State &state, bool less) const {
    Numbers values, bounds;
    bool inside = features > 0;
    int64_t columns[together];
    for (int64_t w = 0; w < together; ++w) {
      columns[w] = state.modes[w] ? forest.features[state.at[w]] : 0;
      inside &= uint64_t(columns[w]) < uint64_t(features);
    }
    if (!inside)
      return false;
    for (int64_t w = 0; w < together; ++w) {
      values[w] = wide(state.rows[w][columns[w]]);
      bounds[w] = wide(forest.bounds[state.at[w]]);
    }
    Mask isNan = values != values;
    if (__builtin_reduce_or(isNan) != 0)
      return false;
    Mask isTrue = less ? values < bounds : values <= bounds;
    const auto yes = reinterpret_cast<uintptr_t>(forest.whenTrue);
    const auto no = reinterpret_cast<uintptr_t>(forest.whenFalse);
    for (int64_t w = 0; w < together; ++w) {
      const int64_t node = state.at[w];
      uintptr_t ways = no ^ ((no ^ yes) & uintptr_t(isTrue[w]));
      int64_t way = reinterpret_cast<const int64_t *>(ways)[node];
      state.at[w] = state.modes[w] ? way : node;
    }
    return true;
  }

  /// Takes a step of each walk in turn; false if a feature is out of range.
  bool stepApart(State &state) const {
#pragma clang loop unroll(disable)
    for (int64_t w = 0; w < together; ++w) {
      const int64_t node = state.at[w];
      if (state.modes[w] == 0)
        continue;
      int64_t feature = forest.features[node];
      if (uint64_t(feature) >= uint64_t(features))
        return false;
      bool isTrue = branches(forest, node, state.rows[w][feature],
                             [](T element) { return wide(element); });
      state.at[w] = (isTrue ? forest.whenTrue : forest.whenFalse)[node];
    }
    return true;
  }

  /// Follows all walks to their leaves; false if a walk ends at no leaf.
  GLOW_INLINE bool follow(State &state) const {
    // After more steps than nodes, a walk has visited a node twice: it is a
    // cycle.
    for (int64_t steps = 0; steps <= forest.nodes; ++steps) {
      int64_t all;
      if (!readModes(state, all))
        return false;
      if (all == 0)
        return true;
      if constexpr (stepsTogether<T>)
        if ((all == 1 || all == 2) && stepTogether(state, all == 2))
          continue;
      if (!stepApart(state))
        return false;
    }
    return false;
  }
};

} // namespace

namespace {

/// Finds the leaves of rows in all trees.
template <typename T> struct Search {
  static constexpr int64_t together = walksOf<T>;
  const int64_t features, trees;
  const Walks<T> walks;
  const int64_t *roots;
  const T *in;
  int64_t *out;

  Search(const TreeLeavesCall &call, const Forest<T> &forest)
      : features(call.in.shape.sizes[1]), trees(call.roots.shape.sizes[0]),
        walks{forest, features}, roots(call.roots.as<const int64_t>()),
        in(call.in.as<const T>()), out(call.out.as<int64_t>()) {}

  /// Up to eight walks side by side, of rows or of trees; false if a walk ends
  /// at no leaf.
  bool walk(int64_t row, int64_t tree, int64_t nextRow, int64_t nextTree,
            int64_t count) const {
    typename Walks<T>::State state;
    for (int64_t w = 0; w < together; ++w) {
      int64_t i = smaller(w, count - 1);
      state.rows[w] = in + (row + i * nextRow) * features;
      state.at[w] = roots[tree + i * nextTree];
    }
    if (!walks.follow(state))
      return false;
    for (int64_t w = 0; w < count; ++w)
      out[(row + w * nextRow) * trees + tree + w * nextTree] = state.at[w];
    return true;
  }

  /// The same tree for some rows.
  bool walkRows(int64_t first, int64_t last, int64_t tree) const {
    bool found = true;
    for (int64_t row = first; row < last; row += together)
      found &= walk(row, tree, 1, 0, smaller(together, last - row));
    return found;
  }

  /// All trees for one row.
  bool walkTrees(int64_t row) const {
    bool found = true;
    for (int64_t tree = 0; tree < trees; tree += together)
      found &= walk(row, tree, 0, 1, smaller(together, trees - tree));
    return found;
  }
};

} // namespace

/// A walk that ends at no leaf is a failure.
template <typename T>
GLOW_INLINE static void findLeaves(const TreeLeavesCall &call, int64_t begin,
                                   int64_t end, const Failure &failure) {
  auto forest = forestOf<T>(
      call, call.features.shape.sizes[0],
      call.sets ? call.sets.shape->sizes[0] : 0,
      []<typename E>(const auto &operand) { return operand.template as<E>(); });
  const Search<T> search(call, forest);
  const int64_t first = begin * group;
  const int64_t last = smaller(call.in.shape.sizes[0], end * group);
  bool found = true;
  if (last - first < walksOf<T>)
    for (int64_t row = first; row < last; ++row)
      found &= search.walkTrees(row);
  else
    for (int64_t tree = 0; tree < search.trees; ++tree)
      found &= search.walkRows(first, last, tree);
  if (!found)
    failure.report();
}

#define GLOW_TREE_LEAVES(kind, T)                                              \
  GLOW_WORK(tree_leaves_##kind) {                                              \
    *work = {larger(1, dividedUp(call.in.shape.sizes[0], group)), 0};          \
  }                                                                            \
  GLOW_KERNEL(tree_leaves_##kind) { findLeaves<T>(call, begin, end, failure); }
GLOW_TREE_LEAVES(f32, float)
GLOW_TREE_LEAVES(f64, double)
GLOW_TREE_LEAVES(f16, F16)
GLOW_TREE_LEAVES(bf16, BF16)
GLOW_TREE_LEAVES(i8, int8_t)
GLOW_TREE_LEAVES(i16, int16_t)
GLOW_TREE_LEAVES(i32, int32_t)
GLOW_TREE_LEAVES(i64, int64_t)
GLOW_TREE_LEAVES(u8, uint8_t)
GLOW_TREE_LEAVES(u16, uint16_t)
GLOW_TREE_LEAVES(u32, uint32_t)
GLOW_TREE_LEAVES(u64, uint64_t)
