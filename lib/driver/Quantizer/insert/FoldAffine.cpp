//===- FoldAffine.cpp - nodes that become part of a product ---------------===//
// SPDX-License-Identifier: MIT

#include "Prepare.h"
#include <algorithm>

using namespace glow;

/// The factor and the offset of each channel. They are found by running the
/// node on 0 and on a large number.
static Result<std::pair<std::vector<float>, std::vector<float>>>
factorsOf(const Source &source, const onnx::NodeProto &node, size_t channels,
          const QuantizationRun &run) {
  ModelEdit asked = source.model;
  asked.graph().clear_node();
  asked.graph().clear_output();
  asked.graph().clear_input();
  *asked.graph().add_node() = node;
  asked.graph().add_output()->set_name(node.output(0));
  onnx::ValueInfoProto &input = *asked.graph().add_input();
  input.set_name(node.input(0));
  auto *type = input.mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  const Ints shape = {2, int64_t(channels), 1, 1};
  for (int64_t size : shape)
    type->mutable_shape()->add_dim()->set_dim_value(size);
  asked.tidy();
  Result<std::unique_ptr<ModelRun>> ready = ModelRun::of(asked.bytes(), run);
  if (!ready)
    return ready.status();
  std::vector<NamedTensor> inputs(1), outputs;
  Result<Tensor> tensor = Tensor::zeros({ElementKind::F32, shape});
  if (!tensor)
    return tensor.status();
  constexpr float large = 4096;
  std::fill_n(tensor->elements<float>().begin() + int64_t(channels), channels,
              large);
  inputs[0] = {node.input(0), tensor.take()};
  if (Status status = (*ready)->run(inputs, outputs); !status.ok())
    return status;
  const std::vector<float> both = *floatsOf(outputs[0].tensor);
  std::vector<float> factors,
      offsets(both.begin(), both.begin() + int64_t(channels));
  for (size_t i = 0; i < channels; ++i)
    factors.push_back((both[channels + i] - both[i]) / large);
  return std::pair(factors, offsets);
}

/// The index of the only reader of a value, if it is affine; else -1.
static int affineReader(const Source &source, const std::string &value) {
  const std::vector<int> readers = source.model.readersOf(value);
  if (readers.size() != 1 || source.model.isOutput(value))
    return -1;
  const onnx::NodeProto &node = source.model.graph().node(readers[0]);
  const std::set<std::string> constants(node.input().begin() + 1,
                                        node.input().end());
  bool areKnown = std::ranges::all_of(constants, [&](const auto &name) {
    return source.model.initializer(name) != nullptr;
  });
  return source.model.form(node).isAffine && hasOneResult(node) && areKnown &&
                 node.input(0) == value
             ? readers[0]
             : -1;
}

/// The operand for a product's bias, if its record names one.
static std::optional<int> biasPlace(const Source &source, const Layer &layer) {
  const onnx::NodeProto &node = source.model.graph().node(layer.node);
  for (const IntegerInput &entry : source.model.form(node).integers)
    if (entry.isBias && int(entry.input) <= node.input_size())
      return int(entry.input);
  return std::nullopt;
}

static Status fold(Source &source, Layer &layer, int reader,
                   const QuantizationRun &run, std::set<int> &gone) {
  const size_t channels = channelsOf(source, layer);
  const std::optional<int> place = biasPlace(source, layer);
  const size_t rank = source.values.at(layer.result).shape.size();
  // Affine nodes have their channels on axis 1.
  if (!channels || !place || wrapped(layer.resultAxis, rank) != 1)
    return Status();
  const onnx::NodeProto affine = source.model.graph().node(reader);
  auto found = factorsOf(source, affine, channels, run);
  if (!found)
    return found.status();
  const auto &[factors, offsets] = *found;
  scaleWeights(source, layer, outAxis(source, layer),
               [&](size_t channel) { return factors[channel]; });
  std::vector<float> bias(channels);
  if (layer.bias)
    bias = *floatsOf(source.constants.at(layer.bias->value));
  for (size_t i = 0; i < channels; ++i)
    bias[i] = bias[i] * factors[i] + offsets[i];
  onnx::NodeProto &node = *source.model.graph().mutable_node(layer.node);
  if (!layer.bias) {
    if (node.input_size() == *place)
      node.add_input("");
    layer.bias = Operand{*place, layer.name + "_bias", -1};
  }
  setConstant(source, layer, *layer.bias, {int64_t(channels)}, bias);
  node.set_output(0, affine.output(0));
  layer.result = affine.output(0);
  gone.insert(reader);
  return Status();
}

/// Removes nodes, and renumbers the nodes of layers.
static void removeNodes(Source &source, const std::set<int> &gone) {
  auto *nodes = source.model.graph().mutable_node();
  std::map<int, int> moved;
  int kept = 0;
  for (int i = 0; i < nodes->size(); ++i)
    if (!gone.count(i)) {
      moved[i] = kept;
      nodes->SwapElements(kept++, i);
    }
  nodes->DeleteSubrange(kept, nodes->size() - kept);
  for (Layer &layer : source.layers)
    layer.node = moved.at(layer.node);
}

Status glow::foldAffine(Source &source, const QuantizationRun &run) {
  std::set<int> gone;
  for (Layer &layer : source.layers) {
    const int reader = layer.weights ? affineReader(source, layer.result) : -1;
    if (reader < 0)
      continue;
    if (Status status = fold(source, layer, reader, run, gone); !status.ok())
      return status;
  }
  removeNodes(source, gone);
  source.model.tidy();
  return Status();
}
