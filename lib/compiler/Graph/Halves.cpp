//===- Halves.cpp - where nodes round numbers of 16 bits ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Halves.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Nodes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace glow;

bool glow::isHalf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor &&
         (tensor.getElementType().isF16() || tensor.getElementType().isBF16());
}

/// Whether the kind of the tensor has the number.
static bool isExact(Splat splat) {
  auto kind = cast<FloatType>(kindOfElements(splat.getOut()));
  llvm::APFloat number(splat.getValue());
  bool losesInfo = false;
  number.convert(kind.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return !losesInfo;
}

/// Whether the node only puts elsewhere elements that it does not convert.
static bool moves(Operation *node) {
  const NodeEvaluator *evaluator = NodeEvaluator::of(node->getContext());
  return evaluator && evaluator->moves(node) &&
         llvm::all_of(node->getResultTypes(), [&](Type result) {
           return llvm::any_of(node->getOperandTypes(), [&](Type operand) {
             return getElementTypeOrSelf(operand) ==
                    getElementTypeOrSelf(result);
           });
         });
}

HalfRoundings glow::roundingsOf(ArrayRef<Operation *> nodes) {
  HalfRoundings roundings;
  for (Operation *node : nodes) {
    const bool reads = llvm::any_of(node->getOperands(), [&](Value operand) {
      return isHalf(operand.getType()) &&
             roundings.nodes.contains(operand.getDefiningOp());
    });
    const bool isMove = moves(node);
    roundings.between |= reads && !isMove;
    auto splat = dyn_cast<Splat>(node);
    if (isMove ? reads
               : llvm::any_of(node->getResultTypes(), isHalf) &&
                     !(splat && isExact(splat)))
      roundings.nodes.insert(node);
  }
  return roundings;
}
