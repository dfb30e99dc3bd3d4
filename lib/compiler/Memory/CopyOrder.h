//===- CopyOrder.h - schedule that hides copies -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_MEMORY_COPYORDER_H
#define GLOW_LIB_MEMORY_COPYORDER_H

#include "glow/Memory/Timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace glow {

/// Steps in a valid order that fits the memories. A piece of a memory is in use
/// from the first step that touches it to the last.
struct CopySteps {
  enum class Kind : uint8_t {
    Start, ///< of a copy
    Wait,  ///< for copies, and nothing else
    Other
  };
  struct Piece {
    unsigned memory;
    uint64_t bytes;
  };
  std::vector<Kind> kinds;                  ///< of each step
  std::vector<uint64_t> cycles;             ///< cycles of each step or its copy
  std::vector<Moved> copies;                ///< of each step; empty if no start
  std::vector<std::vector<unsigned>> after; ///< by step: earlier steps it needs
  std::vector<std::vector<unsigned>> touches; ///< by step: pieces, each once
  std::vector<Piece> pieces;
  Copiers copiers;

  unsigned size() const { return unsigned(kinds.size()); }
};

/// The bytes that the order may use, by step and memory.
using CopyRoom = std::vector<std::vector<uint64_t>>;

/// The pieces that the search reserves beside each step ahead. Near: pieces
/// that copies still take away. Far: also pieces that copies bring for the next
/// step. Wide: also all pieces of the step before. No value is the best
/// everywhere.
enum class Look : uint8_t { Near, Far, Wide };

struct CopyOrder {
  std::vector<unsigned> steps;
  double cycles = 0; ///< predicted cycles of all steps
  std::vector<std::optional<uint64_t>> offsets; ///< of each piece
  /// The first step whose pieces find no place; then there is no order.
  std::optional<unsigned> stuck;
};

/// Orders the steps, each after all of its `after`. Places their pieces in the
/// memories other than memory 0. Steps that are neither starts nor waits keep
/// their order. A start comes when its engine would be idle without it, and no
/// earlier than later copies require. A wait comes when a step needs the copy
/// or its memory, or after the copy has ended. While a step runs, no memory
/// holds more than `room` permits, or than it holds in the given order; pieces
/// end before the capacity of a memory.
CopyOrder orderCopies(const CopySteps &steps, const CopyRoom &room,
                      const std::vector<uint64_t> &capacities, Look look);

} // namespace glow

#endif // GLOW_LIB_MEMORY_COPYORDER_H
