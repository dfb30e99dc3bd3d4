//===- CheckPlannedMemory.cpp - verification of a plan's memory -----------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/MemorySize.h"
#include "glow/Memory/MemoryPlan.h"
#include "glow/Memory/Passes.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_CHECKPLANNEDMEMORY
#include "glow/Memory/Passes.h.inc"

namespace {

/// Checks that a function's arena, constants, inputs and outputs fit a limit.
/// With open sizes, those of the least sizes should: runs plan their arena, and
/// refuse sizes that do not fit.
///
/// Pinned after the passes that place buffers, whose results it adds up. Ends
/// because it visits each buffer once.
struct CheckPlannedMemory : impl::CheckPlannedMemoryBase<CheckPlannedMemory> {
  using CheckPlannedMemoryBase::CheckPlannedMemoryBase;

  void runOnOperation() override {
    uint64_t most = limit ? uint64_t(limit) : defaultMemoryLimit();
    MemoryPlan plan = MemoryPlan::of(getOperation());
    if (plan.least)
      plan.arenaBytes = plan.least->liveBytes,
      plan.boundBytes = plan.least->boundBytes;
    uint64_t all = plan.arenaBytes + plan.constantBytes + plan.boundBytes;
    markAllAnalysesPreserved();
    if (all <= most)
      return;
    getOperation().emitError()
        << "the model needs " << sizeText(all) << ": "
        << sizeText(plan.arenaBytes) << " for values between nodes, "
        << sizeText(plan.constantBytes) << " for constants, "
        << sizeText(plan.boundBytes) << " for inputs and outputs; the limit is "
        << sizeText(most) << ": give another memory-limit";
    signalPassFailure();
  }
};

} // namespace
} // namespace glow::ir
