//===- StepMemory.h - memory that steps take beside their buffers -*- C++
// SPDX-License-Identifier: MIT
//
//-*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_STEPMEMORY_H
#define GLOW_BACKENDS_CPU_DEVICE_STEPMEMORY_H

#include "Code.h"

namespace glow::cpu {

/// The offsets of step memory from the start of the arena, in bytes, at
/// multiples of 64. A piece lies in a part of the arena that no buffer uses
/// while the step runs, or else behind the arena; never across its end.
struct StepMemory {
  struct Place {
    uint64_t shared = 0;
    uint64_t scratch = 0;         ///< scratch of the first thread
    uint64_t scratchOfThread = 0; ///< distance to that of the next thread
  };
  /// The offset at which memory behind an arena begins.
  static uint64_t behind(uint64_t arenaBytes);
  /// The distance between the scratch of two threads.
  static uint64_t ofThread(uint64_t scratchBytes);

  std::vector<Place> places; ///< one a step
  uint64_t arenaBytes = 0;   ///< with all of it
};

/// The buffers of an arena that live while a step runs. A walk from step to
/// step meets each buffer twice.
class LiveBuffers {
public:
  explicit LiveBuffers(const StepCode &code);

  /// The places of the buffers that live at `step`. The reference is valid
  /// until the next call. An earlier step than before starts the walk again.
  const std::vector<const BufferPlace *> &at(size_t step);

private:
  std::vector<const BufferPlace *> byFirst; ///< in the order of first steps
  std::vector<const BufferPlace *> live;
  size_t next = 0;    ///< of `byFirst`
  size_t reached = 0; ///< the step of `live`
};

/// The arena size that a step needs on one thread, with its shared and scratch
/// bytes beside the planned buffers. Each piece takes the first hole between
/// live buffers that is large enough. The last hole has no end.
uint64_t arenaWithStep(LiveBuffers &buffers, size_t step, uint64_t arenaBytes,
                       uint64_t sharedBytes, uint64_t scratchBytes);

/// The largest of these for the steps of a program. In an arena of that size,
/// `placeStepMemory` has places for all on one thread.
uint64_t arenaWithSteps(const StepCode &code,
                        const std::vector<StepSymbols> &symbols,
                        uint64_t arenaBytes);

/// Places the memory of all steps for an arena of so many bytes. The sizes in
/// `symbols` have been measured.
StepMemory placeStepMemory(const StepCode &code,
                           const std::vector<StepSymbols> &symbols,
                           uint64_t arenaBytes, unsigned threads);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_STEPMEMORY_H
