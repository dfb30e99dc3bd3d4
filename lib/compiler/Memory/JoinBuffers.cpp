//===- JoinBuffers.cpp - parts computed inside their concatenation --------===//
// SPDX-License-Identifier: MIT
//
// A concatenation copies nothing where its operands are computed in its result,
// and a split nothing where its results stay in its operand.
// All parts of one instruction are tried together first. A part that stays
// apart would be copied, and the whole would be allocated from the first use of
// the other parts on. If joining raises the peak, or a buffer may not be a
// part, each part is tried alone.
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

/// Puts buffers within the result that joins them, so that joining needs no
/// copy.
///
/// Pinned after share-buffers, which needs buffers with memory of their own;
/// before place-buffers, which derives a part's place from that of its whole.
/// Ends because it visits each instruction once, and its work is bounded.
struct JoinBuffers : impl::JoinBuffersBase<JoinBuffers> {
  using JoinBuffersBase::JoinBuffersBase;

  void runOnOperation() override;
};

/// Joins buffers one after the other, as long as the peak does not grow.
class Joiner {
public:
  Joiner(FuncOp function, uint64_t alignment)
      : function(function), alignment(alignment), lifetimes(function),
        liveBytes(countLiveBytes()) {
    workOfTry = function.block().getOperations().size();
  }

  void join(Operation *instr);
  void take(Operation *instr);

private:
  FuncOp function;
  uint64_t alignment;
  Lifetimes lifetimes;
  uint64_t liveBytes; ///< the most in use at once

  /// Work left, in operations visited: each try visits all of them. The limit
  /// takes some hundred milliseconds.
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

/// The buffer that the instruction writes, if no earlier instruction uses it.
AllocOp Joiner::freshWhole(Operation *instr) const {
  auto whole = instr->getOperand(0).getDefiningOp<AllocOp>();
  // Offsets within sizes that a run gives are not known.
  if (!whole || whole.type().getTensor().getEncoding() || whole.getReused() ||
      whole.getWhole() || whole.type().getSpace() ||
      lifetimes.inFlight(whole.getBuffer()))
    return nullptr;
  // The first part would overwrite any earlier contents.
  unsigned first = lifetimes.entries(whole.getBuffer()).front().position;
  return lifetimes.instrs()[first] == instr ? whole : nullptr;
}

/// Whether the buffer owns its memory, so that it may be placed elsewhere.
bool Joiner::mayBePart(const Joined &joined) const {
  AllocOp part = allocOf(joined);
  return part && !part.getWhole() && !part.getReused() &&
         !part.type().getSpace() && part.type().bytes() > 0 &&
         joined.from % alignment == 0 &&
         llvm::none_of(part.getBuffer().getUsers(), [&](Operation *user) {
           auto other = dyn_cast<AllocOp>(user);
           // A buffer that reuses this one's memory would have to move along.
           return other && other.getReused() == part.getBuffer();
         });
}

/// Puts the parts within the whole. Undoes that if a part may not be there, or
/// if more memory is needed than before.
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
  // The whole must be allocated before its first part, since a use comes after
  // the definition.
  if (first != whole)
    whole->moveBefore(first);
  if (tryParts(whole, parts) || parts.size() == 1)
    return;
  for (const Joined &joined : parts)
    if (workLeft)
      tryParts(whole, joined);
}

/// Whether a buffer is the other one, or a part of it.
static bool liesWithin(AllocOp buffer, AllocOp other) {
  while (buffer && buffer != other) {
    Value whole = buffer.getWhole();
    buffer = whole ? whole.getDefiningOp<AllocOp>() : AllocOp();
  }
  return bool(buffer);
}

/// Puts the results that an instruction takes from a buffer, as a split does,
/// within that buffer.
void Joiner::take(Operation *instr) {
  for (const Access &access : accessesOf(instr).buffers) {
    if (!workLeft || !access.writes || access.reads)
      continue;
    auto part = access.buffer().getDefiningOp<AllocOp>();
    std::optional<View> view =
        part ? viewOf(instr, part.getBuffer()) : std::nullopt;
    auto whole = view ? view->source.getDefiningOp<AllocOp>() : AllocOp();
    if (whole && !liesWithin(whole, part) && !whole.type().getSpace() &&
        mayBePart({part.getBuffer(), view->from}))
      tryParts(whole, Joined{part.getBuffer(), view->from});
  }
}

void JoinBuffers::runOnOperation() {
  FuncOp function = getOperation();
  if (failed(checkAlignment(function, alignment)))
    return signalPassFailure();
  Joiner joiner(function, alignment);
  for (Operation &operation : function.block())
    if (isInstr(&operation))
      joiner.join(&operation);
  for (Operation &operation : function.block())
    if (isInstr(&operation))
      joiner.take(&operation);
  fitAll(function);
}

} // namespace glow::ir
