//===- CopyOrder.h - an order in which copies hide --------------*- C++ -*-===//

#ifndef GLOW_LIB_MEMORY_COPYORDER_H
#define GLOW_LIB_MEMORY_COPYORDER_H

#include "glow/Memory/Timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace glow {

/// Steps in an order that is right, and fits. A piece of a memory is in use
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
  std::vector<uint64_t> cycles;             ///< of each step, or of its copy
  std::vector<Moved> copies;                ///< of each step; empty if no start
  std::vector<std::vector<unsigned>> after; ///< of each step: earlier steps
  std::vector<std::vector<unsigned>>
      touches; ///< of each step: pieces, each once
  std::vector<Piece> pieces;
  Copiers copiers;

  unsigned size() const { return unsigned(kinds.size()); }
};

/// Bytes that the order may use: of each step one number a memory.
using CopyRoom = std::vector<std::vector<uint64_t>>;

/// Pieces for which places are kept beside each step ahead: pieces that copies
/// still take away; also pieces that copies bring for the step behind it; also
/// all pieces of the step before it. No look is the best everywhere.
enum class Look : uint8_t { Near, Far, Wide };

struct CopyOrder {
  std::vector<unsigned> steps;
  double cycles = 0; ///< of all steps, as predicted
  std::vector<std::optional<uint64_t>> offsets; ///< of each piece
  /// The first step whose pieces find no place: there is no order, then.
  std::optional<unsigned> stuck;
};

/// The steps in an order in which each follows all of its `after`, and the
/// places of their pieces in memories other than memory 0. Steps that are
/// neither starts nor waits keep their order. A start comes when its engine
/// would be idle without it, and no earlier than the copies behind it require;
/// a wait comes when a step needs the copy or its memory, or after the copy has
/// ended. While a step runs no memory holds more than `room` permits, or than
/// it holds in the given order; places end before the capacity of a memory.
CopyOrder orderCopies(const CopySteps &steps, const CopyRoom &room,
                      const std::vector<uint64_t> &capacities, Look look);

} // namespace glow

#endif // GLOW_LIB_MEMORY_COPYORDER_H
