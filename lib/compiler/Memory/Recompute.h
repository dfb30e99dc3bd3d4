//===- Recompute.h - values that are computed twice -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_MEMORY_RECOMPUTE_H
#define GLOW_LIB_MEMORY_RECOMPUTE_H

#include <cstdint>
#include <optional>
#include <vector>

namespace glow {

/// Steps of a program in their order, and the pieces of memory that they use. A
/// piece of 0 bytes takes no memory that counts, as an input.
struct RepeatableSteps {
  struct Step {
    std::vector<unsigned> reads, writes; ///< pieces, no repeats
    uint64_t cost = 0;
    bool repeats = false; ///< gives the same again if its reads hold the same
    unsigned copyOf = 0;  ///< number of the given step
  };
  std::vector<uint64_t> bytes; ///< of each piece
  std::vector<Step> steps;

  /// The most bytes in use at once, and the first step at which they are.
  struct Peak {
    uint64_t bytes = 0;
    unsigned step = 0;
  };
  Peak peak() const;
  uint64_t cost() const;
};

/// Repeats steps until the peak is at most `limit` bytes, or as low as a search
/// finds it. A value that no step reads for long is not kept: its step, and the
/// steps for those of its operands that are no more, run again before the next
/// step that reads it. The value whose bytes cost least goes first. New steps
/// have pieces of their own, behind those given.
RepeatableSteps recompute(const RepeatableSteps &steps, uint64_t limit);

} // namespace glow

#endif // GLOW_LIB_MEMORY_RECOMPUTE_H
