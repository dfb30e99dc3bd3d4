//===- TreeBlocks.h - one small tree, many rows -----------------*- C++ -*-===//
//
// All branches of a small tree are decided for 64 rows at a time, from the
// leaves up: a branch selects one of the two leaves that its children have
// selected. Rows are lanes, so that bounds and features are the same in all
// lanes, and no lane waits for a load that depends on another.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_TREEBLOCKS_H
#define GLOW_BACKENDS_CPU_LIBRARY_TREEBLOCKS_H

#include "Support.h"
#include "glow/Base/Trees.h"

namespace glow::cpu::library {

/// A branch, behind the branches that it leads to.
struct Choice {
  float bound;
  int32_t feature;
  /// The leaf that a way leads to; -1 where it leads to a branch.
  int32_t whenTrue, whenFalse;
  bool isLess;      ///< the comparison is < in place of <=
  bool missingTrue; ///< NaN is true
};

/// The branches of a tree in the order in which they are decided.
class TreeOrder {
public:
  /// Deciding a branch costs a fraction of a step of a walk, but a walk visits
  /// few branches.
  static constexpr int64_t mostBranches = 256;
  static constexpr int64_t mostLevels = 32;

  TreeOrder(const trees::Forest<float> &forest, int64_t features,
            Choice *choices)
      : forest(forest), features(features), choices(choices) {}

  /// False where the tree is too large or too deep, is a leaf, has other
  /// comparisons, or leads out of the forest.
  bool make(int64_t root) {
    count = 0;
    int32_t leaf;
    return add(root, 0, leaf) && leaf < 0;
  }

  const trees::Forest<float> &forest;
  int64_t features;
  Choice *choices;
  int64_t count = 0;

private:
  /// Adds what lies below a node; `leaf` is the node where it is one, else -1.
  bool add(int64_t node, int64_t level, int32_t &leaf) {
    if (uint64_t(node) >= uint64_t(forest.nodes) || level >= mostLevels)
      return false;
    int64_t mode = forest.modes[node], feature = forest.features[node];
    leaf = mode == 0 ? int32_t(node) : -1;
    if (mode == 0)
      return true;
    Choice choice = {forest.bounds[node],
                     int32_t(feature),
                     0,
                     0,
                     mode == 2,
                     forest.missingTrue[node] != 0};
    if (mode > 2 || uint64_t(feature) >= uint64_t(features) ||
        !add(forest.whenTrue[node], level + 1, choice.whenTrue) ||
        !add(forest.whenFalse[node], level + 1, choice.whenFalse) ||
        count == mostBranches)
      return false;
    choices[count++] = choice;
    return true;
  }
};

/// Rows of a chunk with their columns in one piece, and the leaves of 64 rows.
struct TreeBlocks {
  static constexpr int64_t rows = 256, block = 64, vectors = block / lanes;
  /// The columns of a chunk stay in the second-level cache.
  static constexpr int64_t mostFeatures = 256;

  struct Leaves {
    V16i lanes[vectors];
  };

  Choice *choices;
  Leaves *stack; ///< leaves of branches with a parent that is not yet decided
  float *columns;

  static int64_t bytes(int64_t features) {
    return TreeOrder::mostBranches * int64_t(sizeof(Choice)) + 64 +
           (TreeOrder::mostLevels + 1) * int64_t(sizeof(Leaves)) +
           features * rows * int64_t(sizeof(float));
  }

  TreeBlocks(char *memory)
      : choices(reinterpret_cast<Choice *>(memory)),
        stack(reinterpret_cast<Leaves *>(
            memory +
            dividedUp(TreeOrder::mostBranches * int64_t(sizeof(Choice)), 64) *
                64)),
        columns(reinterpret_cast<float *>(stack + TreeOrder::mostLevels + 1)) {}

  /// Takes `count` rows; the last one fills the last block.
  void take(const float *in, int64_t count, int64_t features) const {
    for (int64_t r = 0; r < dividedUp(count, block) * block; ++r) {
      const float *row = in + smaller(r, count - 1) * features;
      for (int64_t f = 0; f < features; ++f)
        columns[f * rows + r] = row[f];
    }
  }

  /// The leaves of a block's rows.
  const Leaves &leaves(const TreeOrder &order, int64_t first) const {
    Leaves *top = stack;
    for (int64_t i = 0; i < order.count; ++i) {
      const Choice &choice = choices[i];
      const float *values = columns + choice.feature * rows + first;
      const V16f bound = splat<V16f>(choice.bound);
      if (choice.isLess)
        top = choice.missingTrue
                  ? select(choice, top, values,
                           [&](V16f x) { return ~(x >= bound); })
                  : select(choice, top, values,
                           [&](V16f x) { return x < bound; });
      else
        top = choice.missingTrue
                  ? select(choice, top, values,
                           [&](V16f x) { return ~(x > bound); })
                  : select(choice, top, values,
                           [&](V16f x) { return x <= bound; });
    }
    return stack[0];
  }

private:
  /// Replaces what the ways of a branch have selected.
  template <typename Holds>
  GLOW_INLINE static Leaves *select(const Choice &choice, Leaves *top,
                                    const float *values, Holds holds) {
    const V16i yes = splat<V16i>(choice.whenTrue);
    const V16i no = splat<V16i>(choice.whenFalse);
    auto put = [&](Leaves *to, auto whenTrue, auto whenFalse) {
#pragma clang loop unroll(full)
      for (int64_t v = 0; v < vectors; ++v)
        to->lanes[v] = holds(load<V16f>(values + v * lanes)) ? whenTrue(v)
                                                             : whenFalse(v);
      return to + 1;
    };
    if (choice.whenTrue >= 0 && choice.whenFalse >= 0)
      return put(top, [&](int64_t) { return yes; },
                 [&](int64_t) { return no; });
    if (choice.whenFalse >= 0)
      return put(top - 1, [&](int64_t v) { return top[-1].lanes[v]; },
                 [&](int64_t) { return no; });
    if (choice.whenTrue >= 0)
      return put(top - 1, [&](int64_t) { return yes; },
                 [&](int64_t v) { return top[-1].lanes[v]; });
    return put(top - 2, [&](int64_t v) { return top[-2].lanes[v]; },
               [&](int64_t v) { return top[-1].lanes[v]; });
  }
};

} // namespace glow::cpu::library

#endif // GLOW_BACKENDS_CPU_LIBRARY_TREEBLOCKS_H
