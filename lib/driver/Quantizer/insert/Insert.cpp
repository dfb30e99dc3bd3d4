//===- Insert.cpp - nodes that quantize, in a model -----------------------===//
// SPDX-License-Identifier: MIT
//
// An activation is quantized once for all readers with the same number of bits,
// just before the first reader. Weights become integers in the file, and a node
// that converts them to floats. A backend sees an operator between nodes that
// dequantize and one that quantizes, and fuses all of them into an integer
// operator.
//
//===----------------------------------------------------------------------===//

#include "Inserter.h"
#include "Prepare.h"
#include <algorithm>
#include <cmath>

using namespace glow;

/// Whether the result has the range of the first input, and no other input
/// provides numbers of the result.
static bool keepsRange(const Source &source, const onnx::NodeProto &node) {
  if (node.input_size() == 0 || !source.model.form(node).keepsRange ||
      !source.values.count(node.input(0)))
    return false;
  return std::none_of(
      node.input().begin() + 1, node.input().end(),
      [&](const std::string &input) { return source.values.count(input); });
}

/// The value that determines the scale: values with the same elements share it.
static const std::string &rangeSource(const Source &source,
                                      const std::string &value) {
  const int producer = source.model.producerOf(value);
  if (producer < 0)
    return value;
  const onnx::NodeProto &node = source.model.graph().node(producer);
  return keepsRange(source, node) ? rangeSource(source, node.input(0)) : value;
}

Parameters glow::parametersOf(const Source &source, const std::string &value,
                              unsigned bits) {
  const std::string &from = rangeSource(source, value);
  auto [known, isNew] =
      source.parameters.try_emplace({from, bits}, Parameters());
  if (isNew)
    known->second =
        parametersOf(rangeOf(source.values.at(from), source.options, bits),
                     source.options.scheme, bits);
  return known->second;
}

/// The bits of nodes that only move a layer's input: those of the reader. The
/// search goes from the last node to the first, since movers may follow movers.
static std::map<int, unsigned> moversOf(const Source &source,
                                        const LayerKinds &kinds) {
  std::map<int, unsigned> movers;
  if (!source.options.activationBits)
    return movers;
  std::set<int> layers;
  std::map<std::string, unsigned> read;
  for (size_t i = 0; i < source.layers.size(); ++i) {
    layers.insert(source.layers[i].node);
    for (const Operand &operand : source.layers[i].activations)
      if (kinds[i].isInteger())
        read[operand.value] = kinds[i].bits;
  }
  const onnx::GraphProto &graph = source.model.graph();
  for (int i = graph.node_size() - 1; i >= 0; --i) {
    const onnx::NodeProto &node = graph.node(i);
    if (layers.count(i) || node.output_size() == 0)
      continue;
    auto found = read.find(node.output(0));
    if (found != read.end() && keepsRange(source, node))
      movers[i] = read[node.input(0)] = found->second;
  }
  return movers;
}

/// The model, raised to an opset that has the operators of its layers.
static ModelEdit baseOf(const Source &source, const LayerKinds &kinds) {
  ModelEdit base = source.model;
  int64_t least = 0;
  for (size_t i = 0; i < source.layers.size(); ++i)
    if (kinds[i] == bf16)
      least = std::max(least, bf16From(source, source.layers[i]));
  if (base.opset("") < least)
    raiseOpset(base, least, least);
  return base;
}

ModelEdit glow::quantized(const Source &source, const LayerKinds &kinds) {
  Inserter inserter(source, baseOf(source, kinds));
  const std::map<int, unsigned> movers = moversOf(source, kinds);
  std::map<int, size_t> layers;
  for (size_t i = 0; i < source.layers.size(); ++i)
    if (kinds[i] != floats)
      layers[source.layers[i].node] = i;
  for (int i = 0; i < inserter.nodes().size(); ++i) {
    const onnx::NodeProto &node = inserter.nodes()[i];
    if (auto layer = layers.find(i); layer != layers.end())
      inserter.addLayer(source.layers[layer->second], kinds[layer->second],
                        node);
    else if (auto mover = movers.find(i); mover != movers.end())
      inserter.addMover(node, mover->second);
    else
      inserter.addNode(node);
  }
  return inserter.finish();
}

ModelEdit glow::shadowed(const Source &source, const LayerKinds &kinds,
                         std::vector<std::string> &results) {
  Inserter inserter(source, baseOf(source, kinds));
  for (const onnx::NodeProto &node : inserter.nodes())
    inserter.addNode(node);
  for (size_t i = 0; i < source.layers.size(); ++i) {
    const Layer &layer = source.layers[i];
    if (kinds[i] == floats) { // there is no noise
      results.push_back(layer.result);
      continue;
    }
    onnx::NodeProto copy = inserter.nodes()[layer.node];
    copy.set_name(inserter.freshName(layer.name + "_alone"));
    for (std::string &output : *copy.mutable_output()) {
      const bool isResult = output == layer.result;
      if (!output.empty())
        output = inserter.freshName(output + "_alone");
      if (isResult)
        results.push_back(output);
    }
    inserter.addLayer(layer, kinds[i], std::move(copy));
  }
  ModelEdit made = inserter.finish();
  for (size_t i = 0; i < results.size(); ++i)
    if (kinds[i] != floats)
      made.graph().add_output()->set_name(results[i]);
  return made;
}
