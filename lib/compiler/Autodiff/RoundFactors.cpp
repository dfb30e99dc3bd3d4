//===- RoundFactors.cpp - products of numbers of 16 bits ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Autodiff/Passes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_ROUNDFACTORS
#include "glow/Autodiff/Passes.h.inc"

namespace {

/// Converts the operands of products to bf16, and their results back to f32.
///
/// Pinned behind make-trainable, so that weights stay f32, and before
/// differentiate, so that products of the gradient are of bf16, too. Ends
/// because it visits each node once.
struct RoundFactors : impl::RoundFactorsBase<RoundFactors> {
  void runOnOperation() override;

private:
  void visit(Operation *node);
  Value rounded(Value value);

  llvm::DenseMap<Value, Value> halves; ///< the same as bf16, for all readers
};

} // namespace

/// Whether the node sums products of two tensors, of which one may be weights,
/// and all of its operands are of f32. Its record has the integer form of both.
static bool multiplies(Operation *node) {
  const NodeInfo *info = findNode(node->getName().getStringRef());
  if (!info)
    return false;
  const auto isFactor = [&](bool isWeights) {
    return llvm::any_of(info->quantized.integers, [&](const IntegerInput &one) {
      return !one.isBias && one.isWeights == isWeights;
    });
  };
  return isFactor(true) && isFactor(false) &&
         llvm::all_of(node->getOperands(), [](Value operand) {
           return kindOfElements(operand).isF32();
         });
}

Value RoundFactors::rounded(Value value) {
  Value &half = halves[value];
  if (!half) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    half = createCast(builder, value.getLoc(), value, builder.getBF16Type());
  }
  return half;
}

void RoundFactors::visit(Operation *node) {
  OpBuilder builder(node);
  Operation *narrow = builder.clone(*node);
  for (OpOperand &operand : narrow->getOpOperands())
    operand.set(rounded(operand.get()));
  Value result = narrow->getResult(0);
  result.setType(tensorType(result).clone(builder.getBF16Type()));
  node->getResult(0).replaceAllUsesWith(
      createCast(builder, node->getLoc(), result, builder.getF32Type()));
  node->erase();
}

void RoundFactors::runOnOperation() {
  for (FuncOp function : getOperation().getOps<FuncOp>()) {
    halves.clear();
    for (Operation &op : llvm::make_early_inc_range(function.block()))
      if (multiplies(&op))
        visit(&op);
  }
}

} // namespace glow
