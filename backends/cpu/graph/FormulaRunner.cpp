//===- FormulaRunner.cpp - formulas on whole tensors ----------------------===//
// SPDX-License-Identifier: MIT

#include "FormulaRunner.h"
#include "glow/Generated/CpuCalls.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Loops.h"
#include <cstring>

using namespace glow;
using namespace glow::cpu;

/// The tensor in the kind of the formula, broadcast along sizes of 1.
Result<TensorView> FormulaRunner::repeated(TensorView tensor) {
  if (tensor.type->kind != type.kind) {
    Result<TensorView> converted = make({type.kind, tensor.type->shape});
    if (!converted)
      return converted;
    if (Status status = kernels::run(kernels::CastCall{
            .out = *converted, .in = tensor, .kind = type.kind});
        !status.ok())
      return status;
    tensor = *converted;
  }
  if (tensor.type->shape == type.shape)
    return tensor;
  Result<TensorView> whole = make(type);
  if (whole)
    if (Status status = kernels::run(kernels::BroadcastCall{
            .out = *whole, .in = tensor, .dims = type.shape, .axis = -1});
        !status.ok())
      return status;
  return whole;
}

Status FormulaRunner::run(const std::string &text, const TensorView &out) {
  std::string wrong;
  std::optional<Formula> formula = Formula::parse(text, &wrong);
  return formula ? run(*formula, out) : failure(Code::InvalidArgument, wrong);
}

Status FormulaRunner::run(const Formula &formula, const TensorView &out) {
  // Tensors without elements come here with any formula, because no code is
  // made for them. The formula may have booleans, which this class cannot
  // run.
  if (type.elements() == 0)
    return Status();
  TensorView last = inputs.empty() ? out : inputs[0];
  for (const Formula::Call &call : formula.calls)
    if (Status status = runCall(call); !status.ok())
      return status;
  if (!results.empty())
    last = results.back();
  std::memcpy(out.data, last.data, type.bytes());
  return Status();
}

Result<TensorView> FormulaRunner::make(const TensorType &made) {
  Result<Tensor> tensor = Tensor::zeros(made);
  if (!tensor)
    return tensor.status();
  owned.push_back(std::make_unique<Tensor>(tensor.take()));
  return owned.back()->view();
}

static AttributeValue attributeOf(const Formula::Argument &argument,
                                  const ir::AttributeInfo &info) {
  if (auto *kind = std::get_if<ElementKind>(&argument))
    return *kind;
  if (auto *text = std::get_if<Formula::Text>(&argument)) {
    if (info.words.empty())
      return text->characters;
    return info.numberOf(text->characters);
  }
  if (auto *numbers = std::get_if<Formula::Numbers>(&argument)) {
    if (info.form == AttributeForm::Ints)
      return Ints(numbers->begin(), numbers->end());
    return Reals(numbers->begin(), numbers->end());
  }
  auto *number = std::get_if<double>(&argument);
  double value = number ? *number : 0;
  if (info.form == AttributeForm::Int)
    return int64_t(value);
  if (info.form == AttributeForm::Flag)
    return value != 0;
  return value;
}

Status FormulaRunner::runCall(const Formula::Call &call) {
  const ir::InstrInfo *info = ir::findInstr(call.mnemonic);
  const ir::LoopsInfo *loops = ir::findLoops(call.mnemonic);
  if (!info || info->operands.size() - 1 + info->attributes.size() !=
                   call.arguments.size())
    return failure(Code::InvalidArgument, "formula: '", call.mnemonic,
                   "' does not take ", call.arguments.size(), " arguments");
  size_t operands = info->operands.size() - 1;
  Result<TensorView> out = make(type);
  if (!out)
    return out.status();
  std::vector<TensorView> buffers = {*out};
  std::vector<int32_t> segments = {1};
  std::vector<AttributeValue> attributes;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (i >= operands) {
      attributes.push_back(
          attributeOf(call.arguments[i], info->attributes[i - operands]));
      continue;
    }
    bool isAbsent = std::get_if<Formula::Absent>(&call.arguments[i]);
    segments.push_back(!isAbsent);
    if (isAbsent)
      continue;
    Result<TensorView> operand =
        operandOf(call.arguments[i], loops && loops->formula);
    if (!operand)
      return operand.status();
    buffers.push_back(*operand);
  }
  results.push_back(*out);
  return KernelRegistry::instance().run(call.mnemonic,
                                        {buffers, segments, attributes});
}

Result<TensorView> FormulaRunner::operandOf(const Formula::Argument &argument,
                                            bool isPointwise) {
  if (auto *input = std::get_if<Formula::Input>(&argument))
    return isPointwise ? repeated(inputs[input->index]) : inputs[input->index];
  if (auto *value = std::get_if<Formula::Value>(&argument))
    return results[value->index];
  auto *number = std::get_if<double>(&argument);
  Result<TensorView> constant = make(type);
  if (constant && number)
    if (Status status = kernels::run(kernels::SplatCall{.out = *constant,
                                                        .value = *number,
                                                        .dims = type.shape,
                                                        .kind = type.kind});
        !status.ok())
      return status;
  return constant;
}

Status cpu::finish(const TensorView &out, const std::string &formula,
                   std::span<const TensorView> extras) {
  FormulaRunner runner(out.type->kind, out.type->shape);
  runner.addInputs({&out, 1});
  runner.addInputs(extras);
  return runner.run(formula, out);
}
