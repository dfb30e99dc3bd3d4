//===- JoinBuffers.cpp - parts are made where the whole has them ----------===//
//
// A concatenation copies nothing where its operands are made in its result. All
// parts of one instruction are tried together first: one that stays apart would
// be copied, and the whole would be there from the first use of the others on.
// Where that makes the peak higher, or one may not be a part, each is tried
// alone.
//
//===----------------------------------------------------------------------===//

#include "Slots.h"
#include "glow/Memory/Parts.h"
#include "glow/Memory/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_JOINBUFFERS
#include "glow/Memory/Passes.h.inc"

namespace {

/// Puts buffers within the result that joins them, so that joining copies
/// nothing.
///
/// Pinned after share-buffers, which wants a buffer's memory to be its own;
/// before place-buffers, which gives a part the place that its whole leaves it.
/// Ends because it visits each instruction once, and with the work it may do.
struct JoinBuffers : impl::JoinBuffersBase<JoinBuffers> {
  using JoinBuffersBase::JoinBuffersBase;

  void runOnOperation() override;
};

/// Joins one buffer after the other, as long as no more bytes are in use.
class Joiner {
public:
  Joiner(FuncOp function, uint64_t alignment)
      : function(function), alignment(alignment), lifetimes(function),
        liveBytes(countLiveBytes()) {
    workOfTry = function.block().getOperations().size();
  }

  void join(Operation *instr);

private:
  FuncOp function;
  uint64_t alignment;
  Lifetimes lifetimes;
  uint64_t liveBytes; ///< the most in use at once

  /// Looks at one buffer, of which each try needs all: some hundred
  /// milliseconds.
  uint64_t workLeft = 20'000'000;
  uint64_t workOfTry = 0;

  uint64_t countLiveBytes() const;
  AllocOp freshWhole(Operation *instr) const;
  bool mayBePart(const Joined &joined) const;
  bool tryParts(AllocOp whole, ArrayRef<Joined> parts);
};

AllocOp allocOf(const Joined &joined) {
  return joined.part.getDefiningOp<AllocOp>();
}

} // namespace

uint64_t Joiner::countLiveBytes() const {
  std::vector<Interval> intervals = intervalsOf(slotsOf(function, lifetimes));
  return intervals.empty() ? 0 : largestLiveSum(intervals, alignment);
}

/// The one buffer that the instruction writes, if it is the first to use it.
AllocOp Joiner::freshWhole(Operation *instr) const {
  auto whole = instr->getOperand(0).getDefiningOp<AllocOp>();
  if (!whole || whole.getReused() || whole.getWhole() ||
      whole.type().getSpace() || lifetimes.inFlight(whole.getBuffer()))
    return nullptr;
  // Something else in it before would be overwritten by the first part.
  unsigned first = lifetimes.entries(whole.getBuffer()).front().position;
  return lifetimes.instrs()[first] == instr ? whole : nullptr;
}

/// Whether the buffer has memory of its own, which could be elsewhere.
bool Joiner::mayBePart(const Joined &joined) const {
  AllocOp part = allocOf(joined);
  return part && !part.getWhole() && !part.getReused() &&
         !part.type().getSpace() && part.type().bytes() > 0 &&
         joined.from % alignment == 0 &&
         llvm::none_of(part.getBuffer().getUsers(), [&](Operation *user) {
           auto other = dyn_cast<AllocOp>(user);
           // A buffer that takes over this one's memory would have to move
           // along.
           return other && other.getReused() == part.getBuffer();
         });
}

/// Puts the parts within the whole, unless one may not be there or it takes
/// more memory than before.
bool Joiner::tryParts(AllocOp whole, ArrayRef<Joined> parts) {
  for (const Joined &joined : parts) {
    AllocOp part = allocOf(joined);
    part.getWholeMutable().assign(whole.getBuffer());
    part.setFrom(joined.from);
  }
  lifetimes.findParts(function);
  workLeft -= std::min(workLeft, workOfTry);
  JoinedParts known;
  bool fits = llvm::all_of(parts, [&](const Joined &joined) {
    return faultOfPart(lifetimes, allocOf(joined), known).empty();
  });
  uint64_t live = fits ? countLiveBytes() : 0;
  if (fits && live <= liveBytes) {
    liveBytes = live;
    return true;
  }
  for (const Joined &joined : parts)
    allocOf(joined).leaveOther();
  lifetimes.findParts(function);
  return false;
}

void Joiner::join(Operation *instr) {
  if (workLeft == 0)
    return;
  SmallVector<Joined> parts;
  llvm::SmallPtrSet<Value, 8> seen;
  for (const Joined &joined : joinedBy(instr))
    if (seen.insert(joined.part).second && mayBePart(joined))
      parts.push_back(joined);
  AllocOp whole = parts.empty() ? nullptr : freshWhole(instr);
  if (!whole)
    return;
  AllocOp first = whole;
  for (const Joined &joined : parts)
    if (allocOf(joined)->isBeforeInBlock(first))
      first = allocOf(joined);
  // The whole is there as soon as its first part is: a use must stand behind
  // what it uses.
  if (first != whole)
    whole->moveBefore(first);
  if (tryParts(whole, parts) || parts.size() == 1)
    return;
  for (const Joined &joined : parts)
    if (workLeft)
      tryParts(whole, joined);
}

void JoinBuffers::runOnOperation() {
  FuncOp function = getOperation();
  if (failed(checkAlignment(function, alignment)))
    return signalPassFailure();
  Joiner joiner(function, alignment);
  for (Operation &operation : function.block())
    if (isInstr(&operation))
      joiner.join(&operation);
  fitAll(function);
}

} // namespace glow::ir
