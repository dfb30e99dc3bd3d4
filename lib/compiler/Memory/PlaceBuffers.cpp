//===- PlaceBuffers.cpp - every buffer has its place in the arena ---------===//

#include "Slots.h"
#include "glow/Memory/Passes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_PLACEBUFFERS
#include "glow/Memory/Passes.h.inc"

namespace {

/// Gives every buffer an offset in one arena, and checks them.
///
/// Pinned last of the passes on instructions: any change of order or buffers
/// after it would make the offsets wrong.
/// Ends because the search for offsets does a fixed amount of work at most.
struct PlaceBuffers : impl::PlaceBuffersBase<PlaceBuffers> {
  using PlaceBuffersBase::PlaceBuffersBase;

  void runOnOperation() override;
};

/// Whether all buffers, one after the other, have ends that fit an offset.
bool haveOffsets(ArrayRef<Slot> slots, uint64_t alignment) {
  uint64_t limit = std::numeric_limits<int64_t>::max();
  uint64_t sum = 0;
  for (const Slot &slot : slots) {
    if (slot.bytes > limit - alignment)
      return false;
    // No packing is larger than all buffers behind each other.
    sum = llvm::SaturatingAdd(sum, llvm::alignTo(slot.bytes, alignment));
  }
  return sum <= limit;
}

/// Where the whole is, and nowhere in the arena where that is a binding.
void placePart(AllocOp part) {
  auto [whole, from] = part.outermost();
  auto alloc = whole.getDefiningOp<AllocOp>();
  if (alloc && alloc.getOffset())
    part.setOffset(*alloc.getOffset() + from);
  else
    part.removeOffsetAttr();
}

} // namespace

void PlaceBuffers::runOnOperation() {
  FuncOp function = getOperation();
  if (failed(checkAlignment(function, alignment)))
    return signalPassFailure();
  std::vector<Slot> slots = slotsOf(function, Lifetimes(function));
  if (!haveOffsets(slots, alignment)) {
    function.emitOpError("has buffers of more than 2^63 bytes in all");
    return signalPassFailure();
  }
  Placement placement = place(intervalsOf(slots), alignment);
  for (auto [slot, offset] : llvm::zip(slots, placement.offsets))
    for (AllocOp alloc : slot.buffers)
      alloc.setOffset(offset);
  for (AllocOp alloc : function.block().getOps<AllocOp>())
    // Wholes stand before their parts, which have no slot of their own.
    if (alloc.getWhole())
      placePart(alloc);
  function.setArenaBytes(placement.arenaBytes);
  function.setLiveBytes(placement.liveBytes);
  if (failed(verifyPlacement(function, alignment)))
    signalPassFailure();
}

} // namespace glow::ir
