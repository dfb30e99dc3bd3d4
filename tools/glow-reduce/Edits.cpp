//===- Edits.cpp - ways to make a module smaller --------------------------===//
// SPDX-License-Identifier: MIT

#include "Edits.h"
#include "glow/Graph/Dialect.h"
#include "glow/IR/Access.h"
#include "glow/IR/Structure.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

using namespace glow;
using namespace glow::reduce;
using namespace mlir;

static bool isNode(Operation *op) {
  return op->getParentOp() && isa<FuncOp>(op->getParentOp()) &&
         !isa<ReadOp, SaveOp>(op);
}

static bool isInstr(Operation *op) {
  return isa_and_nonnull<ir::FuncOp>(op->getParentOp()) && ir::isInstr(op);
}

template <typename Predicate>
static Operations collect(ModuleOp module, Predicate predicate) {
  Operations found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (predicate(op))
      found.push_back(op);
  });
  return found;
}

size_t reduce::sizeOf(ModuleOp module) {
  return collect(module,
                 [](Operation *op) { return isNode(op) || isInstr(op); })
      .size();
}

Operation *reduce::addPlaceholder(ModuleOp module, PlaceholderRole role,
                                  Type type) {
  std::string name;
  for (unsigned i = 0; name.empty() || module.lookupSymbol(name); ++i)
    name = (wordOf(role) + Twine(i)).str();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  return PlaceholderOp::create(builder, module.getLoc(),
                               builder.getStringAttr(name), type, role);
}

static StringRef nameOf(Operation *storage) {
  return SymbolTable::getSymbolName(storage).getValue();
}

//===----------------------------------------------------------------------===//
// Functions and saves
//===----------------------------------------------------------------------===//

/// All but the last one: a module without any function shows nothing.
static Operations functions(ModuleOp module) {
  Operations found = collect(
      module, [](Operation *op) { return isa<FuncOp, ir::FuncOp>(op); });
  if (!found.empty())
    found.pop_back();
  return found;
}

static Operations saves(ModuleOp module) {
  return collect(module, [](Operation *op) { return isa<SaveOp>(op); });
}

static Operations instrs(ModuleOp module) { return collect(module, isInstr); }

static void erase(ModuleOp, ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static Operations nodes(ModuleOp module) { return collect(module, isNode); }

/// Gives the values that only `ops` use to the caller, so that what makes them
/// stays.
static void saveOperands(ModuleOp module,
                         const llvm::SmallPtrSetImpl<Operation *> &ops) {
  for (Operation *op : ops)
    for (Value operand : op->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (!maker || isa<ReadOp>(maker) || ops.contains(maker) ||
          !llvm::all_of(operand.getUsers(),
                        [&](Operation *user) { return ops.contains(user); }))
        continue;
      OpBuilder builder(op);
      Operation *output =
          addPlaceholder(module, PlaceholderRole::Output, operand.getType());
      SaveOp::create(builder, op->getLoc(), operand, nameOf(output));
    }
}

/// Removes the nodes. Other nodes that read their results read inputs of the
/// module instead. Values that only these nodes read become outputs.
static void cut(ModuleOp module, ArrayRef<Operation *> chosen) {
  llvm::SmallPtrSet<Operation *, 16> ops(chosen.begin(), chosen.end());
  saveOperands(module, ops);
  for (Operation *op : chosen) {
    OpBuilder builder(op);
    for (Value result : op->getResults()) {
      if (llvm::all_of(result.getUsers(),
                       [&](Operation *user) { return ops.contains(user); }))
        continue;
      Operation *input =
          addPlaceholder(module, PlaceholderRole::Input, result.getType());
      result.replaceUsesWithIf(
          ReadOp::create(builder, op->getLoc(), result.getType(),
                         nameOf(input)),
          [&](OpOperand &use) { return !ops.contains(use.getOwner()); });
    }
  }
  erase(module, chosen);
}

/// A value of the type that is available before `op`. An operand of `op` is
/// preferred, which keeps the nodes before and after it connected.
static Value standIn(Operation *op, Type type) {
  for (Value operand : op->getOperands())
    if (operand.getType() == type)
      return operand;
  for (Operation &before : *op->getBlock()) {
    if (&before == op)
      break;
    for (Value result : before.getResults())
      if (result.getType() == type)
        return result;
  }
  return {};
}

static Operations replaceable(ModuleOp module) {
  return collect(module, [](Operation *op) {
    return (isNode(op) || isa<ReadOp>(op)) &&
           llvm::all_of(op->getResultTypes(),
                        [&](Type type) { return bool(standIn(op, type)); });
  });
}

static void replace(ModuleOp, ArrayRef<Operation *> chosen) {
  for (Operation *op : chosen) {
    for (Value result : op->getResults())
      if (Value other = standIn(op, result.getType()))
        result.replaceAllUsesWith(other);
    // The value that replaced it may be gone by now.
    if (op->use_empty())
      op->erase();
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static TypedAttr zeroOf(ConstantOp constant) {
  return Builder(constant.getContext())
      .getZeroAttr(constant.getValue().getType());
}

static Operations constants(ModuleOp module) {
  return collect(module, [](Operation *op) {
    auto constant = dyn_cast<ConstantOp>(op);
    TypedAttr zero = constant ? zeroOf(constant) : TypedAttr();
    return zero && zero != constant.getValue();
  });
}

static void makeZero(ModuleOp, ArrayRef<Operation *> chosen) {
  for (Operation *op : chosen) {
    auto constant = cast<ConstantOp>(op);
    constant.setValueAttr(cast<ElementsAttr>(zeroOf(constant)));
  }
}

std::span<const Edit> reduce::allEdits() {
  static const Edit edits[] = {{"functions", functions, erase},
                               {"saves", saves, erase},
                               {"nodes", nodes, cut},
                               {"instructions", instrs, erase},
                               {"values", replaceable, replace},
                               {"constants", constants, makeZero}};
  return edits;
}

//===----------------------------------------------------------------------===//
// Leftovers
//===----------------------------------------------------------------------===//

static void tidyNodes(ModuleOp module) {
  for (FuncOp function : module.getOps<FuncOp>())
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(function.block())))
      if (op.use_empty() && !isa<SaveOp>(op))
        op.erase();
}

static void tidyStorage(ModuleOp module) {
  llvm::StringSet<> used;
  module.walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op))
      used.insert(read.getStorage());
    else if (auto save = dyn_cast<SaveOp>(op))
      used.insert(save.getStorage());
    else if (auto function = dyn_cast<ir::FuncOp>(op))
      for (BlockArgument binding : function.bindings())
        used.insert(function.storageOf(binding));
    if (auto predicate =
            op->getAttrOfType<FlatSymbolRefAttr>(GlowDialect::predicate))
      used.insert(predicate.getValue());
  });
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<PlaceholderOp, ConstantOp>(op) && !used.contains(nameOf(&op)))
      op.erase();
}

void reduce::tidy(ModuleOp module) {
  tidyNodes(module);
  tidyInstrs(module);
  tidyStorage(module);
}
