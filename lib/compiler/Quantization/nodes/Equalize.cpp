//===- Equalize.cpp - channels that become alike --------------------------===//
// SPDX-License-Identifier: MIT

#include "NodeSource.h"
#include "glow/Graph/Build.h"
#include "glow/Quantization/Channels.h"

using namespace glow;
using namespace mlir;

namespace {

/// Two products, and the values between them.
struct Pair {
  NodeLayer *first, *second;
  std::vector<Value> between;
};

} // namespace

static NodeLayer *layerAt(NodeSource &source, Operation *node) {
  for (NodeLayer &layer : source.layers)
    if (layer.node == node ||
        (layer.isWhole() && layer.activations[0].reader == node))
      return &layer;
  return nullptr;
}

/// Follows the only reader of the result as long as positive factors pass
/// through. A node that may move channels ends the search.
static std::optional<Pair> pairFrom(NodeSource &source, NodeLayer &first) {
  Pair pair{&first, nullptr, {first.shown(source.known)}};
  while (true) {
    const Value value = pair.between.back();
    if (!value.hasOneUse() || isInner(*value.user_begin()))
      return std::nullopt;
    Operation *reader = *value.user_begin();
    NodeLayer *next = layerAt(source, reader);
    if (next && next->weights && next->isWhole() &&
        next->activations[0].value == value) {
      pair.second = next;
      return pair;
    }
    const QuantizedForm &form = formOf(reader);
    const bool mayMove =
        keepsRange(reader, source.known) && form.integers.empty();
    if (mayMove || !form.rescales || reader->getNumResults() != 1 ||
        !source.profileOf(value) || !source.profileOf(reader->getResult(0)) ||
        rankOf(value) != rankOf(reader->getResult(0)))
      return std::nullopt;
    pair.between.push_back(reader->getResult(0));
  }
}

static bool equalize(NodeSource &source, const Pair &pair) {
  const size_t channels = source.channelsOf(*pair.first);
  const ValueProfile *result = source.profileOf(pair.between.front());
  if (!channels || !result || result->channels.size() != channels)
    return false;
  const auto rootOfWeights = [&](const NodeLayer &layer) {
    return rootOf(layer.weights->value, layer.weights->axis, source.known);
  };
  const WeightRoot first = rootOfWeights(*pair.first),
                   second = rootOfWeights(*pair.second);
  if (first.axis < 0 || second.axis < 0)
    return false;
  const std::vector<size_t> read = channelsRead(
      Ints(tensorType(second.value).getShape()), second.axis, channels);
  auto one = source.known.floatsOf(first.value);
  auto two = source.known.floatsOf(second.value);
  auto addend = source.addendOf(*pair.first, channels);
  if (read.empty() || !one || !two || !addend)
    return false;
  const AxisWalk walk(Ints(tensorType(first.value).getShape()), first.axis);
  const std::vector<float> factors = balancingFactors(*one, walk, *two, read);
  for (size_t i = 0; i < channels; ++i)
    (*addend)[i] /= factors[i];
  if (pair.first->addend() && !source.setAddend(*pair.first, *addend))
    return false;
  for (size_t i = 0; i < one->size(); ++i)
    (*one)[i] /= factors[walk.at(i)];
  for (size_t i = 0; i < two->size(); ++i)
    (*two)[i] *= factors[read[i]];
  source.setWeights(*pair.first, first, *one);
  source.setWeights(*pair.second, second, *two);
  const std::vector<ChannelRange> ranges = result->channels;
  for (Value value : pair.between)
    divideChannels(*source.profileOf(value), factors, ranges);
  return true;
}

size_t glow::equalize(NodeSource &source) {
  size_t found = 0;
  // A chain of products converges after some rounds.
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    found = 0;
    for (NodeLayer &layer : source.layers)
      if (layer.weights && layer.isWhole())
        if (std::optional<Pair> pair = pairFrom(source, layer))
          found += ::equalize(source, *pair);
  }
  return found;
}
