//===- FoldConstants.cpp - constant folding -------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Memory.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/Verify.h"
#include "glow/Optimizer/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_FOLDCONSTANTS
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// Replaces a node whose operands are all constant by a constant.
///
/// Pinned before the rewrites, which look for constants. Ends because it visits
/// each node once, in order.
///
/// A node stays if its result is larger than `limit` and than twice its source
/// constants, such as a fill of zeros or a broadcast bias. Later nodes may
/// still use its value. A bias of the size of an image would be a large
/// constant, of which no rewrite sees that it varies along the channels only.
///
/// With `marks`, a node that repeats its operand stays however small its result
/// is, so that rewrites see the same graph at every size. With `widen`, the
/// size of a tensor is its number of elements.
///
/// With `lowered`, pinned after lowering, constants that rules built are
/// computed however large, since the rules' writers rely on it. Nodes of the
/// model that stayed keep their mark and stay; `keepMarks` means that another
/// lowering follows.
struct FoldConstants : impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    evaluator = NodeEvaluator::of(&getContext());
    if (!evaluator)
      return;
    MemoryReuse reuse; // a weight and what it becomes are of one size
    SymbolTable symbols(getOperation());
    countUses();
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      for (Operation &op : llvm::make_early_inc_range(function.block()))
        if (failed(visit(op, symbols)))
          return signalPassFailure();
      for (Operation &op : function.block())
        if (lowered && !keepMarks)
          op.removeAttr(stays);
      known.clear();
    }
  }

private:
  /// The value, once it was needed, and the size of its source constants.
  struct Known {
    ElementsAttr value;
    int64_t source;
  };

  int64_t sizeOf(Type type) const {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.getNumElements() *
           (widen ? 1 : byteSize(*kindOf(tensor.getElementType())));
  }

  /// Counts the uses of storage by name, and the storage by value.
  void countUses() {
    uses.clear(), users.clear();
    ModuleOp module = getOperation();
    for (auto constant : module.getOps<ConstantOp>())
      ++users[constant.getValue()];
    for (auto placeholder : module.getOps<PlaceholderOp>())
      ++users[placeholder.getAssumedAttr()];
    // A search through all attributes would build a dictionary for every node.
    for (FuncOp function : module.getOps<FuncOp>())
      function.walk([&](Operation *op) {
        if (auto read = dyn_cast<ReadOp>(op))
          ++uses[read.getStorageAttr().getAttr()];
        else if (auto save = dyn_cast<SaveOp>(op))
          ++uses[save.getStorageAttr().getAttr()];
      });
  }

  /// Releases a constant's memory after its last read. Otherwise, all folded
  /// constants would be there twice at the end.
  void releaseUnread(Value value, SymbolTable &symbols) {
    auto read = value.getDefiningOp<ReadOp>();
    if (!read || !read->use_empty())
      return;
    auto constant = symbols.lookup<ConstantOp>(read.getStorageAttr().getAttr());
    if (!constant)
      return;
    known.erase(value);
    read.erase();
    if (--uses[constant.getSymNameAttr()])
      return;
    ElementsAttr elements = constant.getValue();
    symbols.erase(constant);
    if (--users[elements] == 0)
      releaseBytes(elements);
  }

  LogicalResult visit(Operation &op, SymbolTable &symbols) {
    if (auto read = dyn_cast<ReadOp>(op))
      if (auto constant =
              symbols.lookup<ConstantOp>(read.getStorageAttr().getAttr());
          constant && isKnown(constant.getValue()))
        known[read.getOut()] = {constant.getValue(),
                                sizeOf(read.getOut().getType())};
    return findNode(op.getName().getStringRef()) ? fold(op, symbols)
                                                 : success();
  }

  LogicalResult fold(Operation &op, SymbolTable &symbols) {
    // The evaluator does not support scales, and knows no run.
    if (hasQuantized(&op) || takesLengths(&op))
      return success();
    int64_t before = 0, after = 0;
    for (Value operand : op.getOperands()) {
      auto found = known.find(operand);
      if (found == known.end())
        return success();
      // For a node that stays, its source counts: a chain of such nodes is
      // compared with its first constants.
      before += found->second.source;
    }
    for (Type type : op.getResultTypes())
      after += sizeOf(type);
    const bool repeats = evaluator->repeats(&op);
    if (op.getNumOperands() == 0 && !repeats)
      before = after; // a list of its elements
    for (Value result : op.getResults())
      known[result] = {ElementsAttr(), before};
    const bool isLarge =
        after > limit || (marks && repeats && op.getNumOperands() == 1);
    if (isLarge && after >= 2 * before && mayStay(op, before, repeats))
      return success();
    if (failed(evaluate(op)))
      return failure();
    for (OpResult result : op.getResults())
      replace(result, known[result].value, symbols);
    // Each operand once: a node may read a constant twice, but it is released
    // once.
    llvm::SmallSetVector<Value, 4> operands(op.operand_begin(),
                                            op.operand_end());
    op.erase();
    for (Value operand : operands)
      releaseUnread(operand, symbols);
    return success();
  }

  /// Whether a node with a large result stays.
  bool mayStay(Operation &op, int64_t before, bool repeats) {
    if (marks && !repeats)
      op.setAttr(stays, UnitAttr::get(&getContext()));
    return !lowered || repeats || before == 0 || op.hasAttr(stays);
  }

  /// The node, and earlier nodes whose unknown values it needs, in order.
  SmallVector<Operation *> missingFor(Operation &op) {
    llvm::SmallSetVector<Operation *, 8> missing;
    missing.insert(&op);
    for (size_t i = 0; i < missing.size(); ++i)
      for (Value operand : missing[i]->getOperands())
        // The operand's node stayed, and its value was not kept.
        if (!known[operand].value)
          missing.insert(operand.getDefiningOp());
    SmallVector<Operation *> ordered(missing.begin(), missing.end());
    llvm::sort(ordered, [](Operation *left, Operation *right) {
      return left->isBeforeInBlock(right);
    });
    return ordered;
  }

  /// Computes the values of the results. Values of nodes that stayed are
  /// computed again and not kept: they are large and seldom needed.
  LogicalResult evaluate(Operation &op) {
    auto values = evaluator->evaluate(
        missingFor(op), [&](Value value) { return known[value].value; });
    if (failed(values))
      return failure();
    for (auto [result, value] : llvm::zip(op.getResults(), *values))
      known[result].value = value;
    return success();
  }

  void replace(OpResult result, ElementsAttr value, SymbolTable &symbols) {
    OpBuilder builder(result.getOwner());
    std::string name = "folded";
    if (auto named = dyn_cast<NameLoc>(result.getLoc()))
      name = named.getName().str();
    auto constant = ConstantOp::create(builder, result.getLoc(), name, value);
    constant->remove();
    StringAttr symbol = symbols.insert(constant);
    ++uses[symbol];
    ++users[value];
    Value read = ReadOp::create(builder, result.getLoc(), result.getType(),
                                FlatSymbolRefAttr::get(symbol));
    known[read] = {value, sizeOf(read.getType())};
    known.erase(result);
    result.replaceAllUsesWith(read);
  }

  const NodeEvaluator *evaluator = nullptr;
  llvm::DenseMap<Value, Known> known;
  llvm::DenseMap<StringAttr, unsigned> uses;
  llvm::DenseMap<Attribute, unsigned> users;
};

} // namespace
} // namespace glow
