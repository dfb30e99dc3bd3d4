//===- Halves.cpp - nodes on numbers of 16 bits, in f32 -------------------===//
// SPDX-License-Identifier: MIT

#include "Halves.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace glow;

static bool isHalf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor &&
         (tensor.getElementType().isF16() || tensor.getElementType().isBF16());
}

bool glow::takesHalves(Operation *node) {
  return llvm::any_of(node->getOperandTypes(), isHalf);
}

/// Whether the tensor's kind represents the number exactly.
static bool isExact(Splat splat) {
  auto kind = cast<FloatType>(kindOfElements(splat.getOut()));
  llvm::APFloat number(splat.getValue());
  bool losesInfo = false;
  number.convert(kind.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return !losesInfo;
}

bool glow::roundTwice(ArrayRef<Operation *> nodes) {
  unsigned count = 0;
  for (Operation *node : nodes) {
    const NodeEvaluator *evaluator = NodeEvaluator::of(node->getContext());
    if (llvm::none_of(node->getResultTypes(), isHalf) ||
        (evaluator && evaluator->moves(node)))
      continue;
    auto splat = dyn_cast<Splat>(node);
    count += !splat || !isExact(splat);
  }
  return count > 1;
}

Operation *glow::widenNode(OpBuilder &builder, Operation *node) {
  const NodeInfo *info = findNode(node->getName().getStringRef());
  if (!info)
    return nullptr;
  builder.setInsertionPoint(node);
  SmallVector<Value> casts;
  IRMapping mapping;
  for (Value operand : node->getOperands())
    if (isHalf(operand.getType()) && !mapping.contains(operand)) {
      casts.push_back(
          createCast(builder, node->getLoc(), operand, builder.getF32Type()));
      mapping.map(operand, casts.back());
    }
  Operation *wide = builder.clone(*node, mapping);
  SmallVector<Type> types;
  if (failed(info->infer(wide, [](const Twine &) {}, types))) {
    wide->erase();
    for (Value cast : casts)
      cast.getDefiningOp()->erase();
    return nullptr;
  }
  for (auto [result, type] : llvm::zip(wide->getResults(), types))
    result.setType(type);
  for (auto [old, now] : llvm::zip(node->getResults(), wide->getResults())) {
    Value value = now;
    if (now.getType() != old.getType())
      value = createCast(builder, node->getLoc(), now, kindOfElements(old));
    old.replaceAllUsesWith(value);
  }
  node->erase();
  return wide;
}
