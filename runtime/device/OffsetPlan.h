//===- OffsetPlan.h - offsets in an arena for the sizes of a run -*- C++
//-*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICE_OFFSETPLAN_H
#define GLOW_RUNTIME_DEVICE_OFFSETPLAN_H

#include "glow/Runtime/StepDevice.h"

namespace glow {

/// The order in which the buffers of an arena lie, from which the offsets for
/// the sizes of a run follow in one pass.
///
/// The program has offsets for the greatest sizes. In a run, a buffer begins
/// where the highest of the buffers below it ends: those that are in use at one
/// of its steps and lie below it for the greatest sizes. Buffers that are apart
/// for the greatest sizes are then apart for all. Buffers that share memory,
/// such as views, move together.
class OffsetPlan {
public:
  /// The memory of a run, which a plan writes.
  struct Places {
    std::vector<uint64_t> begins, ends; ///< of each piece
    std::vector<uint64_t> ownBytes;     ///< bytes of the pieces of the runner
  };
  /// A buffer, or a piece of the runner, within a piece of the plan.
  struct Part {
    uint32_t source; ///< a buffer, or a piece of the runner behind all buffers
    uint32_t piece;
    uint64_t from; ///< offset within the piece
  };

  OffsetPlan() = default;
  /// `own` is the memory of the runner beside the buffers.
  OffsetPlan(const StepCode &code, std::span<const ArenaPiece> own);

  bool empty() const { return pieces.empty(); }
  /// Buffers in the arena that steps use, and the pieces of the runner.
  std::span<const Part> parts() const { return all; }
  /// Memory for `place`, with the bytes of `own` for the greatest sizes.
  Places places() const;

  /// Sets the offsets for buffers of these types. Returns the bytes of the
  /// arena. Takes no memory.
  uint64_t place(std::span<const TensorType> types, Places &places) const;

private:
  /// Buffers that share memory.
  struct Piece {
    uint64_t fixed = 0; ///< end of the parts whose size is the same in all runs
    uint32_t firstOpen = 0, firstBelow = 0; ///< up to those of the next piece
  };
  std::vector<Piece> pieces; ///< by offset, and one more as an end
  std::vector<Part> open;    ///< parts whose size a run gives
  std::vector<uint32_t> below;
  std::vector<Part> all;
  std::vector<uint64_t> ownBytes;
};

} // namespace glow

#endif // GLOW_RUNTIME_DEVICE_OFFSETPLAN_H
