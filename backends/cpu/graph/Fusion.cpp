//===- Fusion.cpp - shared parts of the fusion passes ---------------------===//
// SPDX-License-Identifier: MIT

#include "Fusion.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/Verify.h"
#include "glow/IR/Loops.h"
#include "llvm/ADT/SetVector.h"

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

std::optional<std::vector<Operation *>>
cpu::nodesOfFixedSizes(ModuleOp module) {
  std::vector<Operation *> nodes;
  llvm::DenseSet<Operation *> open;
  for (FuncOp function : module.getOps<FuncOp>())
    for (Operation &node : function.block())
      if (takesLengths(&node) ||
          llvm::any_of(node.getOperands(), [&](Value operand) {
            return open.contains(operand.getDefiningOp());
          }))
        open.insert(&node);
      else
        nodes.push_back(&node);
  if (open.empty())
    return std::nullopt;
  return nodes;
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

bool cpu::isElementwise(CpuFusedLoops node) {
  // Patterns ask this often. The node is verified, so that a call is a
  // Pointwise node or index notation.
  auto isPointwise = [](const Formula::Call &call) {
    const ir::LoopsInfo *loops = ir::findLoops(call.mnemonic);
    return loops && loops->formula;
  };
  return kindOfElements(node).isF32() && node.getOthers().empty() &&
         llvm::all_of(formulaOf(node).calls, isPointwise);
}

/// Calls `visit` for each input that the formula reads behind the `first` ones,
/// in order.
static void visitInputs(Formula &formula, size_t first,
                        llvm::function_ref<void(size_t &)> visit) {
  for (Formula::Call &call : formula.calls)
    for (Formula::Argument &argument : call.arguments)
      if (auto *input = std::get_if<Formula::Input>(&argument);
          input && input->index >= first)
        visit(input->index);
}

std::optional<FusedFormula> cpu::withOrderedOperands(Formula formula,
                                                     ArrayRef<Value> operands,
                                                     size_t first) {
  llvm::SmallSetVector<Value, 4> reals, others;
  visitInputs(formula, first, [&](size_t input) {
    Value operand = operands[input - first];
    (kindOfElements(operand).isF32() ? reals : others).insert(operand);
  });
  for (Value other : others)
    if (kindOfElements(other) != kindOfElements(others[0]))
      return std::nullopt;
  FusedFormula fused{std::move(formula), {}, reals.size()};
  llvm::append_range(fused.operands, reals);
  llvm::append_range(fused.operands, others);
  visitInputs(fused.formula, first, [&](size_t &input) {
    auto *place = llvm::find(fused.operands, operands[input - first]);
    input = first + size_t(place - fused.operands.begin());
  });
  return fused;
}

Value cpu::makeFused(OpBuilder &builder, Location location,
                     const FusedFormula &fused, const Sizes &shape, Type kind) {
  return createCpuFusedLoops(builder, location, fused.ins(), fused.others(),
                             shape, fused.formula.text(),
                             kind ? kind : builder.getF32Type());
}

Value cpu::makeFused(OpBuilder &builder, Location location,
                     ArrayRef<Value> operands, Formula formula,
                     const Sizes &shape) {
  return makeFused(builder, location,
                   *withOrderedOperands(std::move(formula), operands), shape);
}
