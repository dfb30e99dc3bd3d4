//===- NodeInserter.cpp - nodes that quantize -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Weights become integers in the module, and a node that makes floats of them.
// A backend sees a node between nodes that dequantize and one that quantizes,
// and fuses all of them into an integer instruction.
//
//===----------------------------------------------------------------------===//

#include "NodeInserter.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include <algorithm>
#include <cmath>

using namespace glow;
using namespace mlir;

const ValueProfile *NodeInserter::profileOf(Value value) const {
  auto found = values.find(names.of(value).str());
  return found == values.end() ? nullptr : &found->second;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

NodeInserter::InsertionPlace NodeInserter::before(Operation *node,
                                                  Value value) const {
  StringRef name = nameIn(value.getLoc());
  if (auto read = value.getDefiningOp<ReadOp>())
    name = read.getStorage();
  return {OpBuilder(node), node->getLoc(), name.empty() ? "value" : name.str()};
}

Location NodeInserter::InsertionPlace::named(StringRef suffix) {
  return NameLoc::get(builder.getStringAttr(name + suffix.str()), location);
}

/// A byte, or several, for each integer; in memory, those of 4 bits have one.
static std::string bytesInMemory(std::span<const int64_t> values,
                                 unsigned bits) {
  return bytesOf(values, std::max(bits, 8u));
}

/// Declares a constant and reads it.
Value NodeInserter::constant(InsertionPlace &place, StringRef suffix,
                             ElementKind kind, ArrayRef<int64_t> shape,
                             std::string bytes) {
  MLIRContext *context = place.builder.getContext();
  auto type = RankedTensorType::get(shape, typeOf(context, kind));
  const std::string name = place.name + suffix.str();
  constexpr size_t few = 256;
  ElementsAttr elements;
  if (bytes.size() <= few) {
    elements = DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef(bytes.data(), bytes.size()));
  } else {
    auto owner = std::make_shared<std::string>(std::move(bytes));
    elements =
        elementsOf(type, {ArrayRef(owner->data(), owner->size()), owner}, name);
  }
  Operation *function = place.builder.getBlock()->getParentOp();
  while (!isa<FuncOp>(function))
    function = function->getParentOp();
  SymbolTable &table = symbols.getSymbolTable(
      SymbolTable::getNearestSymbolTable(function->getParentOp()));
  OpBuilder storage(function);
  const Location location = place.named(suffix);
  auto made = ConstantOp::create(storage, location, storage.getStringAttr(name),
                                 elements);
  made->remove();
  table.insert(made, Block::iterator(function));
  return ReadOp::create(place.builder, location, type,
                        FlatSymbolRefAttr::get(made.getSymNameAttr()));
}

std::pair<Value, Value>
NodeInserter::scaleAndZero(InsertionPlace &place,
                           std::span<const Parameters> parameters,
                           bool isScalar) {
  std::string scales;
  std::vector<int64_t> zeros;
  for (const Parameters &own : parameters) {
    scales.append(reinterpret_cast<const char *>(&own.scale), sizeof own.scale);
    zeros.push_back(own.zero);
  }
  Ints shape;
  if (!isScalar)
    shape.push_back(int64_t(parameters.size()));
  const Parameters &first = parameters.front();
  Value scale =
      constant(place, "_scale", ElementKind::F32, shape, std::move(scales));
  Value zero = constant(place, "_zero_point", first.kind(), shape,
                        bytesInMemory(zeros, first.bits));
  return {scale, zero};
}

/// The floats that integers stand for, in place of `real`.
Value NodeInserter::dequantized(InsertionPlace &place, Value real,
                                const Integers &integers, int64_t axis) {
  const Parameters &first = integers.parameters.front();
  Value integer =
      constant(place, "_quantized", first.kind(), Ints(shapeOf(real)),
               bytesInMemory(integers.values, first.bits));
  auto [scale, zero] = scaleAndZero(place, integers.parameters, axis < 0);
  return Dequantize::create(place.builder, place.named("_dequantized"), integer,
                            scale, zero, axis);
}

//===----------------------------------------------------------------------===//
// Operands of layers
//===----------------------------------------------------------------------===//

