//===- Paths.cpp - nodes that lead to a node ------------------------------===//
// SPDX-License-Identifier: MIT
//
// An operator that is imported as several nodes is written for the last of
// them. Paths lead from that node to the values that its inputs became. A node
// that changes nothing may be missing on a path, or be there in addition.
//
//===----------------------------------------------------------------------===//

#include "NodeProposal.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

bool NodeForm::hasPaths() const {
  return llvm::any_of(row->values,
                      [](const InverseValue &value) { return *value.paths; });
}

/// The first operand of a node under a name; null if there is none.
static Value operandOf(Operation *op, StringRef name) {
  const NodeInfo *info = findNode(op->getName().getStringRef());
  if (!info)
    return {};
  SmallVector<int32_t> sizes = sizesOfOperands(*info, op);
  unsigned first = 0;
  for (auto [operand, size] : llvm::zip_equal(info->operands, sizes)) {
    if (name == operand.name)
      return size > 0 ? op->getOperand(first) : Value();
    first += unsigned(size);
  }
  return {};
}

static bool isNode(Operation *op, StringRef mnemonic) {
  return op && op->getName().stripDialect() == mnemonic;
}

/// The node with this mnemonic that makes a value, behind identities.
static Operation *nodeBehind(Value value, StringRef mnemonic) {
  Operation *op = value.getDefiningOp();
  while (!isNode(op, mnemonic) && op && isIdentity(op))
    op = op->getOperand(0).getDefiningOp();
  return isNode(op, mnemonic) ? op : nullptr;
}

/// Whether a node with this mnemonic may be an identity, and so be missing.
static bool maybeIdentity(StringRef mnemonic) {
  return mnemonic == Reshape::getOperationName().rsplit('.').second ||
         mnemonic == Cast::getOperationName().rsplit('.').second ||
         mnemonic == Broadcast::getOperationName().rsplit('.').second;
}

static Value follow(Operation *op, StringRef path) {
  auto [first, rest] = path.split('/');
  Value value = operandOf(op, first);
  while (value && !rest.empty()) {
    StringRef step;
    std::tie(step, rest) = rest.split('/');
    auto [mnemonic, operand] = step.split('.');
    if (Operation *next = nodeBehind(value, mnemonic))
      value = operandOf(next, operand);
    else if (!maybeIdentity(mnemonic))
      return {};
  }
  return value;
}

SmallVector<Value> glow::valuesAt(Operation *op, StringRef paths) {
  llvm::SmallSetVector<Value, 4> values;
  for (StringRef path : llvm::split(paths, ' '))
    if (Value value = path.contains('@') ? Value() : follow(op, path))
      values.insert(value);
  return values.takeVector();
}

Attribute glow::attributeAt(Operation *op, StringRef paths) {
  for (StringRef path : llvm::split(paths, ' ')) {
    auto [way, place] = path.split('@');
    auto [mnemonic, name] = place.split('.');
    Value value = place.empty() ? Value() : follow(op, way);
    if (Operation *node = value ? nodeBehind(value, mnemonic) : nullptr)
      if (Attribute attribute = node->getAttr(name))
        return attribute;
  }
  return {};
}

JoinedNodes::JoinedNodes(Operation *op, const NodeForm &form) {
  auto number = [](char kind, size_t count) {
    return kind + std::to_string(count - 1);
  };
  auto nameOf = [&](Value value) {
    operands.push_back(value);
    return number('#', operands.size());
  };
  auto add = [&](onnx::TensorProto tensor) {
    tensors.push_back(std::move(tensor));
    return number('@', tensors.size());
  };
  auto addSizes = [&](const Sizes &list) {
    sizes.push_back(list);
    return number('$', sizes.size());
  };
  writeNode(op, form, {nameOf, add, addSizes}, node);
}

void JoinedNodes::write(Operation *op, const ModelNames &names,
                        onnx::NodeProto &node) const {
  node = this->node;
  for (std::string &input : *node.mutable_input()) {
    size_t number;
    if (input.empty() || StringRef(input).drop_front().getAsInteger(10, number))
      continue;
    input = input[0] == '#'   ? names.of(op->getOperand(unsigned(number)))
            : input[0] == '@' ? names.add(tensors[number])
                              : names.sizes(sizes[number]);
  }
}
