//===- ViewBindings.cpp - a reshape of a binding is the binding -----------===//

#include "glow/IR/Lifetimes.h"
#include "glow/Memory/Parts.h"
#include "glow/Memory/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_VIEWBINDINGS
#include "glow/Memory/Passes.h.inc"

namespace {

/// Lets buffers that have the same bytes as a binding lie within it, so that an
/// instruction which only looks at them another way copies nothing.
///
/// Pinned before share-buffers, which would write another result over a view of
/// an input, or over what is to be an output; after schedule-for-memory, which
/// may only move what nothing else lies in.
/// Ends because it visits each instruction twice.
struct ViewBindings : impl::ViewBindingsBase<ViewBindings> {
  void runOnOperation() override;
};

class Viewer {
public:
  explicit Viewer(FuncOp function) : function(function), lifetimes(function) {}

  void makeWithinOutput(Operation *instr);
  void takeFromBinding(Operation *instr);

private:
  FuncOp function;
  Lifetimes lifetimes;

  BlockArgument bindingOf(Value buffer) const;
  bool mayMove(AllocOp alloc) const;
  void tie(AllocOp part, Value whole);
};

} // namespace

/// What the buffer is, or lies within; null for one of the arena.
BlockArgument Viewer::bindingOf(Value buffer) const {
  auto alloc = buffer.getDefiningOp<AllocOp>();
  return dyn_cast<BlockArgument>(alloc ? alloc.outermost().first : buffer);
}

/// Whether the buffer is nowhere yet, and may be anywhere.
bool Viewer::mayMove(AllocOp alloc) const {
  return alloc && alloc.isAlone() && !alloc.type().getSpace() &&
         alloc.type().bytes() > 0;
}

void Viewer::tie(AllocOp part, Value whole) {
  part.getWholeMutable().assign(whole);
  part.setFrom(0);
  lifetimes.findParts(function);
  JoinedParts known;
  if (!faultOfPart(lifetimes, part, known).empty()) {
    part.leaveOther();
    lifetimes.findParts(function);
    return;
  }
  auto alloc = whole.getDefiningOp<AllocOp>();
  if (alloc && part->isBeforeInBlock(alloc))
    alloc->moveBefore(part);
}

/// What an instruction makes an output of is made there.
void Viewer::makeWithinOutput(Operation *instr) {
  Value source = sameBytesAsResult(instr);
  auto part = source ? source.getDefiningOp<AllocOp>() : AllocOp();
  if (!mayMove(part))
    return;
  BlockArgument binding = bindingOf(instr->getOperand(0));
  if (binding && function.kindOf(binding) == BindingKind::Output)
    tie(part, instr->getOperand(0));
}

/// What an instruction makes of a binding is there already.
void Viewer::takeFromBinding(Operation *instr) {
  Value source = sameBytesAsResult(instr);
  auto part =
      source ? instr->getOperand(0).getDefiningOp<AllocOp>() : AllocOp();
  if (!mayMove(part))
    return;
  BlockArgument binding = bindingOf(source);
  if (binding && function.kindOf(binding) != BindingKind::Constant)
    tie(part, source);
}

void ViewBindings::runOnOperation() {
  FuncOp function = getOperation();
  Viewer viewer(function);
  // From the last to the first, since what an output is made of may be made of
  // another buffer in the same way; and then onwards, since what is taken from
  // a binding may be taken from again.
  for (Operation &operation : llvm::reverse(function.block()))
    if (isInstr(&operation))
      viewer.makeWithinOutput(&operation);
  for (Operation &operation : function.block())
    if (isInstr(&operation))
      viewer.takeFromBinding(&operation);
  fitAll(function);
}

} // namespace glow::ir
