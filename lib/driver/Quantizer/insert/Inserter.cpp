//===- Inserter.cpp - writes the nodes of a quantized model ---------------===//
// SPDX-License-Identifier: MIT

#include "Inserter.h"
#include "glow/Quantization/Channels.h"
#include <algorithm>

using namespace glow;

void Inserter::addLinear(const char *op, const std::string &from,
                         const std::string &scale, const std::string &zero,
                         const std::string &to, int64_t axis) {
  onnx::NodeProto &node = *made.graph().add_node();
  node.set_op_type(op);
  node.set_name(to);
  node.add_input(from), node.add_input(scale);
  if (!zero.empty())
    node.add_input(zero);
  node.add_output(to);
  linear.push_back(&node);
  if (axis < 0)
    return;
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name("axis");
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(axis);
  opset = std::max(opset, 13u);
}

/// Adds a single scale and a single zero point.
void Inserter::addScalar(const std::string &name, const Parameters &parameters,
                         std::string &scale, std::string &zero) {
  scale = made.freshName(name + "_scale");
  zero = made.freshName(name + "_zero_point");
  made.addFloats(scale, {}, std::span(&parameters.scale, 1));
  made.addInitializer(zero, onnxDataType(parameters.kind()), {},
                      bytesOf(std::span(&parameters.zero, 1), parameters.bits));
  if (parameters.bits == 16 || parameters.bits == 4)
    opset = 21;
}

std::string Inserter::activation(const std::string &value, unsigned bits) {
  std::string &name = activations[{value, bits}];
  if (!name.empty())
    return name;
  std::string scale, zero;
  addScalar(value, parametersOf(source, value, bits), scale, zero);
  const std::string quantized = made.freshName(value + "_quantized");
  name = made.freshName(value + "_dequantized");
  addLinear("QuantizeLinear", value, scale, zero, quantized, -1);
  addLinear("DequantizeLinear", quantized, scale, zero, name, -1);
  return name;
}

/// Identical constants are written once, whatever their names.
static std::string hashOf(const Ints &shape, const Integers &integers,
                          int64_t axis, bool hasZeros) {
  HashOfParts hash;
  const auto add = [&](const auto &list) {
    using Element = std::ranges::range_value_t<decltype(list)>;
    hash.add(std::string_view(reinterpret_cast<const char *>(list.data()),
                              list.size() * sizeof(Element)));
  };
  add(shape), add(integers.values);
  std::vector<int64_t> rest = {axis, hasZeros};
  std::vector<float> scales;
  for (const Parameters &own : integers.parameters) {
    scales.push_back(own.scale);
    rest.insert(rest.end(), {own.zero, own.bits, own.isSigned});
  }
  add(scales), add(rest);
  return hash.finish().text();
}

std::string Inserter::addInteger(const std::string &name, const Ints &shape,
                                 const Integers &integers, int64_t axis,
                                 bool hasZeros) {
  const Parameters &first = integers.parameters[0];
  std::string &result = known[hashOf(shape, integers, axis, hasZeros)];
  if (!result.empty())
    return result;
  const std::string quantized = made.freshName(name + "_quantized");
  made.addInitializer(quantized, onnxDataType(first.kind()), shape,
                      bytesOf(integers.values, first.bits));
  std::vector<float> scales;
  std::vector<int64_t> zeros;
  for (const Parameters &own : integers.parameters)
    scales.push_back(own.scale), zeros.push_back(own.zero);
  const Ints dims = axis < 0 ? Ints() : Ints{int64_t(scales.size())};
  const std::string scale = made.freshName(name + "_scale");
  made.addFloats(scale, dims, scales);
  std::string zero;
  if (hasZeros) {
    zero = made.freshName(name + "_zero_point");
    made.addInitializer(zero, onnxDataType(first.kind()), dims,
                        bytesOf(zeros, first.bits));
  }
  if (first.bits == 16 || first.bits == 4)
    opset = 21;
  result = made.freshName(name + "_dequantized");
  addLinear("DequantizeLinear", quantized, scale, zero, result, axis);
  return result;
}

/// The scale of the only activation, or 1.
float Inserter::inputScale(const Layer &layer, unsigned bits) const {
  return source.options.activationBits && layer.activations.size() == 1
             ? parametersOf(source, layer.activations[0].value, bits).scale
             : 1;
}

