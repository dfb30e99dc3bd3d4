//===- ViewBindings.cpp - views of bindings are parts of them -------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Lifetimes.h"
#include "glow/Memory/Parts.h"
#include "glow/Memory/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_VIEWBINDINGS
#include "glow/Memory/Passes.h.inc"

namespace {

/// Places buffers with bytes of a binding within it, so that an instruction
/// that only views the bytes, in another shape or as a part, needs no copy.
///
/// Pinned before share-buffers, which would write another result over a view of
/// an input, or over a future output; after schedule-for-memory, which may only
/// move buffers without parts. Ends because it visits each instruction twice.
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
  void tie(AllocOp part, Value whole, uint64_t from);
};

} // namespace

/// The binding that the buffer is or lies within; null for a buffer of the
/// arena.
BlockArgument Viewer::bindingOf(Value buffer) const {
  auto alloc = buffer.getDefiningOp<AllocOp>();
  return dyn_cast<BlockArgument>(alloc ? alloc.outermost().first : buffer);
}

/// Whether the buffer has no place yet, and may lie anywhere.
bool Viewer::mayMove(AllocOp alloc) const {
  return alloc && alloc.isAlone() && !alloc.type().getSpace() &&
         alloc.type().bytes() > 0;
}

void Viewer::tie(AllocOp part, Value whole, uint64_t from) {
  part.getWholeMutable().assign(whole);
  part.setFrom(from);
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

/// Lets the source of an output be computed within the output.
void Viewer::makeWithinOutput(Operation *instr) {
  Value source = sameBytesAsResult(instr);
  auto part = source ? source.getDefiningOp<AllocOp>() : AllocOp();
  if (!mayMove(part))
    return;
  BlockArgument binding = bindingOf(instr->getOperand(0));
  if (binding && function.kindOf(binding) == BindingKind::Output)
    tie(part, instr->getOperand(0), 0);
}

/// Lets views of a binding lie within the binding.
void Viewer::takeFromBinding(Operation *instr) {
  for (const Access &access : accessesOf(instr).buffers) {
    auto part = access.buffer().getDefiningOp<AllocOp>();
    if (!access.writes || access.reads || !mayMove(part))
      continue;
    std::optional<View> view = viewOf(instr, part.getBuffer());
    if (!view)
      continue;
    BlockArgument binding = bindingOf(view->source);
    if (binding && function.kindOf(binding) != BindingKind::Constant)
      tie(part, view->source, view->from);
  }
}

void ViewBindings::runOnOperation() {
  FuncOp function = getOperation();
  Viewer viewer(function);
  // Backwards first: the source of an output may itself be a view of another
  // buffer. Then forwards: a view of a binding may be viewed again.
  for (Operation &operation : llvm::reverse(function.block()))
    if (isInstr(&operation))
      viewer.makeWithinOutput(&operation);
  for (Operation &operation : function.block())
    if (isInstr(&operation))
      viewer.takeFromBinding(&operation);
  fitAll(function);
}

} // namespace glow::ir
