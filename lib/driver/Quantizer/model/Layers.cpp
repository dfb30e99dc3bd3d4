//===- Layers.cpp - the nodes that may be integers ------------------------===//
// SPDX-License-Identifier: MIT

#include "Layers.h"
#include <algorithm>

using namespace glow;

int64_t glow::wrapped(int64_t axis, size_t rank) {
  axis += axis < 0 ? int64_t(rank) : 0;
  return axis < 0 || axis >= int64_t(rank) ? -1 : axis;
}

static void addOperand(Layer &layer, const onnx::NodeProto &node, int input,
                       const IntegerInput &entry,
                       const std::set<std::string> &varying) {
  bool isTurned = entry.turned[0] && intAttribute(node, entry.turned, 0);
  // A transposed matrix has its channels on the other axis.
  Operand operand{input, node.input(input),
                  isTurned ? entry.channels ^ 1 : entry.channels};
  bool varies = varying.count(operand.value) != 0;
  if (!varies && entry.isBias)
    layer.bias = operand;
  else if (!varies && entry.isWeights)
    layer.weights = operand;
  else if (varies && !entry.isBias)
    layer.activations.push_back(operand);
  else if (!varies)
    layer.others.push_back(operand);
}

/// The layer of a node; nullopt if the node lacks operands that its record
/// names.
static std::optional<Layer> layerOf(const ModelEdit &model, int place,
                                    const std::set<std::string> &varying) {
  const onnx::NodeProto &node = model.graph().node(place);
  Layer layer{place, nodeName(node), node.op_type(), {}, {}, {}, {}, "", 1};
  for (const IntegerInput &entry : model.form(node).integers) {
    const int end = entry.isRest ? node.input_size() : int(entry.input) + 1;
    for (int i = int(entry.input); i < std::min(end, node.input_size()); ++i)
      if (!node.input(i).empty())
        addOperand(layer, node, i, entry, varying);
    if (!entry.isWeights && !entry.isBias)
      layer.resultAxis = entry.channels;
  }
  const auto result = std::ranges::find_if(
      node.output(), [](const std::string &name) { return !name.empty(); });
  if (result == node.output().end() || !varying.count(*result) ||
      (layer.activations.empty() && !layer.weights))
    return std::nullopt;
  layer.result = *result;
  return layer;
}

std::vector<Layer> glow::layersOf(const ModelEdit &model) {
  const std::set<std::string> varying = model.varying();
  std::vector<Layer> layers;
  for (int i = 0; i < model.graph().node_size(); ++i)
    if (std::optional<Layer> layer = layerOf(model, i, varying))
      layers.push_back(std::move(*layer));
  return layers;
}

std::map<std::string, int64_t>
glow::channelAxes(const std::vector<Layer> &layers) {
  std::map<std::string, int64_t> axes;
  for (const Layer &layer : layers) {
    if (!layer.weights || layer.activations.empty())
      continue;
    axes.try_emplace(layer.activations[0].value, layer.activations[0].axis);
    axes.try_emplace(layer.result, layer.resultAxis);
  }
  return axes;
}
