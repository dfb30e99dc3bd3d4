//===- PairCut.cpp - the best share-out between two devices ---------------===//
// SPDX-License-Identifier: MIT
//
// A node on the source's side is on the first device, a node on the sink's side
// is on the second. A value has two more nodes, so that it crosses once for all
// of its users. One node is on the sink's side if any user is, the other is on
// the source's side if any user is.
//
//===----------------------------------------------------------------------===//

#include "PairCut.h"
#include "MinimumCut.h"
#include <cmath>

using namespace glow::partition;

namespace {

class Network {
public:
  Network(const Problem &problem, const std::vector<double> &shares,
          std::array<uint32_t, 2> pair, const Weights &weights)
      : problem(problem), shares(shares), pair(pair), weights(weights) {}

  void run(Assignment &assignment) {
    nodes.assign(assignment.size(), none);
    for (uint32_t i = 0; i < assignment.size(); ++i)
      if (assignment[i] == pair[0] || assignment[i] == pair[1])
        addItem(i);
    for (const Value &value : problem.values)
      addValue(value);
    cut.run();
    for (uint32_t i = 0; i < assignment.size(); ++i)
      if (nodes[i] != none)
        assignment[i] = pair[cut.isAtSource(nodes[i]) ? 0 : 1];
  }

private:
  static constexpr uint32_t none = ~0u;

  /// In picoseconds.
  static int64_t capacity(double seconds) {
    return seconds < 1e5 ? std::llround(seconds * 1e12) : MinimumCut::uncut;
  }
  double transfer(size_t side, const Value &value) const {
    return weights.seconds[pair[side]] *
           problem.devices[pair[side]].transfer(value.bytes);
  }

  void addItem(uint32_t index) {
    const Item &item = problem.items[index];
    nodes[index] = cut.addNode();
    std::array<double, 2> costs;
    for (size_t side = 0; side < 2; ++side) {
      const uint32_t device = pair[side];
      costs[side] = item.seconds[device] < never
                        ? weights.seconds[device] * item.seconds[device] +
                              weights.bytes[device] * shares[index]
                        : never;
    }
    addCosts(nodes[index], costs);
  }

  /// Adds the cost of a node on either side.
  void addCosts(uint32_t node, std::array<double, 2> costs) {
    cut.addEdge(node, MinimumCut::sink, capacity(costs[0]));
    cut.addEdge(MinimumCut::source, node, capacity(costs[1]));
  }

  void addValue(const Value &value) {
    std::vector<uint32_t> users;
    bool leaves = value.isOutput;
    for (uint32_t user : value.users)
      if (nodes[user] != none)
        users.push_back(nodes[user]);
      else
        leaves = true;
    const uint32_t producer = value.producer ? nodes[*value.producer] : none;
    std::array<double, 2> costs = {transfer(0, value), transfer(1, value)};
    if (producer != none && leaves)
      addCosts(producer, costs);
    if (users.empty())
      return;
    // A value between the two devices leaves one and arrives at the other for
    // this crossing alone.
    double toSecond = costs[1], toFirst = costs[0];
    if (producer != none && !leaves)
      toSecond = toFirst = costs[0] + costs[1];
    const uint32_t atSecond = cut.addNode(), atFirst = cut.addNode();
    for (uint32_t user : users) {
      cut.addEdge(atSecond, user, MinimumCut::uncut);
      cut.addEdge(user, atFirst, MinimumCut::uncut);
    }
    cut.addEdge(producer == none ? MinimumCut::source : producer, atSecond,
                capacity(toSecond));
    cut.addEdge(atFirst, producer == none ? MinimumCut::sink : producer,
                capacity(toFirst));
  }

  const Problem &problem;
  const std::vector<double> &shares;
  const std::array<uint32_t, 2> pair;
  const Weights &weights;
  MinimumCut cut;
  std::vector<uint32_t> nodes; ///< by item; none: it stays
};

} // namespace

std::vector<double> glow::partition::constantShares(const Problem &problem) {
  std::vector<unsigned> readers(problem.constants.size());
  for (const Item &item : problem.items)
    for (uint32_t constant : item.constants)
      ++readers[constant];
  std::vector<double> shares;
  for (const Item &item : problem.items) {
    double &share = shares.emplace_back();
    for (uint32_t constant : item.constants)
      share += double(problem.constants[constant]) / readers[constant];
  }
  return shares;
}

void glow::partition::cutPair(const Problem &problem,
                              const std::vector<double> &shares,
                              std::array<uint32_t, 2> pair,
                              const Weights &weights, Assignment &assignment) {
  Network(problem, shares, pair, weights).run(assignment);
}