void NodeInserter::choose(Value value) {
  auto [found, isNew] = parameters.try_emplace(value);
  if (!isNew)
    return;
  Value source = value;
  while (Operation *op = source.getDefiningOp()) {
    Value before = keepsRange(op, known) ? onlyFloats(op, known) : Value();
    if (!before || !profileOf(before))
      break;
    source = before;
  }
  found->second =
      parametersOf(rangeOf(*profileOf(source), options, options.activationBits),
                   options.scheme, options.activationBits);
}

Value NodeInserter::activation(Value value) {
  if (Value made = activations.lookup(value))
    return made;
  const Parameters own = parameters.at(value);
  Operation *source = value.getDefiningOp();
  InsertionPlace place = before(source, value);
  place.builder.setInsertionPointAfter(source);
  auto [scale, zero] = scaleAndZero(place, std::span(&own, 1), true);
  Value integers = Quantize::create(place.builder, place.named("_quantized"),
                                    value, scale, zero, -1);
  Value made = Dequantize::create(place.builder, place.named("_dequantized"),
                                  integers, scale, zero, -1);
  activations[value] = made;
  return made;
}

float NodeInserter::inputScale(const NodeLayer &layer) const {
  return options.activationBits && layer.activations.size() == 1
             ? parameters.at(layer.activations.front().value).scale
             : 1;
}

Value NodeInserter::weights(const NodeLayer &layer,
                            std::vector<Parameters> &made) {
  const LayerOperand &operand = *layer.weights;
  const Ints shape = shapeOf(operand.value);
  const int64_t axis = options.perChannel ? operand.axis : -1;
  std::vector<float> addends;
  if (layer.bias && options.activationBits && options.biasBits == 32)
    addends = *known.floatsOf(layer.bias->value);
  const Integers integers = quantizeWeights(
      *known.floatsOf(operand.value), shape, axis, options.scheme,
      options.weightBits, {addends, inputScale(layer)});
  made = integers.parameters;
  InsertionPlace place = before(layer.node, operand.value);
  return dequantized(place, operand.value, integers, axis);
}

/// A constant other than weights, with a single scale. Repeated elements stay
/// repeated by a node.
Value NodeInserter::other(const NodeLayer &layer, const LayerOperand &operand) {
  auto repeated = operand.value.getDefiningOp<Broadcast>();
  Value source = repeated ? repeated.getIn() : operand.value;
  const Integers integers =
      quantizeWeights(*known.floatsOf(source), shapeOf(source), -1,
                      options.scheme, options.activationBits);
  InsertionPlace place = before(layer.node, source);
  Value made = dequantized(place, source, integers, -1);
  if (!repeated)
    return made;
  return Broadcast::create(place.builder, repeated.getLoc(), made,
                           Ints(repeated.getDims()), repeated.getAxis());
}

/// The bias as integers. It stays floats if the weights have more scales than
/// one, and not one for each of its elements.
Value NodeInserter::bias(const NodeLayer &layer,
                         std::span<const Parameters> weights) {
  Value value = layer.bias->value;
  const std::vector<float> reals = *known.floatsOf(value);
  const bool isShort = options.biasBits == 8;
  const bool isScalar = isShort || weights.size() == 1;
  if (!isScalar && weights.size() != reals.size())
    return value;
  const Integers integers =
      isShort ? quantizeWeights(reals, shapeOf(value), -1, options.scheme, 8)
              : ProductBias{reals, inputScale(layer)}.quantized(weights);
  InsertionPlace place = before(layer.node, value);
  return dequantized(place, value, integers, isScalar ? -1 : 0);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void NodeInserter::quantize(const NodeLayer &layer) {
  std::vector<Parameters> made;
  if (layer.weights)
    layer.node->setOperand(layer.weights->number, weights(layer, made));
  if (!options.activationBits)
    return;
  if (layer.bias && layer.weights)
    layer.node->setOperand(layer.bias->number, bias(layer, made));
  for (const LayerOperand &operand : layer.others)
    layer.node->setOperand(operand.number, other(layer, operand));
  for (const LayerOperand &operand : layer.activations)
    layer.node->setOperand(operand.number, activation(operand.value));
}

void NodeInserter::move(Operation *node) {
  Value value = onlyFloats(node, known);
  for (OpOperand &operand : node->getOpOperands())
    if (operand.get() == value)
      operand.set(activation(value));
}
