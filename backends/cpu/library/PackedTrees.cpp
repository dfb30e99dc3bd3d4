//===- PackedTrees.cpp - leaves of packed trees for each row --------------===//
// SPDX-License-Identifier: MIT
//
// Eight walks go down together, of one row in eight trees or of eight rows in
// one tree. A step of a walk waits for the loads of the node and of the key;
// the steps of the other walks hide this latency.
//
//===----------------------------------------------------------------------===//

#include "../common/PackedTrees.h"
#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// So many walks go down together.
constexpr int64_t together = rowsTogether;

/// Rows of a chunk. Threads share 64 rows; a thread that has two chunks walks
/// the trees for both at once. The keys of these rows are made before.
struct ChunkOfRows {
  static constexpr int64_t most = 32, mostKeys = 1 << 16;
  int64_t rows, slots;

  explicit ChunkOfRows(int64_t features)
      : rows(most), slots(PackedSlots{features}.count()) {
    while (rows > together && walked() * slots > mostKeys)
      rows /= 2;
  }
  int64_t walked() const { return 2 * rows; }
  template <typename Call> static void cut(const Call &call, StepWork *work) {
    const ChunkOfRows chunk(call.in.shape.sizes[1]);
    const int64_t rows = call.in.shape.sizes[0];
    const bool isSmall = call.nodes.shape.sizes[1] == 1;
    *work = {larger(1, dividedUp(rows, chunk.rows)),
             smaller(rows, chunk.walked()) * chunk.slots *
                 int64_t(isSmall ? sizeof(uint32_t) : sizeof(uint64_t))};
  }
};

/// Follows all walks to their leaves, which replace `at`. With `spread` 1 all
/// walks read one row; otherwise the keys of a slot are contiguous for all
/// rows. False if an index of a node or slot is out of range. `Node` is a type
/// of common/PackedTrees.h. Not inlined, because its walks need all registers.
template <uint64_t spread, typename Node>
[[gnu::noinline]] bool follow(const Node *nodes, uint64_t count,
                              const typename Node::Key *keys, uint64_t slots,
                              uint64_t *at) {
  uint64_t walks[together];
  for (int64_t w = 0; w < together; ++w)
    walks[w] = at[w];
  for (uint64_t moved = 1; moved != 0;) {
    moved = 0;
    for (int64_t w = 0; w < together; ++w) {
      if (walks[w] >= count)
        return false;
      const Node &node = nodes[walks[w]];
      if (node.slot >= slots)
        return false;
      const uint64_t distance = node.distance;
      const uint64_t slot =
          node.slot * spread + (spread == 1 ? 0 : uint64_t(w));
      moved |= distance;
      walks[w] += distance + uint64_t(keys[slot] < node.bound);
    }
  }
  for (int64_t w = 0; w < together; ++w)
    at[w] = uint64_t(nodes[walks[w]].bound);
  return true;
}

/// Writes the leaves.
struct Leaves {
  int64_t trees;
  int64_t *out;

  explicit Leaves(const CpuTreeLeavesCall &call)
      : trees(call.roots.shape.sizes[0]), out(call.out.as<int64_t>()) {}
  void begin(int64_t) const {}
  /// Takes the leaves of `count` trees from `tree` on, for one row.
  bool ofTrees(int64_t row, int64_t tree, const uint64_t *leaves,
               int64_t count) const {
    for (int64_t i = 0; i < count; ++i)
      out[row * trees + tree + i] = int64_t(leaves[i]);
    return true;
  }
  /// Takes the leaves of eight rows from `row` on, for one tree.
  bool ofRows(int64_t row, int64_t tree, const uint64_t *leaves) const {
    for (int64_t i = 0; i < together; ++i)
      out[(row + i) * trees + tree] = int64_t(leaves[i]);
    return true;
  }
};

/// Adds up the weights of leaves; false if a leaf has no weights.
template <typename T> struct Sums {
  int64_t targets;
  uint64_t count; ///< of rows of weights
  const T *weights;
  T *out;

  explicit Sums(const CpuTreeSumsCall &call)
      : targets(call.weights.shape.sizes[1]),
        count(uint64_t(call.weights.shape.sizes[0])),
        weights(call.weights.as<const T>()), out(call.out.as<T>()) {}
  void begin(int64_t row) const {
    for (int64_t t = 0; t < targets; ++t)
      out[row * targets + t] = 0;
  }
  bool add(T *sums, uint64_t leaf) const {
    if (leaf >= count)
      return false;
    for (int64_t t = 0; t < targets; ++t)
      sums[t] += weights[int64_t(leaf) * targets + t];
    return true;
  }
  bool ofTrees(int64_t row, int64_t, const uint64_t *leaves,
               int64_t some) const {
    if (targets != 1) {
      for (int64_t i = 0; i < some; ++i)
        if (!add(out + row * targets, leaves[i]))
          return false;
      return true;
    }
    // Tree by tree as for eight rows, but in a register.
    T sum = out[row];
    for (int64_t i = 0; i < some; ++i)
      if (!add(&sum, leaves[i]))
        return false;
    out[row] = sum;
    return true;
  }
  bool ofRows(int64_t row, int64_t, const uint64_t *leaves) const {
    for (int64_t i = 0; i < together; ++i)
      if (!add(out + (row + i) * targets, leaves[i]))
        return false;
    return true;
  }
};

