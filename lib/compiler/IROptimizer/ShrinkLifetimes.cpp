//===- ShrinkLifetimes.cpp - buffers only while in use --------------------===//

#include "glow/IR/Lifetimes.h"
#include "glow/IROptimizer/Passes.h"

namespace glow::ir {

#define GEN_PASS_DEF_SHRINKLIFETIMES
#include "glow/IROptimizer/Passes.h.inc"

namespace {

/// Puts alloc before the first instruction of its buffer, dealloc after the
/// last.
///
/// Pinned after the passes that remove instructions, for then lifetimes are as
/// short as they get; before the plan of memory, whose reader expects alloc and
/// dealloc to stand where a buffer begins and ends.
/// Ends because it visits each buffer once.
struct ShrinkLifetimes : impl::ShrinkLifetimesBase<ShrinkLifetimes> {
  void runOnOperation() override { fitAll(getOperation()); }
};

} // namespace
} // namespace glow::ir
