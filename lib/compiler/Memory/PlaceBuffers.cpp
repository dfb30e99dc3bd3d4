//===- PlaceBuffers.cpp - offsets of buffers in the arena -----------------===//
// SPDX-License-Identifier: MIT

#include "Slots.h"
#include "glow/IR/Names.h"
#include "glow/Memory/Passes.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_PLACEBUFFERS
#include "glow/Memory/Passes.h.inc"

namespace {

/// Assigns every buffer an offset in the arena or in its own memory, and checks
/// the offsets.
///
/// Pinned last of the passes on instructions: any change of order or buffers
/// after it would make the offsets wrong. Ends because the search for offsets
/// does a fixed amount of work at most.
struct PlaceBuffers : impl::PlaceBuffersBase<PlaceBuffers> {
  using PlaceBuffersBase::PlaceBuffersBase;

  void runOnOperation() override;

private:
  LogicalResult placeAll(FuncOp function, ArrayRef<MemorySpace> spaces);
};

/// Whether the sum of all buffers fits an offset.
bool haveOffsets(ArrayRef<Slot> slots, uint64_t alignment) {
  uint64_t limit = std::numeric_limits<int64_t>::max();
  uint64_t sum = 0;
  for (const Slot &slot : slots) {
    if (slot.bytes > limit - alignment)
      return false;
    // No packing is larger than all buffers one after the other.
    sum = llvm::SaturatingAdd(sum, llvm::alignTo(slot.bytes, alignment));
  }
  return sum <= limit;
}

/// Derives the offset of a part from its outermost whole. Within a binding, the
/// part has no offset in the arena.
void placePart(AllocOp part) {
  auto [whole, from] = part.outermost();
  auto alloc = whole.getDefiningOp<AllocOp>();
  if (alloc && alloc.getOffset())
    part.setOffset(*alloc.getOffset() + from);
  else
    part.removeOffsetAttr();
}

} // namespace

/// Reports a memory that is too small: the instruction that needs most, and its
/// largest buffers.
static LogicalResult refuseFull(FuncOp function, const Lifetimes &lifetimes,
                                const MemorySpace &memory, ArrayRef<Slot> slots,
                                const Placement &placement) {
  if (placement.liveBytes <= memory.bytes)
    return function.emitOpError("has at most ")
           << placement.liveBytes << " bytes in use at once in memory '"
           << memory.name << "' of " << memory.bytes
           << " bytes, but no places were found for them [fits-memory]";
  std::vector<uint64_t> inUse(lifetimes.instrs().size());
  for (const Slot &slot : slots)
    for (unsigned step = slot.first; step <= slot.last; ++step)
      inUse[step] += llvm::alignTo(slot.bytes, memory.alignment);
  unsigned most = unsigned(llvm::max_element(inUse) - inUse.begin());
  SmallVector<const Slot *> there;
  for (const Slot &slot : slots)
    if (slot.first <= most && most <= slot.last)
      there.push_back(&slot);
  llvm::sort(there,
             [](const Slot *a, const Slot *b) { return a->bytes > b->bytes; });
  InFlightDiagnostic error = lifetimes.instrs()[most]->emitOpError();
  error << "needs " << inUse[most] << " bytes of memory '" << memory.name
        << "', which has " << memory.bytes << ": ";
  llvm::interleaveComma(
      ArrayRef(there).take_front(4), error, [&](const Slot *slot) {
        AllocOp alloc = slot->buffers.front();
        error << "'" << nameOf(alloc.getBuffer()) << "' has " << slot->bytes;
      });
  return error << (there.size() > 4 ? ", and others" : "") << " [fits-memory]";
}

/// Whether slots that are in use at the same time do not overlap.
static bool areApart(ArrayRef<Slot> slots, ArrayRef<uint64_t> offsets) {
  std::vector<unsigned> order(slots.size()), inUse;
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return slots[a].first < slots[b].first;
  });
  for (unsigned next : order) {
    llvm::erase_if(inUse, [&](unsigned other) {
      return slots[other].last < slots[next].first;
    });
    if (llvm::any_of(inUse, [&](unsigned other) {
          return offsets[other] < offsets[next] + slots[next].bytes &&
                 offsets[next] < offsets[other] + slots[other].bytes;
        }))
      return false;
    inUse.push_back(next);
  }
  return true;
}