/// Finds the leaves of rows in all trees, and gives them to `Result`.
template <typename T, typename Node, typename Result> struct PackedSearch {
  using Key = typename Node::Key;
  const int64_t features, trees;
  const uint64_t count, slots; ///< of nodes, and of keys of a row
  const Node *nodes;
  const int64_t *roots;
  const T *in;
  const Result result;

  template <typename Call>
  explicit PackedSearch(const Call &call)
      : features(call.in.shape.sizes[1]), trees(call.roots.shape.sizes[0]),
        count(uint64_t(call.nodes.shape.sizes[0])),
        slots(uint64_t(PackedSlots{features}.count())),
        nodes(call.nodes.template as<const Node>()),
        roots(call.roots.template as<const int64_t>()),
        in(call.in.template as<const T>()), result(call) {}

  /// All trees for one row.
  bool walkTrees(int64_t row, Key *keys) const {
    packRow(in + row * features, features, keys, 1);
    uint64_t at[together];
    for (int64_t tree = 0; tree < trees; tree += together) {
      for (int64_t w = 0; w < together; ++w)
        at[w] = uint64_t(roots[smaller(tree + w, trees - 1)]);
      if (!follow<1>(nodes, count, keys, slots, at) ||
          !result.ofTrees(row, tree, at, smaller(together, trees - tree)))
        return false;
    }
    return true;
  }

  /// One tree for eight rows.
  bool walkRows(int64_t row, int64_t tree, const Key *keys) const {
    uint64_t at[together];
    for (uint64_t &place : at)
      place = uint64_t(roots[tree]);
    return follow<together>(nodes, count, keys, slots, at) &&
           result.ofRows(row, tree, at);
  }

  /// Rows [first, last) of a chunk: a tree stays in the first-level cache while
  /// all rows walk it.
  bool walkChunk(int64_t first, int64_t last, Key *keys) const {
    const int64_t blocks = (last - first) / together;
    const int64_t size = int64_t(slots) * together;
    for (int64_t row = first; row < last; ++row)
      result.begin(row);
    for (int64_t r = 0; r < blocks * together; ++r)
      packRow(in + (first + r) * features, features,
              keys + r / together * size + r % together, together);
    for (int64_t tree = 0; tree < trees; ++tree)
      for (int64_t b = 0; b < blocks; ++b)
        if (!walkRows(first + b * together, tree, keys + b * size))
          return false;
    for (int64_t row = first + blocks * together; row < last; ++row)
      if (!walkTrees(row, keys))
        return false;
    return true;
  }
};

template <typename T, typename Node, typename Result, typename Call>
GLOW_INLINE void walkAll(const Call &call, int64_t begin, int64_t end,
                         char *scratch, const Failure &failure) {
  const PackedSearch<T, Node, Result> search(call);
  const ChunkOfRows chunk(search.features);
  const int64_t last = smaller(call.in.shape.sizes[0], end * chunk.rows);
  const int64_t rows = chunk.walked();
  auto *keys = reinterpret_cast<typename Node::Key *>(scratch);
  for (int64_t row = begin * chunk.rows; row < last; row += rows)
    if (!search.walkChunk(row, smaller(last, row + rows), keys))
      return failure.report();
}

} // namespace

#define GLOW_PACKED_TREES(name, FloatResult, DoubleResult)                     \
  GLOW_WORK(name##_f32) { ChunkOfRows::cut(call, work); }                      \
  GLOW_WORK(name##_f64) { ChunkOfRows::cut(call, work); }                      \
  GLOW_KERNEL(name##_f32) {                                                    \
    if (call.nodes.shape.sizes[1] == 1)                                        \
      walkAll<float, SmallPackedNode, FloatResult>(call, begin, end, scratch,  \
                                                   failure);                   \
    else                                                                       \
      walkAll<float, LargePackedNode, FloatResult>(call, begin, end, scratch,  \
                                                   failure);                   \
  }                                                                            \
  GLOW_KERNEL(name##_f64) {                                                    \
    walkAll<double, LargePackedNode, DoubleResult>(call, begin, end, scratch,  \
                                                   failure);                   \
  }
GLOW_PACKED_TREES(cpu_tree_leaves, Leaves, Leaves)
GLOW_PACKED_TREES(cpu_tree_sums, Sums<float>, Sums<double>)
