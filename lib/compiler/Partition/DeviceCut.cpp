//===- DeviceCut.cpp - the best items for one device ----------------------===//
// SPDX-License-Identifier: MIT
//
// A node on the source's side is on the device, a node on the sink's side is
// elsewhere. A value has a node for its users on each side, so that it crosses
// once for all of its users.
//
//===----------------------------------------------------------------------===//

#include "DeviceCut.h"
#include "MinimumCut.h"
#include <algorithm>
#include <cmath>

using namespace glow::partition;

namespace {

class Network {
public:
  Network(const Problem &problem, const std::vector<double> &shares,
          uint32_t device, const Weights &weights,
          const std::vector<double> &prices)
      : problem(problem), shares(shares), device(device),
        weight(weights.seconds[device]), byteWeight(weights.bytes[device]),
        prices(prices) {}

  DeviceItems run() {
    for (uint32_t i = 0; i < problem.items.size(); ++i)
      addItem(i);
    for (const Value &value : problem.values)
      addValue(value);
    cut.run();
    DeviceItems found;
    for (uint32_t node : nodes)
      found.has.push_back(cut.isAtSource(node));
    sum(found);
    return found;
  }

private:
  /// Adds an edge; its capacity is rounded to picoseconds.
  void addEdge(uint32_t from, uint32_t to, double seconds) {
    const bool isCut = seconds < 1e5;
    rounded += isCut ? 1e-12 : 0;
    cut.addEdge(from, to,
                isCut ? std::llround(seconds * 1e12) : MinimumCut::uncut);
  }

  double costOf(uint32_t index) const {
    const double seconds = problem.items[index].seconds[device];
    return seconds < never
               ? weight * seconds + byteWeight * shares[index] - prices[index]
               : never;
  }

  double transfer(const Value &value) const {
    return problem.devices[device].transfer(value.bytes);
  }

  void addItem(uint32_t index) {
    nodes.push_back(cut.addNode());
    const double cost = costOf(index);
    if (cost >= 0)
      addEdge(nodes.back(), MinimumCut::sink, cost);
    else
      addEdge(MinimumCut::source, nodes.back(), -cost);
  }

  void addValue(const Value &value) {
    const double cost = weight * transfer(value);
    if (cost == 0)
      return;
    if (value.producer && value.isOutput)
      addEdge(nodes[*value.producer], MinimumCut::sink, cost);
    if (value.users.empty())
      return;
    const uint32_t here = cut.addNode();
    for (uint32_t user : value.users)
      cut.addEdge(nodes[user], here, MinimumCut::uncut);
    addEdge(here, value.producer ? nodes[*value.producer] : MinimumCut::sink,
            cost);
    if (!value.producer || value.isOutput)
      return;
    const uint32_t elsewhere = cut.addNode();
    for (uint32_t user : value.users)
      cut.addEdge(elsewhere, nodes[user], MinimumCut::uncut);
    addEdge(nodes[*value.producer], elsewhere, cost);
  }

  void sum(DeviceItems &found) const {
    double earned = 0;
    for (uint32_t i = 0; i < problem.items.size(); ++i)
      if (found.has[i]) {
        found.seconds += problem.items[i].seconds[device];
        found.bytes += shares[i];
        earned += prices[i];
      }
    for (const Value &value : problem.values) {
      auto isHere = [&](uint32_t user) { return bool(found.has[user]); };
      const bool isOurs = value.producer && isHere(*value.producer);
      const bool crosses =
          isOurs ? value.isOutput || !std::ranges::all_of(value.users, isHere)
                 : std::ranges::any_of(value.users, isHere);
      if (crosses)
        found.seconds += transfer(value);
    }
    found.value =
        weight * found.seconds + byteWeight * found.bytes - earned - rounded;
  }

  const Problem &problem;
  const std::vector<double> &shares;
  const uint32_t device;
  const double weight, byteWeight;
  const std::vector<double> &prices;
  MinimumCut cut;
  std::vector<uint32_t> nodes; ///< by item
  double rounded = 0;          ///< by how much the cut may be off, at most
};

} // namespace

DeviceItems glow::partition::cutDevice(const Problem &problem,
                                       const std::vector<double> &shares,
                                       uint32_t device, const Weights &weights,
                                       const std::vector<double> &prices) {
  return Network(problem, shares, device, weights, prices).run();
}
