//===- MinimumCut.h - a minimum cut of a network ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_MINIMUMCUT_H
#define GLOW_LIB_PARTITION_MINIMUMCUT_H

#include <cstdint>
#include <vector>

namespace glow::partition {

/// Finds the minimum cut of a network: the least sum of capacities that
/// separates the source from the sink. Uses Dinic's algorithm, augmenting paths
/// in levels (Soviet Math. Doklady 11, 1970).
class MinimumCut {
public:
  static constexpr uint32_t source = 0, sink = 1;
  /// The capacity of an edge that is cut only if every cut has such an edge.
  static constexpr int64_t uncut = int64_t(1) << 60;

  MinimumCut() : firstEdge(2, none) {}

  uint32_t addNode();
  /// Adds an edge that costs `capacity` if `from` is on the source's side and
  /// `to` is not.
  void addEdge(uint32_t from, uint32_t to, int64_t capacity);

  /// Finds the cut; returns the sum of its capacities.
  int64_t run();
  /// After run(), whether a node is on the source's side.
  bool isAtSource(uint32_t node) const { return levels[node] != none; }

private:
  static constexpr uint32_t none = ~0u;
  struct Edge {
    uint32_t to, next;
    int64_t left;
  };
  bool findLevels();
  int64_t augment();

  std::vector<uint32_t> firstEdge;
  std::vector<Edge> edges; ///< each beside its opposite
  std::vector<uint32_t> levels, nextEdge;
};

} // namespace glow::partition

#endif // GLOW_LIB_PARTITION_MINIMUMCUT_H
