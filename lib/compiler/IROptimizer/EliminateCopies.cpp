//===- EliminateCopies.cpp - copies that share one buffer -----------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Lifetimes.h"
#include "glow/IROptimizer/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_ELIMINATECOPIES
#include "glow/IROptimizer/Passes.h.inc"

namespace {

/// Merges the two buffers of a copy, wherever no instruction observes the
/// difference.
///
/// Forwards, readers of the target read the source. Backwards, writers of the
/// source write the target, which may be an output of the program.
///
/// Pinned first of the passes on instructions: IRGen makes copies freely, and
/// the others see more without them. Before share-buffers, after which a buffer
/// has several values and seldom equals another for long. Ends because it
/// visits each copy once, and keeps or removes the copy.
struct EliminateCopies : impl::EliminateCopiesBase<EliminateCopies> {
  void runOnOperation() override;
};

/// One copy and the uses of its two buffers.
class CopyUses {
public:
  CopyUses(Lifetimes &lifetimes, unsigned position, CopyInstr copy)
      : lifetimes(lifetimes), at(position), copy(copy), target(copy.getDest()),
        source(copy.getSrc()) {}

  /// Removes the copy if one of its buffers is enough.
  bool eliminate();

private:
  Lifetimes &lifetimes;
  unsigned at;
  CopyInstr copy;
  Value target, source;

  bool isTied(Value buffer) const;
  bool bothStayAsTheyAre(unsigned end) const;
  bool readersMayTakeSource() const;
  bool writersMayTakeTarget() const;
  void replace(Value old, Value by);
};

} // namespace

/// Whether the buffer shares memory with another one. Sharing depends on
/// lifetimes, which a merge would change.
bool CopyUses::isTied(Value buffer) const {
  auto alloc = buffer.getDefiningOp<AllocOp>();
  return alloc ? !alloc.isAlone()
               : llvm::any_of(buffer.getUsers(), llvm::IsaPred<AllocOp>);
}

/// Whether nothing writes either buffer after the copy, up to and including
/// `end`. The end is included, because an instruction that reads one buffer and
/// writes the other there would have to work in place.
bool CopyUses::bothStayAsTheyAre(unsigned end) const {
  return !lifetimes.writtenWithin(source, at + 1, end) &&
         !lifetimes.writtenWithin(target, at + 1, end);
}

/// Forwards: the target begins with the copy. Also, either the source ends with
/// it, or both have the same contents as long as the target is in use.
bool CopyUses::readersMayTakeSource() const {
  // An instruction in flight reads and writes at no single position.
  if (lifetimes.inFlight(source) || lifetimes.inFlight(target))
    return false;
  if (!target.getDefiningOp<AllocOp>() || lifetimes.range(target)->first != at)
    return false;
  bool sourceEnds =
      source.getDefiningOp<AllocOp>() && lifetimes.range(source)->last == at;
  return sourceEnds || bothStayAsTheyAre(lifetimes.range(target)->last);
}

/// Backwards: nothing touches the target while the source is made. Also, either
/// the source ends with the copy, or both have the same contents as long as the
/// source is in use. Asynchronous writes to the source land before the copy.
bool CopyUses::writersMayTakeTarget() const {
  if (!source.getDefiningOp<AllocOp>() || lifetimes.inFlight(target))
    return false;
  Lifetimes::Range use = *lifetimes.range(source);
  return !lifetimes.touchedWithin(target, use.first, at) &&
         (use.last == at || bothStayAsTheyAre(use.last));
}

void CopyUses::replace(Value old, Value by) {
  auto ends = llvm::make_filter_range(old.getUsers(), llvm::IsaPred<DeallocOp>);
  for (Operation *dealloc : llvm::make_early_inc_range(ends))
    dealloc->erase();
  lifetimes.absorb(old, by);
  old.replaceAllUsesWith(by);
  old.getDefiningOp()->erase();
  if (auto alloc = by.getDefiningOp<AllocOp>())
    lifetimes.fit(alloc);
}

bool CopyUses::eliminate() {
  if (target.getType() != source.getType() || isTied(target) || isTied(source))
    return false;
  bool forwards = target != source && readersMayTakeSource();
  bool backwards = target != source && !forwards && writersMayTakeTarget();
  if (target != source && !forwards && !backwards)
    return false;
  lifetimes.forget(at);
  copy.erase();
  if (forwards)
    replace(target, source);
  if (backwards)
    replace(source, target);
  return true;
}

void EliminateCopies::runOnOperation() {
  Lifetimes lifetimes(getOperation());
  for (unsigned i = 0, size = lifetimes.instrs().size(); i < size; ++i)
    if (auto copy = dyn_cast<CopyInstr>(lifetimes.instrs()[i]))
      CopyUses(lifetimes, i, copy).eliminate();
}

} // namespace glow::ir
