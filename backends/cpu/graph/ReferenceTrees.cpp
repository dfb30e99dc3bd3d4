//===- ReferenceTrees.cpp - reference kernels of packed trees -------------===//
// SPDX-License-Identifier: MIT

#include "common/PackedTrees.h"
#include "glow/Generated/CpuCalls.h"
#include "interpreter/device/KernelSupport.h"

using namespace glow;
using namespace glow::cpu;
using namespace glow::kernels;

/// Gives `take` the leaf of each row and tree, one walk after the other.
template <typename T, typename Node, typename Call, typename Take>
static Status walkTrees(const Call &call, Take take) {
  const auto *nodes = dataOf<const Node>(call.nodes);
  const auto *roots = dataOf<const int64_t>(call.roots);
  const int64_t count = call.nodes.type->shape[0],
                features = call.in.type->shape[1],
                slots = PackedSlots{features}.count();
  std::vector<typename Node::Key> keys(static_cast<size_t>(slots));
  for (int64_t row = 0; row < call.in.type->shape[0]; ++row) {
    packRow(dataOf<const T>(call.in) + row * features, features, keys.data(),
            1);
    for (int64_t tree = 0; tree < call.roots.type->shape[0]; ++tree) {
      int64_t at = roots[tree], distance = 1;
      while (distance != 0) {
        if (at < 0 || at >= count || nodes[at].slot >= slots)
          return failure(Code::InvalidArgument, "a tree leads to node ", at,
                         " of ", count, ", or to a slot beyond ", slots);
        distance = nodes[at].distance;
        if (distance != 0)
          at += distance + (keys[nodes[at].slot] < nodes[at].bound);
      }
      if (!take(row, tree, nodes[at].bound))
        return failure(Code::InvalidArgument, "leaf ",
                       uint64_t(nodes[at].bound), " has no weights");
    }
  }
  return Status();
}

/// Calls `walk` with a number and a node of the kinds that the call has.
template <typename Call, typename Walk>
static Status visitNodes(const Call &call, Walk walk) {
  if (call.in.type->kind == ElementKind::F64)
    return walk(double(), LargePackedNode());
  return call.nodes.type->shape[1] == 1 ? walk(float(), SmallPackedNode())
                                        : walk(float(), LargePackedNode());
}

Status kernels::cpuTreeLeaves(const CpuTreeLeavesCall &call) {
  auto *out = dataOf<int64_t>(call.out);
  return visitNodes(call, [&]<typename T, typename Node>(T, Node) {
    return walkTrees<T, Node>(call, [&](int64_t, int64_t, uint64_t leaf) {
      *out++ = int64_t(leaf);
      return true;
    });
  });
}

Status kernels::cpuTreeSums(const CpuTreeSumsCall &call) {
  const Ints &weights = call.weights.type->shape;
  return visitNodes(call, [&]<typename T, typename Node>(T, Node) {
    auto *out = dataOf<T>(call.out);
    std::fill_n(out, call.out.type->elements(), T(0));
    return walkTrees<T, Node>(call, [&](int64_t row, int64_t, uint64_t leaf) {
      if (leaf >= uint64_t(weights[0]))
        return false;
      const T *each =
          dataOf<const T>(call.weights) + int64_t(leaf) * weights[1];
      for (int64_t t = 0; t < weights[1]; ++t)
        out[row * weights[1] + t] += each[t];
      return true;
    });
  });
}