std::string Inserter::weights(const Layer &layer, const Operand &operand,
                              unsigned bits,
                              std::vector<Parameters> &parameters) {
  const Tensor &tensor = source.constants.at(operand.value);
  const Ints &shape = tensor.type().shape;
  const int64_t axis =
      source.options.perChannel ? wrapped(operand.axis, shape.size()) : -1;
  const unsigned own = source.options.activationBits && bits == 16
                           ? 16
                           : source.options.weightBits;
  std::vector<float> addends;
  if (source.options.activationBits && layer.bias &&
      source.options.biasBits == 32)
    addends = *floatsOf(source.constants.at(layer.bias->value));
  const std::vector<float> reals = *floatsOf(tensor);
  const Integers made =
      quantizeWeights(reals, shape, axis, source.options.scheme, own,
                      {addends, inputScale(layer, bits)});
  parameters = made.parameters;
  rounded[&layer] = made.reals(shape, axis);
  return addInteger(operand.value, shape, made, axis, /*hasZeros=*/true);
}

/// Adds a constant other than weights, with a single scale.
std::string Inserter::constant(const Operand &operand, unsigned bits) {
  const Tensor &tensor = source.constants.at(operand.value);
  const Ints &shape = tensor.type().shape;
  const Integers made = quantizeWeights(*floatsOf(tensor), shape, -1,
                                        source.options.scheme, bits);
  return addInteger(operand.value, shape, made, -1, /*hasZeros=*/true);
}

/// Corrects the bias for the error of rounded weights.
std::vector<float> Inserter::corrected(const Layer &layer,
                                       std::vector<float> bias) {
  const auto input = source.values.find(layer.activations[0].value);
  if (!source.options.correctBias || input == source.values.end())
    return bias;
  const Tensor &weights = source.constants.at(layer.weights->value);
  return correctedAddend(
      std::move(bias), *floatsOf(weights), rounded[&layer],
      weights.type().shape,
      wrapped(layer.weights->axis, weights.type().shape.size()), input->second);
}

/// The bias as integers, if each element has a scale; otherwise as floats.
std::string Inserter::bias(const Layer &layer, unsigned bits,
                           std::span<const Parameters> weights) {
  const Tensor &tensor = source.constants.at(layer.bias->value);
  const Ints &shape = tensor.type().shape;
  const std::vector<float> reals = corrected(layer, *floatsOf(tensor));
  if (source.options.biasBits == 8) {
    Integers own = quantizeWeights(reals, shape, -1, source.options.scheme, 8);
    return addInteger(layer.bias->value, shape, own, -1, /*hasZeros=*/true);
  }
  const bool isVector = shape.size() == 1 && reals.size() == weights.size();
  if (weights.size() != 1 && !isVector) {
    const std::string name = made.freshName(layer.bias->value + "_corrected");
    made.addFloats(name, shape, reals);
    return name;
  }
  const ProductBias addend{reals, inputScale(layer, bits)};
  return addInteger(layer.bias->value, shape, addend.quantized(weights),
                    source.options.perChannel && isVector ? 0 : -1, false);
}

void Inserter::addLayer(const Layer &layer, LayerKind kind,
                        onnx::NodeProto node) {
  if (hasBlocks(source, layer))
    return addBlocks(layer, node);
  if (kind == bf16)
    return addHalves(layer, std::move(node));
  addIntegerLayer(layer, kind.bits, std::move(node));
}

void Inserter::addIntegerLayer(const Layer &layer, unsigned bits,
                               onnx::NodeProto node) {
  const bool isWhole = source.options.activationBits != 0;
  if (isWhole)
    for (const Operand &operand : layer.activations)
      node.set_input(operand.input, activation(operand.value, bits));
  std::vector<Parameters> parameters;
  if (layer.weights)
    node.set_input(layer.weights->input,
                   weights(layer, *layer.weights, bits, parameters));
  std::vector<Parameters> ignored;
  for (const Operand &operand : layer.others)
    if (layer.activations.empty())
      node.set_input(operand.input, weights(layer, operand, bits, ignored));
    else if (isWhole)
      node.set_input(operand.input, constant(operand, bits));
  if (isWhole && layer.bias && layer.weights)
    node.set_input(layer.bias->input, bias(layer, bits, parameters));
  addNode(node);
}

void Inserter::addMover(onnx::NodeProto node, unsigned bits) {
  node.set_input(0, activation(node.input(0), bits));
  addNode(node);
}

ModelEdit Inserter::finish() {
  // Operators that the model's own opset lacks are in a domain that any model
  // may import.
  const bool isOwn = made.opset("") >= int64_t(opset);
  if (!isOwn && !linear.empty()) {
    for (onnx::NodeProto *node : linear)
      node->set_domain("com.microsoft");
    needsDomain = true;
  }
  if (needsDomain && !made.opset("com.microsoft")) {
    onnx::OperatorSetIdProto &set = *made.proto.add_opset_import();
    set.set_domain("com.microsoft");
    set.set_version(1);
  }
  made.dropUnreadNodes();
  made.tidy();
  return std::move(made);
}
