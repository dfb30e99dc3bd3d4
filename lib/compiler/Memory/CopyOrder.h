//===- CopyOrder.h - an order in which copies hide --------------*- C++ -*-===//

#ifndef GLOW_LIB_MEMORY_COPYORDER_H
#define GLOW_LIB_MEMORY_COPYORDER_H

#include <cstdint>
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
  std::vector<std::vector<unsigned>> after; ///< of each step: earlier steps
  std::vector<std::vector<unsigned>>
      touches; ///< of each step: pieces, each once
  std::vector<Piece> pieces;

  unsigned size() const { return unsigned(kinds.size()); }
};

/// The steps in an order in which each follows all of its `after`, other steps
/// follow each other as before, starts are as early as copies may need in turn
/// and waits as late as no memory takes more than its capacity while a step
/// runs, or than it does now: of each step one a memory, in bytes.
std::vector<unsigned>
orderCopies(const CopySteps &steps,
            const std::vector<std::vector<uint64_t>> &capacities);

} // namespace glow

#endif // GLOW_LIB_MEMORY_COPYORDER_H
