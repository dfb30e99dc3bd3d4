//===- Fusion.cpp - shared parts of the fusion passes ---------------------===//
// SPDX-License-Identifier: MIT

#include "Fusion.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Storage.h"
#include "llvm/ADT/MapVector.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

std::optional<double> cpu::uniformValue(Value tensor) {
  if (auto splat = tensor.getDefiningOp<Splat>())
    return splat.getValue();
  if (auto repeated = tensor.getDefiningOp<Broadcast>())
    return uniformValue(repeated.getIn());
  ConstantOp constant = constantOf(tensor);
  if (!constant || elementsOf(tensor) != 1 || !kindOfElements(tensor).isF32())
    return std::nullopt;
  float value;
  std::memcpy(&value, bytesOf(constant.getValue()).bytes.data(), sizeof value);
  return value;
}

std::optional<double> cpu::numberOf(Attribute attribute) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return double(number.getInt());
  return std::nullopt;
}

bool cpu::onlyUser(Value value, Operation *user) {
  return llvm::all_of(value.getUsers(),
                      [&](Operation *other) { return other == user; });
}

Value cpu::withoutReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<Reshape>())
    value = reshape.getIn();
  return value;
}

const Formula &cpu::formulaOf(CpuFusedElementwise node) {
  return node.getFormulaAttr().value();
}
const Formula &cpu::formulaOf(CpuConv conv) {
  return conv.getEpilogueAttr().value();
}
const Formula &cpu::formulaOf(CpuConvTranspose conv) {
  return conv.getEpilogueAttr().value();
}
const Formula &cpu::formulaOf(CpuMatMul product) {
  return product.getEpilogueAttr().value();
}
const Formula &cpu::formulaOf(CpuConvInteger conv) {
  return conv.getEpilogueAttr().value();
}

Value cpu::makeFusedElementwise(OpBuilder &builder, Location location,
                                ArrayRef<Value> operands, Formula formula,
                                const Ints &shape) {
  llvm::MapVector<Value, size_t> numbers;
  for (Formula::Call &call : formula.calls)
    for (Formula::Argument &argument : call.arguments)
      if (auto *input = std::get_if<Formula::Input>(&argument)) {
        auto [found, isNew] =
            numbers.insert({operands[input->index], numbers.size()});
        input->index = found->second;
      }
  SmallVector<Value> used;
  for (const auto &[value, number] : numbers)
    used.push_back(value);
  return createCpuFusedElementwise(builder, location, used, shape,
                                   formula.text());
}
