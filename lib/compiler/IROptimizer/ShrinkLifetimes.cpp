//===- ShrinkLifetimes.cpp - buffers only while in use --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Lifetimes.h"
#include "glow/IROptimizer/Passes.h"

namespace glow::ir {

#define GEN_PASS_DEF_SHRINKLIFETIMES
#include "glow/IROptimizer/Passes.h.inc"

namespace {

/// Moves each alloc before the first instruction of its buffer, and each
/// dealloc after the last.
///
/// Pinned after the passes that remove instructions, since lifetimes are then
/// as short as they get; before the plan of memory, which expects alloc and
/// dealloc where a buffer begins and ends. Ends because it visits each buffer
/// once.
struct ShrinkLifetimes : impl::ShrinkLifetimesBase<ShrinkLifetimes> {
  void runOnOperation() override { fitAll(getOperation()); }
};

} // namespace
} // namespace glow::ir
