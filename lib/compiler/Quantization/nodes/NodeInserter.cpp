//===- NodeInserter.cpp - nodes that quantize -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Weights become integers in the module, and a node that makes floats of them.
// A backend sees a node between nodes that dequantize and one that quantizes,
// and fuses all of them into an integer instruction.
//
//===----------------------------------------------------------------------===//

#include "NodeInserter.h"
#include "WeightRoot.h"
#include "glow/Base/Hash.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "glow/Quantization/Channels.h"
#include <algorithm>

using namespace glow;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A byte, or several, for each integer; in memory, those of 4 bits have one.
static std::string bytesInMemory(std::span<const int64_t> values,
                                 unsigned bits) {
  return bytesOf(values, std::max(bits, 8u));
}

std::string glow::keyOf(Operation *function, const Ints &shape,
                        const Integers &integers, int64_t axis) {
  HashOfParts hash;
  const auto add = [&](const auto &list) {
    using Element = std::ranges::range_value_t<decltype(list)>;
    hash.add(std::string_view(reinterpret_cast<const char *>(list.data()),
                              list.size() * sizeof(Element)));
  };
  add(shape), add(integers.values);
  std::vector<int64_t> rest = {axis, int64_t(uintptr_t(function))};
  std::vector<float> scales;
  for (const Parameters &own : integers.parameters) {
    scales.push_back(own.scale);
    rest.insert(rest.end(), {own.zero, own.bits, own.isSigned});
  }
  add(scales), add(rest);
  return hash.finish().text();
}

std::pair<Value, Value>
NodeInserter::scaleAndZero(InsertionPlace &place,
                           std::span<const Parameters> parameters,
                           bool isScalar) {
  std::vector<float> scales;
  std::vector<int64_t> zeros;
  for (const Parameters &own : parameters) {
    scales.push_back(own.scale);
    zeros.push_back(own.zero);
  }
  Ints shape;
  if (!isScalar)
    shape.push_back(int64_t(parameters.size()));
  const Parameters &first = parameters.front();
  Value scale = source.constants.floats(place, "_scale", shape, scales);
  Value zero = source.constants.make(place, "_zero_point", first.kind(), shape,
                                     bytesInMemory(zeros, first.bits));
  return {scale, zero};
}

/// The floats that integers stand for, in place of `real`.
Value NodeInserter::dequantized(InsertionPlace &place, Value real,
                                const Integers &integers, int64_t axis) {
  const Ints shape(tensorType(real).getShape());
  Operation *function = place.builder.getBlock()->getParentOp();
  Value &known = made[keyOf(function, shape, integers, axis)];
  if (known)
    return known;
  const Parameters &first = integers.parameters.front();
  Value integer =
      source.constants.make(place, "_quantized", first.kind(), shape,
                            bytesInMemory(integers.values, first.bits));
  auto [scale, zero] = scaleAndZero(place, integers.parameters, axis < 0);
  known = Dequantize::create(place.builder, place.named("_dequantized"),
                             integer, scale, zero, axis);
  return known;
}

//===----------------------------------------------------------------------===//
// Operands of layers
//===----------------------------------------------------------------------===//

Parameters NodeInserter::choose(Value value, unsigned bits) {
  auto [found, isNew] = source.request.parameters.try_emplace(
      {source.nameOf(value), bits}, Parameters());
  if (!isNew)
    return found->second;
  while (Operation *op = value.getDefiningOp()) {
    Value before = keepsRange(op, known) ? onlyFloats(op, known) : Value();
    if (!before || !source.profileOf(before))
      break;
    value = before;
  }
  found->second = parametersOf(rangeOf(*source.profileOf(value), options, bits),
                               options.scheme, bits);
  return found->second;
}

Value NodeInserter::activation(Value value, unsigned bits) {
  Value &made = activations[{source.nameOf(value), bits}];
  if (made)
    return made;
  const Parameters own = choose(value, bits);
  Operation *maker = value.getDefiningOp();
  InsertionPlace place(maker, value);
  place.builder.setInsertionPointAfter(maker);
  auto [scale, zero] = scaleAndZero(place, std::span(&own, 1), true);
  Value integers = Quantize::create(place.builder, place.named("_quantized"),
                                    value, scale, zero, -1);
  made = Dequantize::create(place.builder, place.named("_dequantized"),
                            integers, scale, zero, -1);
  return made;
}

float NodeInserter::inputScale(const NodeLayer &layer, unsigned bits) {
  return options.activationBits && layer.activations.size() == 1
             ? choose(layer.activations.front().value, bits).scale
             : 1;
}

/// The bias as floats, where it becomes integers with the scale of the product.
std::vector<float> NodeInserter::addends(const NodeLayer &layer) {
  const Value bias = biasOf(layer);
  const bool counts = bias && options.activationBits && options.biasBits == 32;
  return counts ? known.floatsOf(bias).value_or(std::vector<float>())
                : std::vector<float>();
}

/// The bias, or the constant that is added as one; null if there is none.
Value NodeInserter::biasOf(const NodeLayer &layer) {
  if (layer.bias)
    return layer.bias->value;
  if (!layer.hasOwnAddend())
    return {};
  const auto [sum, number] = *layer.addend();
  const Value added = sum->getOperand(number);
  auto repeated = added.getDefiningOp<Broadcast>();
  const Value value = repeated ? repeated.getIn() : added;
  return known.floatsOf(value) ? value : Value();
}

