//===- NodeLoops.cpp - the loops of a node --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/NodeLoops.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Loops.h"

using namespace glow;
using namespace mlir;

/// The number of buffers of each operand of the instruction that a node
/// becomes; nothing if it has other buffers, or several lists.
static std::optional<SmallVector<int32_t>>
segmentsOf(Operation *node, const ir::InstrInfo &info) {
  SmallVector<int32_t> segments;
  int32_t *list = nullptr;
  int32_t rest = int32_t(node->getNumResults() + node->getNumOperands());
  for (const ir::OperandInfo &operand : info.operands)
    segments.push_back(operand.count == Count::One);
  for (auto [operand, count] : llvm::zip_equal(info.operands, segments)) {
    rest -= count;
    if (operand.count == Count::One)
      continue;
    if (list)
      return std::nullopt;
    list = &count;
  }
  if (list)
    *list = rest;
  if (rest < 0 || (rest > 0 && !list))
    return std::nullopt;
  return segments;
}

std::unique_ptr<loops::Program>
ir::loopsOfNode(Operation *node, ArrayRef<RankedTensorType> types) {
  const StringRef mnemonic = node->getName().stripDialect();
  const ir::InstrInfo *info = ir::findInstr(mnemonic);
  if (!info || !ir::findLoops(mnemonic))
    return nullptr;
  auto segments = segmentsOf(node, *info);
  if (!segments)
    return nullptr;
  ir::InstrOnTypes instr{mnemonic, SmallVector<RankedTensorType>(types),
                         std::move(*segments)};
  for (const ir::AttributeInfo &attribute : info->attributes) {
    Attribute value = node->getAttr(attribute.name);
    if (!value)
      return nullptr;
    instr.attributes.push_back(value);
  }
  return ir::loopsOf(instr);
}

SmallVector<RankedTensorType> ir::typesOf(Operation *node) {
  SmallVector<RankedTensorType> types;
  for (Type type : node->getResultTypes())
    types.push_back(cast<RankedTensorType>(type));
  for (Type type : node->getOperandTypes())
    types.push_back(cast<RankedTensorType>(type));
  return types;
}
