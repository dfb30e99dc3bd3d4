//===- Placement.h - many lifetimes in one arena ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_MEMORY_PLACEMENT_H
#define GLOW_MEMORY_PLACEMENT_H

#include <cstdint>
#include <span>
#include <vector>

namespace glow {

/// A piece of memory and its live interval: from step `first` to step `last`,
/// both inclusive.
struct Interval {
  uint64_t bytes;
  unsigned first;
  unsigned last;
};

struct Placement {
  std::vector<uint64_t> offsets; ///< bytes, in the order of the intervals
  uint64_t arenaBytes = 0;       ///< the end of the last interval
  uint64_t liveBytes = 0;        ///< a lower bound of any arena
};

/// The largest sum of bytes in use at one step, each interval rounded up to
/// `alignment`.
uint64_t largestLiveSum(std::span<const Interval> intervals,
                        uint64_t alignment);

/// Assigns an offset to each interval, a multiple of `alignment`, so that
/// intervals in use at the same step do not overlap.
///
/// Finding the smallest arena is NP-hard. This function tries several orders.
/// It then improves the best one until the arena is `liveBytes` or a fixed
/// amount of work is done. It is deterministic: equal intervals get equal
/// offsets. In practice the arena is within a tenth of `liveBytes`.
Placement place(std::span<const Interval> intervals, uint64_t alignment);

} // namespace glow

#endif // GLOW_MEMORY_PLACEMENT_H