/// The offsets that an earlier pass assigned to the buffers, if all of them
/// have valid ones.
static std::optional<Placement> givenPlaces(ArrayRef<Slot> slots,
                                            const MemorySpace &memory) {
  Placement given;
  for (const Slot &slot : slots) {
    std::optional<uint64_t> offset = AllocOp(slot.buffers.front()).getOffset();
    for (AllocOp alloc : slot.buffers)
      if (!offset || alloc.getOffset() != offset)
        return std::nullopt;
    if (*offset % memory.alignment || *offset > memory.bytes ||
        slot.bytes > memory.bytes - *offset)
      return std::nullopt;
    given.offsets.push_back(*offset);
    given.arenaBytes =
        std::max(given.arenaBytes,
                 llvm::alignTo(*offset + slot.bytes, memory.alignment));
  }
  if (!areApart(slots, given.offsets))
    return std::nullopt;
  given.liveBytes = largestLiveSum(intervalsOf(slots), memory.alignment);
  return given;
}

/// Assigns offsets to the buffers of one memory.
static FailureOr<Placement> placeIn(FuncOp function, const Lifetimes &lifetimes,
                                    const MemorySpace &memory) {
  std::vector<Slot> slots = slotsOf(function, lifetimes, memory.name);
  if (!haveOffsets(slots, memory.alignment))
    return function.emitOpError("has buffers of more than 2^63 bytes in all");
  Placement placement = place(intervalsOf(slots), memory.alignment);
  if (placement.arenaBytes > memory.bytes)
    if (std::optional<Placement> given = givenPlaces(slots, memory))
      placement = std::move(*given);
  if (placement.arenaBytes > memory.bytes)
    return refuseFull(function, lifetimes, memory, slots, placement);
  for (auto [slot, offset] : llvm::zip(slots, placement.offsets))
    for (AllocOp alloc : slot.buffers)
      alloc.setOffset(offset);
  return placement;
}

/// The arena as a memory, which grows as needed.
static MemorySpace arenaOf(uint64_t alignment) {
  return {"", std::numeric_limits<uint64_t>::max(), alignment};
}

LogicalResult PlaceBuffers::placeAll(FuncOp function,
                                     ArrayRef<MemorySpace> spaces) {
  Lifetimes lifetimes(function);
  FailureOr<Placement> arena = placeIn(function, lifetimes, arenaOf(alignment));
  if (failed(arena))
    return failure();
  NamedAttrList used;
  for (const MemorySpace &memory : spaces) {
    FailureOr<Placement> placed = placeIn(function, lifetimes, memory);
    if (failed(placed))
      return failure();
    if (!placed->offsets.empty())
      used.append(memory.name, Builder(function).getI64IntegerAttr(
                                   int64_t(placed->arenaBytes)));
  }
  for (AllocOp alloc : function.block().getOps<AllocOp>())
    // An enclosing buffer comes before its parts, which have no slot of their
    // own.
    if (alloc.getWhole())
      placePart(alloc);
  function.setArenaBytes(arena->arenaBytes);
  function.setLiveBytes(arena->liveBytes);
  if (used.empty())
    function.removeMemoryBytesAttr();
  else
    function.setMemoryBytesAttr(used.getDictionary(&getContext()));
  return verifyPlacement(function, alignment, spaces);
}

void PlaceBuffers::runOnOperation() {
  FuncOp function = getOperation();
  FailureOr<std::vector<MemorySpace>> spaces =
      memorySpacesOf(function, memories);
  if (failed(checkAlignment(function, alignment)) || failed(spaces) ||
      failed(placeAll(function, *spaces)))
    signalPassFailure();
}

} // namespace glow::ir