Value NodeInserter::weights(const NodeLayer &layer, unsigned bits,
                            std::vector<Parameters> &parameters) {
  const LayerOperand &operand = *layer.weights;
  const WeightRoot root =
      rootOf(operand.value, options.perChannel ? operand.axis : -1, known,
             /*mayJoin=*/!layer.isWhole());
  const unsigned own =
      options.activationBits && bits == 16 ? 16 : options.weightBits;
  const Integers integers = quantizeWeights(
      *known.floatsOf(root.value), Ints(tensorType(root.value).getShape()),
      root.axis, options.scheme, own,
      {addends(layer), layer.isWhole() ? inputScale(layer, bits) : 1});
  parameters = integers.parameters;
  InsertionPlace place(layer.node, root.value);
  Value floats = dequantized(place, root.value, integers, root.axis);
  return root.moved(place.builder, floats);
}

/// A constant other than weights, with a single scale. Repeated elements stay
/// repeated by a node.
Value NodeInserter::other(const NodeLayer &layer, const LayerOperand &operand,
                          unsigned bits) {
  auto repeated = operand.value.getDefiningOp<Broadcast>();
  const Value from = repeated ? repeated.getIn() : operand.value;
  const Integers integers =
      quantizeWeights(*known.floatsOf(from), Ints(tensorType(from).getShape()),
                      -1, options.scheme, bits);
  InsertionPlace place(layer.node, from);
  return source.repeatedAs(place.builder, operand.value,
                           dequantized(place, from, integers, -1));
}

/// The bias as integers. It stays floats if the weights have more scales than
/// one, and not one for each of its elements.
Value NodeInserter::bias(const NodeLayer &layer, Value value, unsigned bits,
                         std::span<const Parameters> weights) {
  const std::vector<float> reals = *known.floatsOf(value);
  const bool isShort = options.biasBits == 8;
  const bool isScalar = isShort || weights.size() == 1;
  const Ints shape(tensorType(value).getShape());
  if (!isScalar && (weights.size() != reals.size() || shape.size() != 1))
    return value;
  const Integers integers =
      isShort ? quantizeWeights(reals, shape, -1, options.scheme, 8)
              : ProductBias{reals, inputScale(layer, bits)}.quantized(weights);
  InsertionPlace place(layer.node, value);
  return dequantized(place, value, integers, isScalar ? -1 : 0);
}

/// Corrects the addend for the error of rounded weights.
void NodeInserter::correct(NodeLayer &layer, unsigned bits) {
  const Value matrix = layer.weights->value;
  const ValueProfile *input = source.profileOf(layer.activations[0].value);
  const size_t channels = source.channelsOf(layer);
  if (!input || channels == 0 || !layer.addend())
    return;
  std::optional<std::vector<float>> addend = source.addendOf(layer, channels);
  if (!addend)
    return;
  const Ints shape(tensorType(matrix).getShape());
  const std::vector<float> reals = *known.floatsOf(matrix);
  const int64_t axis = options.perChannel ? layer.weights->axis : -1;
  const unsigned own = bits == 16 ? 16 : options.weightBits;
  const std::vector<float> rounded =
      quantizeWeights(reals, shape, axis, options.scheme, own,
                      {addends(layer), inputScale(layer, bits)})
          .reals(shape, axis);
  source.setAddend(layer, correctedAddend(std::move(*addend), reals, rounded,
                                          shape, layer.weights->axis, *input));
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void NodeInserter::quantize(NodeLayer &layer, LayerKind kind) {
  layer.refresh();
  if (hasBlocks(layer, options))
    return addBlocks(layer);
  if (kind == bf16)
    return addHalves(layer);
  const bool isWhole = options.activationBits != 0 && layer.isWhole();
  std::vector<Parameters> parameters;
  if (layer.weights) {
    Value made = weights(layer, kind.bits, parameters);
    if (isWhole && options.correctBias)
      correct(layer, kind.bits);
    layer.node->setOperand(layer.weights->number, made);
  }
  if (!isWhole)
    return;
  if (layer.weights)
    quantizeBias(layer, kind.bits, parameters);
  for (const LayerOperand &operand : layer.others)
    layer.node->setOperand(operand.number, other(layer, operand, kind.bits));
  for (const LayerOperand &operand : layer.activations) {
    OpOperand &read = layer.at(operand);
    read.set(activation(read.get(), kind.bits));
  }
}

void NodeInserter::quantizeBias(NodeLayer &layer, unsigned bits,
                                std::span<const Parameters> weights) {
  const Value value = biasOf(layer);
  if (!value)
    return;
  const Value made = bias(layer, value, bits, weights);
  if (made == value)
    return;
  const auto [sum, number] = *layer.addend();
  OpBuilder builder(sum);
  sum->setOperand(number,
                  source.repeatedAs(builder, sum->getOperand(number), made));
}

void NodeInserter::move(Operation *node, unsigned bits) {
  Value value = onlyFloats(node, known);
  for (OpOperand &operand : node->getOpOperands())
    if (operand.get() == value)
      operand.set(activation(value, bits));
}
