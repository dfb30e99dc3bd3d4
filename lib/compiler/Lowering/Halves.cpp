//===- Halves.cpp - nodes on numbers of 16 bits, in f32 -------------------===//
// SPDX-License-Identifier: MIT

#include "Halves.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Halves.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace glow;

bool glow::takesHalves(Operation *node) {
  return llvm::any_of(node->getOperandTypes(), isHalf);
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
