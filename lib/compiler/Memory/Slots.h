//===- Slots.h - slots of the arena, for their placement --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_MEMORY_SLOTS_H
#define GLOW_LIB_MEMORY_SLOTS_H

#include "glow/IR/Lifetimes.h"
#include "glow/Memory/Placement.h"

namespace glow::ir {

/// Bytes and lifetimes of the slots, in the order of the slots.
std::vector<Interval> intervalsOf(llvm::ArrayRef<Slot> slots);

/// Fails after a diagnostic if `alignment` is 0.
mlir::LogicalResult checkAlignment(FuncOp function, uint64_t alignment);

} // namespace glow::ir

#endif // GLOW_LIB_MEMORY_SLOTS_H
