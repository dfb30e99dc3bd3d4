//===- InsertHalves.cpp - layers of bf16 ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// The inputs of a layer are converted to bf16, once for all readers, and its
// result is converted back: every other node stays in floats.
//
//===----------------------------------------------------------------------===//

#include "Inserter.h"
#include "Prepare.h"
#include "glow/Base/Half.h"
#include <algorithm>

using namespace glow;

int64_t glow::bf16From(const Source &source, const Layer &layer) {
  const onnx::NodeProto &node = source.model.graph().node(layer.node);
  return source.model.form(node).bf16From;
}

std::vector<bool> glow::mayBeBF16(const Source &source) {
  std::map<int64_t, bool> has; // by opset
  std::vector<bool> may;
  for (const Layer &layer : source.layers) {
    const int64_t opset = bf16From(source, layer);
    const bool isProduct = layer.weights && !layer.activations.empty();
    if (opset == 0 || !isProduct || source.options.activationBits == 0) {
      may.push_back(false);
      continue;
    }
    auto [found, isNew] =
        has.try_emplace(opset, source.model.opset("") >= opset);
    if (isNew && !found->second) {
      ModelEdit raised = source.model;
      found->second = raiseOpset(raised, opset, opset).empty();
    }
    may.push_back(found->second);
  }
  return may;
}

void Inserter::addCast(const std::string &from, const std::string &to,
                       int32_t kind) {
  onnx::NodeProto &node = *made.graph().add_node();
  node.set_op_type("Cast");
  node.set_name(to);
  node.add_input(from), node.add_output(to);
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name("to");
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(kind);
}

/// The operand as bf16: constants are converted in the file, other values by a
/// node.
std::string Inserter::half(const Operand &operand) {
  std::string &name = halves[operand.value];
  if (!name.empty())
    return name;
  name = made.freshName(operand.value + "_bf16");
  const auto constant = source.constants.find(operand.value);
  if (constant == source.constants.end()) {
    addCast(operand.value, name, onnx::TensorProto::BFLOAT16);
    return name;
  }
  const std::vector<float> reals = *floatsOf(constant->second);
  std::string bytes;
  for (float value : reals) {
    const uint16_t bits = BFloat16(value).bits;
    bytes += {char(bits & 0xff), char(bits >> 8)};
  }
  made.addInitializer(name, onnx::TensorProto::BFLOAT16,
                      constant->second.type().shape, std::move(bytes));
  return name;
}

void Inserter::addHalves(const Layer &layer, onnx::NodeProto node) {
  const auto replace = [&](const auto &operands) {
    for (const Operand &operand : operands)
      node.set_input(operand.input, half(operand));
  };
  replace(layer.activations), replace(layer.others);
  for (const std::optional<Operand> &operand : {layer.weights, layer.bias})
    if (operand)
      node.set_input(operand->input, half(*operand));
  std::string &output = *std::ranges::find_if(
      *node.mutable_output(),
      [](const std::string &name) { return !name.empty(); });
  const std::string result = output;
  output = made.freshName(result + "_bf16");
  addNode(node);
  addCast(output, result, onnx::TensorProto::FLOAT);
}
