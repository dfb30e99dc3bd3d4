//===- Graphs.h - graphs for scheduling -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Typical networks, with sizes in KiB: the planner is measured on them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TEST_MEMORY_GRAPHS_H
#define GLOW_TEST_MEMORY_GRAPHS_H

#include "glow/Memory/Schedule.h"

#include <random>
#include <string>

namespace glow {

/// Builds steps; a step makes one tensor from earlier tensors.
class GraphSteps {
public:
  Steps steps;

  unsigned add(uint64_t kilobytes, std::vector<unsigned> inputs = {}) {
    unsigned step = steps.size();
    steps.bytes.push_back(kilobytes * 1024);
    steps.needs.push_back(inputs);
    steps.needs.back().push_back(step);
    steps.after.push_back(std::move(inputs));
    return step;
  }
};

struct NamedSteps {
  std::string name;
  Steps steps; ///< in the order in which a framework would write them
};

/// Each step of up to two of the twenty before it, of any size up to 1000
/// bytes.
Steps randomSteps(std::mt19937 &random, unsigned count);

/// The graphs of the table in docs/Scheduling.md.
std::vector<NamedSteps> namedGraphs();

/// The original Glow's order: depth first from the results, and among operands
/// first the operand that frees most, by its peak less its result.
std::vector<unsigned> childrenByMemory(const Steps &steps);

/// The least peak of all orders of up to 24 steps.
uint64_t leastPeak(const Steps &steps);

/// The arena of the steps in an order, as buffers are placed.
uint64_t arenaOf(const Steps &steps, const std::vector<unsigned> &order);

} // namespace glow

#endif // GLOW_TEST_MEMORY_GRAPHS_H
