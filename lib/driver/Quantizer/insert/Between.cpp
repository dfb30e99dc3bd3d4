//===- Between.cpp - layers that are integers with their neighbours -------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/Between.h"
#include "Prepare.h"

using namespace glow;

/// The nodes of the model, with its layers.
static std::vector<Neighbour> neighboursOf(const Source &source) {
  const std::set<std::string> varying = source.model.varying();
  const auto &nodes = source.model.graph().node();
  std::map<std::string, int> producers;
  for (int i = 0; i < nodes.size(); ++i)
    for (const std::string &output : nodes[i].output())
      producers[output] = i;
  const auto producerOf = [&](const std::string &value) {
    auto found = producers.find(value);
    return found == producers.end() ? -1 : found->second;
  };
  std::vector<Neighbour> neighbours;
  for (const onnx::NodeProto &node : nodes) {
    const QuantizedForm &form = source.model.form(node);
    Neighbour &made = neighbours.emplace_back();
    made.passesOn = form.integers.empty();
    made.passesBack = made.passesOn && (form.keepsRange || form.rescales);
    for (const std::string &input : node.input())
      if (varying.count(input))
        made.operands.push_back(producerOf(input));
  }
  for (const Layer &layer : source.layers) {
    // A node with integer weights only computes in floats.
    if (layer.activations.empty())
      continue;
    Neighbour &made = neighbours[size_t(layer.node)];
    made.kind =
        layer.weights || layer.isAsked ? Neighbour::Integers : Neighbour::Free;
    made.operands.clear();
    for (const Operand &operand : layer.activations)
      made.operands.push_back(producerOf(operand.value));
  }
  return neighbours;
}

size_t glow::keepBetween(Source &source) {
  const std::vector<bool> beside = besideFloats(neighboursOf(source));
  return std::erase_if(source.layers, [&](const Layer &layer) {
    return beside[size_t(layer.node)];
  });
}
