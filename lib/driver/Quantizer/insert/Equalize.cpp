//===- Equalize.cpp - channels that become alike --------------------------===//
// SPDX-License-Identifier: MIT

#include "Prepare.h"
#include "glow/Quantization/Weights.h"
#include <algorithm>
#include <cmath>

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

/// The channel that each element of the second weights reads; empty if the
/// sizes do not determine it.
static std::vector<size_t> channelsRead(const Source &source,
                                        const Layer &layer, size_t channels) {
  const Ints &shape = source.constants.at(layer.weights->value).type().shape;
  const int64_t out = outAxis(source, layer);
  const int64_t in = wrapped(layer.weights->axis ^ 1, shape.size());
  if (in < 0 || shape[size_t(in)] == 0)
    return {};
  const AxisWalk outer(shape, out), inner(shape, in);
  const size_t groups = channels / inner.size;
  if (groups * inner.size != channels || outer.size % groups ||
      (groups > 1 && out != 0))
    return {};
  size_t count = 1;
  for (int64_t size : shape)
    count *= size_t(size);
  std::vector<size_t> read;
  for (size_t i = 0; i < count; ++i)
    read.push_back(outer.at(i) / (outer.size / groups) * inner.size +
                   inner.at(i));
  return read;
}

static std::vector<float> largestOf(std::span<const float> values,
                                    const std::function<size_t(size_t)> &at,
                                    size_t channels) {
  std::vector<float> largest(channels);
  for (size_t i = 0; i < values.size(); ++i)
    largest[at(i)] = std::max(largest[at(i)], std::abs(values[i]));
  return largest;
}

/// Rescales the values between the products; only ranges of channels follow the
/// factors. A value without known channels takes those of the first product.
static void rescaleValues(Source &source, const Pair &pair,
                          const std::vector<float> &factors) {
  const std::vector<ChannelRange> first =
      source.values.at(pair.first->result).channels;
  for (const std::string &name : pair.between) {
    ValueProfile &value = source.values.at(name);
    if (value.channels.size() != factors.size())
      value.channels = first;
    value.low = value.high = 0;
    for (size_t i = 0; i < factors.size(); ++i) {
      ChannelRange &channel = value.channels[i];
      channel = {channel.low / factors[i], channel.high / factors[i],
                 channel.sum / double(factors[i])};
      value.low = std::min(value.low, channel.low);
      value.high = std::max(value.high, channel.high);
    }
    value.histogram = Histogram();
  }
}

static bool equalize(Source &source, const Pair &pair) {
  const size_t channels = channelsOf(source, *pair.first);
  if (!channels)
    return false;
  const std::vector<size_t> read = channelsRead(source, *pair.second, channels);
  if (read.empty())
    return false;
  const Tensor &one = source.constants.at(pair.first->weights->value);
  const Tensor &two = source.constants.at(pair.second->weights->value);
  const AxisWalk walk(one.type().shape, outAxis(source, *pair.first));
  std::vector<float> values = *floatsOf(two);
  const std::vector<float> r1 =
      largestOf(*floatsOf(one), [&](size_t i) { return walk.at(i); }, channels);
  const std::vector<float> r2 =
      largestOf(values, [&](size_t i) { return read[i]; }, channels);
  std::vector<float> factors(channels, 1);
  for (size_t i = 0; i < channels; ++i)
    if (r1[i] > 0 && r2[i] > 0)
      factors[i] = std::clamp(std::sqrt(r1[i] / r2[i]), 1e-3f, 1e3f);
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
  rescaleValues(source, pair, factors);
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
