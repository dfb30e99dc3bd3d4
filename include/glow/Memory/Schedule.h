//===- Schedule.h - order of steps for less memory --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_MEMORY_SCHEDULE_H
#define GLOW_MEMORY_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace glow {

/// Steps with their dependences and the memory that each needs. A piece of
/// memory is in use from the first step that needs it to the last.
struct Steps {
  std::vector<uint64_t> bytes;              ///< size of each piece of memory
  std::vector<std::vector<unsigned>> needs; ///< pieces of each step, no repeats
  std::vector<std::vector<unsigned>> after; ///< for each step, the earlier
                                            ///< steps that it follows

  unsigned size() const { return needs.size(); }
};

/// The most bytes in use at once if the steps run in this order.
uint64_t peakBytes(const Steps &steps, const std::vector<unsigned> &order);

/// An order of the steps in which each step follows all of its `after`. Its
/// peak is not above that of 0, 1, 2, ...; that very order if none is better.
std::vector<unsigned> schedule(const Steps &steps);

} // namespace glow

#endif // GLOW_MEMORY_SCHEDULE_H
