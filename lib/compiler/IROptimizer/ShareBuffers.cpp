//===- ShareBuffers.cpp - results in the buffers of dying inputs ----------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Lifetimes.h"
#include "glow/IROptimizer/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_SHAREBUFFERS
#include "glow/IROptimizer/Passes.h.inc"

namespace {

/// Lets an instruction write its result over an input, where its record allows
/// that and no later instruction reads that input.
///
/// Two buffers of the same type become one. If the types differ, as those of a
/// reshape, the later buffer is marked `reuse`, so that both may have the same
/// address in the arena.
///
/// Pinned after eliminate-copies and eliminate-dead-stores, which need one
/// value in each buffer; before the plan of memory, which it makes smaller.
/// Ends because it visits each instruction once, and each time a buffer fewer
/// is left or marked.
struct ShareBuffers : impl::ShareBuffersBase<ShareBuffers> {
  void runOnOperation() override {
    Lifetimes lifetimes(getOperation());
    wholes.clear(), changed.clear();
    for (auto alloc : getOperation().block().getOps<AllocOp>())
      wholes.insert(alloc.getWhole());
    for (unsigned i = 0, size = lifetimes.instrs().size(); i < size; ++i)
      share(lifetimes, i);
    // Fitted at the end, since a chain of any length may have become one
    // buffer.
    for (Value buffer : changed)
      lifetimes.fit(buffer.getDefiningOp<AllocOp>());
  }

private:
  llvm::DenseSet<Value> wholes;           ///< that others lie within
  llvm::SmallSetVector<Value, 8> changed; ///< buffers with extended lifetimes

  void share(Lifetimes &lifetimes, unsigned position);
  AllocOp dyingInput(const Lifetimes &lifetimes, unsigned position,
                     AllocOp result) const;
};

/// The result buffer whose lifetime begins at the instruction, or null.
AllocOp freshResult(const Lifetimes &lifetimes, unsigned position) {
  for (const Access &access :
       accessesOf(lifetimes.instrs()[position]).buffers) {
    auto alloc = access.buffer().getDefiningOp<AllocOp>();
    if (access.writes && !access.reads && alloc && alloc.isAlone() &&
        lifetimes.range(access.buffer())->first == position)
      return alloc;
  }
  return nullptr;
}

} // namespace

/// The input whose memory the result may take, if possible one of the same
/// type.
AllocOp ShareBuffers::dyingInput(const Lifetimes &lifetimes, unsigned position,
                                 AllocOp result) const {
  AllocOp found;
  Operation *instr = lifetimes.instrs()[position];
  for (Value buffer : instr->getOperands()) {
    auto input = buffer.getDefiningOp<AllocOp>();
    if (!input || input == result || input.getWhole() ||
        wholes.contains(buffer) || lifetimes.inFlight(buffer) ||
        lifetimes.range(buffer)->last != position ||
        !mayWorkInPlace(instr, buffer, result.getBuffer()))
      continue;
    if (input.type() == result.type())
      return input;
    if (!found)
      found = input;
  }
  return found;
}

void ShareBuffers::share(Lifetimes &lifetimes, unsigned position) {
  AllocOp result = freshResult(lifetimes, position);
  if (!result || lifetimes.inFlight(result.getBuffer()))
    return;
  AllocOp input = dyingInput(lifetimes, position, result);
  if (!input)
    return;
  if (input.type() != result.type()) {
    result->moveBefore(lifetimes.instrs()[position]);
    result.getReusedMutable().assign(input.getBuffer());
    changed.insert(input.getBuffer());
    return;
  }
  lifetimes.absorb(result.getBuffer(), input.getBuffer());
  result.getBuffer().replaceAllUsesWith(input.getBuffer());
  changed.remove(result.getBuffer());
  changed.insert(input.getBuffer());
  result.erase();
}

} // namespace glow::ir
