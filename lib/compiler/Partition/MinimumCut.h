//===- MinimumCut.h - a minimum cut of a network ----------------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_MINIMUMCUT_H
#define GLOW_LIB_PARTITION_MINIMUMCUT_H

#include <cstdint>
#include <vector>

namespace glow::partition {

/// A network of which the least sum of capacities is found that separates the
/// source from the sink, by Dinic's algorithm: augmenting paths in levels
/// (Soviet Math. Doklady 11, 1970).
class MinimumCut {
public:
  static constexpr uint32_t source = 0, sink = 1;
  /// What no cut goes through, unless there is no other.
  static constexpr int64_t uncut = int64_t(1) << 60;

  MinimumCut() : firstEdge(2, none) {}

  uint32_t addNode();
  /// Costs `capacity` where `from` is on the side of the source and `to` is
  /// not.
  void addEdge(uint32_t from, uint32_t to, int64_t capacity);

  /// The sum of the capacities that are cut.
  int64_t run();
  /// After that: whether a node is on the side of the source.
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
