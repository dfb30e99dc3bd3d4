//===- TidyInstrs.cpp - buffers after instructions are gone ---------------===//
// SPDX-License-Identifier: MIT

#include "Edits.h"
#include "glow/Graph/Dialect.h"
#include "glow/IR/Access.h"
#include "glow/IR/Structure.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::reduce;
using namespace mlir;

/// The first access to a buffer, if an instruction is left that accesses it.
static std::optional<ir::Access> firstAccess(Value buffer, Block &block) {
  for (Operation &op : block) {
    if (!ir::isInstr(&op))
      continue;
    std::optional<ir::Access> found;
    // An instruction reads its operands before it writes.
    for (const ir::Access &access : ir::accessesOf(&op).buffers)
      if (access.buffer() == buffer && (!found || access.reads))
        found = access;
    if (found)
      return found;
  }
  return std::nullopt;
}

/// Ends a buffer, without a trace in those that had its memory.
static void dropBuffer(ir::AllocOp alloc) {
  for (OpOperand &use : llvm::make_early_inc_range(alloc.getBuffer().getUses()))
    if (auto other = dyn_cast<ir::AllocOp>(use.getOwner()))
      other.leaveOther();
    else if (isa<ir::DeallocOp>(use.getOwner()))
      use.getOwner()->erase();
  if (alloc.getBuffer().use_empty())
    alloc.erase();
}

/// A buffer that nothing writes before it is read is brought by the caller.
static void makeInput(ModuleOp module, ir::FuncOp function, ir::AllocOp alloc) {
  Operation *input =
      addPlaceholder(module, PlaceholderRole::Input, alloc.type().getTensor());
  BlockArgument binding = function.addBinding(
      alloc.getLoc(), alloc.type(), ir::BindingKind::Mutable,
      SymbolTable::getSymbolName(input).getValue());
  alloc.getBuffer().replaceUsesWithIf(
      binding, [](OpOperand &use) { return ir::isInstr(use.getOwner()); });
  dropBuffer(alloc);
}

/// Lets what lies within a binding have memory of its own.
static void freeParts(BlockArgument binding) {
  for (Operation *user : llvm::make_early_inc_range(binding.getUsers()))
    if (auto part = dyn_cast<ir::AllocOp>(user))
      part.leaveOther();
}

/// Forgets bindings that no instruction touches. An output that is read first
/// has a value from the caller now.
static void tidyBindings(ir::FuncOp function) {
  Builder builder(function.getContext());
  SmallVector<Attribute> storage, kinds;
  llvm::BitVector unused(unsigned(function.bindings().size()));
  for (BlockArgument binding : function.bindings()) {
    unsigned number = binding.getArgNumber();
    auto first = firstAccess(binding, function.block());
    if (!first || first->reads)
      freeParts(binding);
    if (!first) {
      unused.set(number);
      continue;
    }
    bool given =
        first->reads && function.kindOf(binding) == ir::BindingKind::Output;
    storage.push_back(function.getStorage()[number]);
    kinds.push_back(given ? builder.getStringAttr("mutable")
                          : function.getKinds()[number]);
  }
  function.block().eraseArguments(unused);
  function.setStorageAttr(builder.getArrayAttr(storage));
  function.setKindsAttr(builder.getArrayAttr(kinds));
}

void reduce::tidyInstrs(ModuleOp module) {
  for (ir::FuncOp function : module.getOps<ir::FuncOp>()) {
    for (auto alloc :
         llvm::make_early_inc_range(function.block().getOps<ir::AllocOp>())) {
      auto first = firstAccess(alloc.getBuffer(), function.block());
      if (!first)
        dropBuffer(alloc);
      else if (first->reads)
        makeInput(module, function, alloc);
    }
    tidyBindings(function);
  }
}
