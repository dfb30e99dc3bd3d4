//===- Placement.h - many lifetimes in one arena ----------------*- C++ -*-===//

#ifndef GLOW_MEMORY_PLACEMENT_H
#define GLOW_MEMORY_PLACEMENT_H

#include <cstdint>
#include <span>
#include <vector>

namespace glow {

/// A piece of memory and when it is in use: from step `first` to step `last`,
/// both inclusive.
struct Interval {
  uint64_t bytes;
  unsigned first;
  unsigned last;
};

struct Placement {
  std::vector<uint64_t> offsets; ///< one an interval, in bytes
  uint64_t arenaBytes = 0;       ///< the end of the last one
  uint64_t liveBytes = 0;        ///< no arena can be smaller
};

/// The largest sum of bytes in use at one step, each interval rounded up to
/// `alignment`.
uint64_t largestLiveSum(std::span<const Interval> intervals,
                        uint64_t alignment);

/// Gives each interval an offset, a multiple of `alignment`, so that no two
/// that are in use at the same step overlap.
///
/// The smallest arena is a hard problem. This tries several orders, then
/// improves the best until it is `liveBytes` or a fixed amount of work is done;
/// the same intervals always get the same offsets. In practice the arena is
/// within a tenth of `liveBytes`.
Placement place(std::span<const Interval> intervals, uint64_t alignment);

} // namespace glow

#endif // GLOW_MEMORY_PLACEMENT_H
