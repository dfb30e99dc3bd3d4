//===- StepMemory.h - memory that steps take beside their buffers -*- C++
//-*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_STEPMEMORY_H
#define GLOW_BACKENDS_CPU_DEVICE_STEPMEMORY_H

#include "Code.h"

namespace glow::cpu {

/// Where it lies, in bytes from the start of the arena, each piece at a
/// multiple of 64: while a step runs, in what no buffer is in, else behind the
/// arena. No piece is in both.
struct StepMemory {
  struct Place {
    uint64_t shared = 0;
    uint64_t scratch = 0;         ///< of the first thread
    uint64_t scratchOfThread = 0; ///< from one thread's to the next
  };
  /// Where what does not fit into an arena begins.
  static uint64_t behind(uint64_t arenaBytes);

  std::vector<Place> places; ///< one a step
  uint64_t arenaBytes = 0;   ///< with all of it
};

/// The end of the arena for a step that takes so many bytes, of all threads and
/// of its one thread, beside the buffers of a plan: of holes between buffers in
/// use, the first that is large enough has each piece. The last hole has no
/// end.
uint64_t arenaWithStep(const StepCode &code, size_t step, uint64_t arenaBytes,
                       uint64_t sharedBytes, uint64_t scratchBytes);

/// The largest of these for the steps of a program. In an arena of that size,
/// `placeStepMemory` has places for all on one thread.
uint64_t arenaWithSteps(const StepCode &code,
                        const std::vector<StepSymbols> &symbols,
                        uint64_t arenaBytes);

/// For an arena of so many bytes. What steps ask for has been measured.
StepMemory placeStepMemory(const StepCode &code,
                           const std::vector<StepSymbols> &symbols,
                           uint64_t arenaBytes, unsigned threads);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_STEPMEMORY_H
