//===- Equalize.cpp - channels that become alike --------------------------===//
// SPDX-License-Identifier: MIT

#include "Prepare.h"
#include "glow/Quantization/Channels.h"

using namespace glow;

namespace {

/// Two products, and the values between them.
struct Pair {
  Layer *first, *second;
  std::vector<std::string> between;
};

} // namespace

static Layer *layerAt(Source &source, int node) {
  for (Layer &layer : source.layers)
    if (layer.node == node)
      return &layer;
  return nullptr;
}

/// Follows the only reader of the result as long as positive factors pass
/// through.
static std::optional<Pair> pairFrom(Source &source, Layer &first) {
  Pair pair{&first, nullptr, {first.result}};
  while (true) {
    const std::string value = pair.between.back();
    const std::vector<int> readers = source.model.readersOf(value);
    if (readers.size() != 1 || source.model.isOutput(value))
      return std::nullopt;
    const onnx::NodeProto &node = source.model.graph().node(readers[0]);
    Layer *next = layerAt(source, readers[0]);
    if (next && next->weights && !next->activations.empty() &&
        next->activations[0].value == value) {
      pair.second = next;
      return pair;
    }
    auto known = source.values.find(value);
    auto result = node.output_size() ? source.values.find(node.output(0))
                                     : source.values.end();
    const QuantizedForm &form = source.model.form(node);
    // A node that may move channels ends the search.
    if ((form.keepsRange && form.integers.empty()) || !form.rescales ||
        !hasOneResult(node) || known == source.values.end() ||
        result == source.values.end() ||
        known->second.shape.size() != result->second.shape.size())
      return std::nullopt;
    pair.between.push_back(node.output(0));
  }
}

static bool equalize(Source &source, const Pair &pair) {
  const size_t channels = channelsOf(source, *pair.first);
  if (!channels)
    return false;
  const Layer &second = *pair.second;
  const Ints &readShape =
      source.constants.at(second.weights->value).type().shape;
  const std::vector<size_t> read =
      channelsRead(readShape, outAxis(source, second), channels);
  if (read.empty())
    return false;
  const Tensor &one = source.constants.at(pair.first->weights->value);
  const AxisWalk walk(one.type().shape, outAxis(source, *pair.first));
  std::vector<float> values =
      *floatsOf(source.constants.at(second.weights->value));
  const std::vector<float> factors =
      balancingFactors(*floatsOf(one), walk, values, read);
  scaleWeights(source, *pair.first, outAxis(source, *pair.first),
               [&](size_t channel) { return 1 / factors[channel]; });
  if (pair.first->bias) {
    std::vector<float> bias =
        *floatsOf(source.constants.at(pair.first->bias->value));
    for (size_t i = 0; i < channels; ++i)
      bias[i] /= factors[i];
    const Ints shape =
        source.constants.at(pair.first->bias->value).type().shape;
    setConstant(source, *pair.first, *pair.first->bias, shape, bias);
  }
  for (size_t i = 0; i < values.size(); ++i)
    values[i] *= factors[read[i]];
  const Ints shape =
      source.constants.at(pair.second->weights->value).type().shape;
  setConstant(source, *pair.second, *pair.second->weights, shape, values);
  const std::vector<ChannelRange> first =
      source.values.at(pair.first->result).channels;
  for (const std::string &name : pair.between)
    divideChannels(source.values.at(name), factors, first);
  return true;
}

size_t glow::equalize(Source &source) {
  size_t found = 0;
  // A chain of products converges after some rounds.
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    found = 0;
    for (Layer &layer : source.layers)
      if (layer.weights)
        if (std::optional<Pair> pair = pairFrom(source, layer))
          found += ::equalize(source, *pair);
  }
  source.model.tidy();
  return found;
}
