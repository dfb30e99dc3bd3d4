//===- ChangeWeights.cpp - weights that a rewrite changes -----------------===//
// SPDX-License-Identifier: MIT

#include "Prepare.h"
#include "glow/Quantization/Weights.h"

using namespace glow;

void glow::setConstant(Source &source, const Layer &layer, Operand &operand,
                       const Ints &shape, const std::vector<float> &values) {
  const std::string name = source.model.freshName(operand.value + "_changed");
  source.model.addFloats(name, shape, values);
  Result<Tensor> tensor = tensorOf(*source.model.initializer(name));
  source.constants[name] = tensor.take(); // of the bytes that were just made
  operand.value = name;
  source.model.graph().mutable_node(layer.node)->set_input(operand.input, name);
}

void glow::scaleWeights(Source &source, Layer &layer, int64_t axis,
                        const std::function<float(size_t)> &factor) {
  const Tensor &tensor = source.constants.at(layer.weights->value);
  const Ints shape = tensor.type().shape;
  std::vector<float> values = *floatsOf(tensor);
  const AxisWalk walk(shape, axis);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] *= factor(walk.at(i));
  setConstant(source, layer, *layer.weights, shape, values);
}

int64_t glow::outAxis(const Source &source, const Layer &layer) {
  return wrapped(layer.weights->axis,
                 source.constants.at(layer.weights->value).type().shape.size());
}

size_t glow::channelsOf(const Source &source, const Layer &layer) {
  auto value = source.values.find(layer.result);
  if (!layer.weights || value == source.values.end() ||
      value->second.kind != ElementKind::F32)
    return 0;
  const int64_t out = outAxis(source, layer);
  const size_t count = value->second.channels.size();
  const Ints &shape = source.constants.at(layer.weights->value).type().shape;
  if (out < 0 || shape[size_t(out)] != int64_t(count))
    return 0;
  if (layer.bias && source.constants.at(layer.bias->value).type().elements() !=
                        int64_t(count))
    return 0;
  return count;
}
