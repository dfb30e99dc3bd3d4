//===- StepCalls.h - operands of steps that call functions ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_STEPCALLS_H
#define GLOW_PROGRAM_STEPCALLS_H

#include "glow/Program/Steps.h"
#include <optional>
#include <span>
#include <vector>

namespace glow {

using BufferList = std::span<const uint32_t>;

/// The operands of an `if`, in the order of its instruction.
struct IfOperands {
  explicit IfOperands(const Step &step);
  BufferList values, condition, captured, others;
};

/// The operands of a `loop`, in the order of its instruction.
struct LoopOperands {
  explicit LoopOperands(const Step &step);
  BufferList values, next, trip, going, trips, condition, initial, sliced,
      captured;

  size_t carried() const { return initial.size(); }
  BufferList stacked() const {
    return values.subspan(carried(), values.size() - carried() - 1);
  }
  uint32_t done() const { return values.back(); } ///< the number of trips
};

/// The most times that a run executes each step, in order; nothing for a step
/// of a loop whose trips have no bound.
std::vector<std::optional<uint64_t>> mostRunsOf(const StepCode &code);

/// The number of segments of these instructions, and of attributes of a `loop`.
constexpr size_t segmentsOfIf = 4, segmentsOfLoop = 9, attributesOfLoop = 4;

/// Whether a run fails where another trip of a `loop` follows the last one that
/// its count allows. Programs of older builds do not have the attribute.
inline bool isChecked(const Step &loop) {
  return loop.attributes.size() == attributesOfLoop &&
         std::get<bool>(loop.attributes.back());
}

} // namespace glow

#endif // GLOW_PROGRAM_STEPCALLS_H
