//===- KnownValues.cpp - values that depend on constants ------------------===//
// SPDX-License-Identifier: MIT

#include "KnownValues.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "llvm/ADT/SetVector.h"
#include <cstring>

using namespace glow;
using namespace mlir;

KnownValues::KnownValues(ModuleOp module) {
  module.walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      if (auto constant = SymbolTable::lookupNearestSymbolFrom<ConstantOp>(
              op, read.getStorageAttr()))
        constants[read.getOut()] =
            isKnown(constant.getValue()) ? constant.getValue() : ElementsAttr();
      return;
    }
    const bool isConstant =
        findNode(op->getName().getStringRef()) &&
        llvm::none_of(op->getOperands(),
                      [&](Value operand) { return varies(operand); });
    if (!isConstant)
      return;
    order.try_emplace(op, order.size());
    for (Value result : op->getResults())
      constants[result] = {};
  });
}

ElementsAttr KnownValues::elementsOf(Value value) {
  if (ElementsAttr elements = constants.lookup(value))
    return elements;
  const NodeEvaluator *evaluator = NodeEvaluator::of(value.getContext());
  Operation *node = value.getDefiningOp();
  if (!evaluator || isa<ReadOp>(node))
    return {};
  // The node, and the nodes whose results it needs.
  llvm::SmallSetVector<Operation *, 8> missing;
  missing.insert(node);
  for (size_t i = 0; i < missing.size(); ++i)
    for (Value operand : missing[i]->getOperands()) {
      if (constants.lookup(operand))
        continue;
      if (isa<ReadOp>(operand.getDefiningOp()))
        return {};
      missing.insert(operand.getDefiningOp());
    }
  SmallVector<Operation *> ordered(missing.begin(), missing.end());
  llvm::sort(ordered, [&](Operation *left, Operation *right) {
    return order.lookup(left) < order.lookup(right);
  });
  auto results = evaluator->evaluate(
      ordered, [&](Value operand) { return constants.lookup(operand); });
  if (failed(results))
    return {};
  for (auto [result, elements] : llvm::zip_equal(node->getResults(), *results))
    constants[result] = elements;
  return constants.lookup(value);
}

std::optional<std::vector<float>> KnownValues::floatsOf(Value value) {
  if (varies(value) ||
      !cast<RankedTensorType>(value.getType()).getElementType().isF32())
    return std::nullopt;
  ElementsAttr elements = elementsOf(value);
  if (!elements)
    return std::nullopt;
  const TensorBytes all = bytesOf(elements);
  std::vector<float> values(all.bytes.size() / sizeof(float));
  std::memcpy(values.data(), all.bytes.data(), all.bytes.size());
  return values;
}
