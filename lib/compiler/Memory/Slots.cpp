//===- Slots.cpp - slots of the arena, for their placement ----------------===//
// SPDX-License-Identifier: MIT

#include "Slots.h"

using namespace mlir;
using namespace glow;

std::vector<Interval> ir::intervalsOf(ArrayRef<Slot> slots) {
  std::vector<Interval> intervals;
  for (const Slot &slot : slots)
    intervals.push_back({slot.bytes, slot.first, slot.last});
  return intervals;
}

LogicalResult ir::checkAlignment(FuncOp function, uint64_t alignment) {
  if (alignment > 0)
    return success();
  return function.emitOpError("has buffers aligned to 0 bytes, but should have "
                              "an alignment of 1 or more");
}
