//===- FoldConstants.cpp - compute what is known --------------------------===//

#include "glow/Graph/Evaluator.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "glow/Optimizer/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_FOLDCONSTANTS
#include "glow/Graph/Passes.h.inc"

namespace {

/// Replaces a node whose operands are all constants by a constant.
///
/// Pinned before the rewrites, which look for constants. A result larger than
/// `limit` and larger than its operands together stays a node: a model whose
/// weights are a fill of zeros should not grow on the way. Ends because it
/// visits each node once, in order.
struct FoldConstants : impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    const NodeEvaluator *evaluator = NodeEvaluator::of(&getContext());
    if (!evaluator)
      return;
    SymbolTable symbols(getOperation());
    for (FuncOp function : getOperation().getOps<FuncOp>())
      for (Operation &op : llvm::make_early_inc_range(function.block()))
        if (findNode(op.getName().getStringRef()) &&
            failed(fold(op, symbols, *evaluator)))
          return signalPassFailure();
  }

private:
  static ElementsAttr constantOf(Value value, SymbolTable &symbols) {
    auto read = value.getDefiningOp<ReadOp>();
    auto constant =
        read ? symbols.lookup<ConstantOp>(read.getStorage()) : ConstantOp();
    return constant ? constant.getValue() : ElementsAttr();
  }

  static int64_t bytesOfType(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.getNumElements() * byteSize(*kindOf(tensor.getElementType()));
  }

  LogicalResult fold(Operation &op, SymbolTable &symbols,
                     const NodeEvaluator &evaluator) {
    SmallVector<ElementsAttr> operands;
    int64_t before = 0, after = 0;
    for (Value operand : op.getOperands()) {
      ElementsAttr value = constantOf(operand, symbols);
      if (!value)
        return success();
      operands.push_back(value);
      before += bytesOfType(operand.getType());
    }
    for (Type type : op.getResultTypes())
      after += bytesOfType(type);
    if (after > limit && after > before)
      return success();
    FailureOr<SmallVector<ElementsAttr>> values =
        evaluator.evaluate(&op, operands);
    if (failed(values))
      return failure();
    for (auto [result, value] : llvm::zip(op.getResults(), *values))
      replace(result, value, symbols);
    op.erase();
    return success();
  }

  static void replace(OpResult result, ElementsAttr value,
                      SymbolTable &symbols) {
    OpBuilder builder(result.getOwner());
    std::string name = "folded";
    if (auto named = dyn_cast<NameLoc>(result.getLoc()))
      name = named.getName().str();
    auto constant = ConstantOp::create(builder, result.getLoc(), name, value);
    constant->remove();
    StringAttr symbol = symbols.insert(constant);
    Value read = ReadOp::create(builder, result.getLoc(), result.getType(),
                                FlatSymbolRefAttr::get(symbol));
    result.replaceAllUsesWith(read);
  }
};

} // namespace
} // namespace glow
