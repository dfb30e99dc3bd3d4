//===- HeldBytes.h - the bytes that memories hold ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_MEMORY_HELDBYTES_H
#define GLOW_LIB_MEMORY_HELDBYTES_H

#include "CopyOrder.h"

namespace glow {

/// The bytes held in each memory while steps are put into a new order. Steps
/// that are not taken yet keep their positions; a start may move up, and a wait
/// may be late. A piece lingers if only late waits still touch it.
class HeldBytes {
public:
  HeldBytes(const CopySteps &steps, const CopyRoom &room);

  /// Whether the step may run now; lingering pieces count as well.
  bool fits(unsigned step) const;
  /// The additional bytes of each memory if this start moves up to the step
  /// `to`, which runs next.
  std::vector<uint64_t> added(unsigned to, unsigned start) const;
  /// Whether `bytes`, as returned by `added`, fit until the old position of the
  /// start. Unless the start is urgent, pieces whose copies are under way
  /// during the steps in between must fit as well.
  bool fitsEarlier(unsigned to, unsigned start,
                   const std::vector<uint64_t> &bytes, bool isUrgent) const;

  void moveUp(unsigned to, unsigned start);
  void delay(unsigned wait);
  void take(unsigned step);
  /// Whether pieces linger in a memory other than the arena.
  bool hasLingering() const;
  /// Whether this late wait touches a lingering piece outside of the arena.
  bool releases(unsigned wait) const;

private:
  const CopySteps &steps;
  const CopyRoom &room;
  size_t memories;
  std::vector<unsigned> firstTouch;  ///< step, of each piece
  std::vector<unsigned> left;        ///< touches to come, of each piece
  std::vector<unsigned> late;        ///< touches by late waits, of each piece
  std::vector<bool> lingers, isLate; ///< of each piece; of each step
  std::vector<uint64_t> lingering;   ///< bytes, of each memory
  CopyRoom held;                     ///< at each step, without lingering bytes
  CopyRoom expected;                 ///< by step: bytes expected to linger

  void expect(const std::vector<unsigned> &lastTouch);

  void settle(unsigned piece);
};

} // namespace glow

#endif // GLOW_LIB_MEMORY_HELDBYTES_H
