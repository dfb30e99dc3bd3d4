//===- Prepare.cpp - a model that is easier to quantize -------------------===//

#include "Prepare.h"
#include "Weights.h"
#include <algorithm>
#include <cmath>

using namespace glow;

//===----------------------------------------------------------------------===//
// Weights that change
//===----------------------------------------------------------------------===//

/// Multiplies weights along an axis, and adds to a bias. What others read too
/// stays: the node gets a copy of its own.
static void setConstant(Source &source, const Layer &layer, Operand &operand,
                        const Ints &shape, const std::vector<float> &values) {
  const std::string name = source.model.freshName(operand.value + "_changed");
  source.model.addFloats(name, shape, values);
  Result<Tensor> tensor = tensorOf(*source.model.initializer(name));
  source.constants[name] = tensor.take(); // of the bytes that were just made
  operand.value = name;
  source.model.graph().mutable_node(layer.node)->set_input(operand.input, name);
}

static void scaleWeights(Source &source, Layer &layer, int64_t axis,
                         const std::function<float(size_t)> &factor) {
  const Tensor &tensor = source.constants.at(layer.weights->value);
  const Ints shape = tensor.type().shape;
  std::vector<float> values = *floatsOf(tensor);
  const AxisWalk walk(shape, axis);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] *= factor(walk.at(i));
  setConstant(source, layer, *layer.weights, shape, values);
}

static int64_t outAxis(const Source &source, const Layer &layer) {
  return wrapped(layer.weights->axis,
                 source.constants.at(layer.weights->value).type().shape.size());
}

/// The channels of the result if each has a slice of the weights, and a number
/// of the bias or there is none; else 0.
static size_t channelsOf(const Source &source, const Layer &layer) {
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

//===----------------------------------------------------------------------===//
// Nodes that become part of a product
//===----------------------------------------------------------------------===//

/// What a node makes of each channel, by asking it: 0, and a large number.
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
  Result<std::unique_ptr<ModelRun>> ready = ModelRun::of(asked.proto, run);
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

static bool hasOneResult(const onnx::NodeProto &node) {
  return node.output_size() > 0 &&
         std::all_of(node.output().begin() + 1, node.output().end(),
                     [](const std::string &output) { return output.empty(); });
}

/// The place of the node that alone reads a value and is affine, or -1.
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

/// The operand that a product has for a bias, if its record names one.
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
  // The channels of what is affine are those of axis 1.
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

/// Takes nodes away, and counts the places of layers anew.
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

//===----------------------------------------------------------------------===//
// Channels that become alike
//===----------------------------------------------------------------------===//

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

/// Follows the only reader of the result as long as it lets factors through.
static std::optional<Pair> pairFrom(Source &source, Layer &first) {
  Pair pair{&first, nullptr, {first.result}};
  while (true) {
    const std::string value = pair.between.back();
    const std::vector<int> readers = source.model.readersOf(value);
    if (readers.size() != 1 || source.model.isOutput(value))
      return std::nullopt;
    const onnx::NodeProto &node = source.model.graph().node(readers[0]);
    Layer *next = layerAt(source, readers[0]);
    if (next && next->weights && next->activations[0].value == value) {
      pair.second = next;
      return pair;
    }
    auto known = source.values.find(value);
    auto result = node.output_size() ? source.values.find(node.output(0))
                                     : source.values.end();
    const QuantizedForm &form = source.model.form(node);
    // What may move channels to other places is not followed.
    if ((form.keepsRange && form.integers.empty()) || !form.rescales ||
        !hasOneResult(node) || known == source.values.end() ||
        result == source.values.end() ||
        known->second.shape.size() != result->second.shape.size())
      return std::nullopt;
    pair.between.push_back(node.output(0));
  }
}

/// For each element of the second weights, the channel that it reads; empty if
/// those are not told by the sizes.
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

/// Of values between, only the ranges of channels follow the factors. A value
/// whose channels were not told apart takes those of the first.
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
  const std::vector<float> r1 = largestOf(
      *floatsOf(one), [&](size_t i) { return walk.at(i); }, channels);
  const std::vector<float> r2 = largestOf(
      values, [&](size_t i) { return read[i]; }, channels);
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
  // A chain of products comes to rest after some rounds.
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
