//===- NodeSource.cpp - a module that is quantized ------------------------===//
// SPDX-License-Identifier: MIT

#include "NodeSource.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/TextName.h"

using namespace glow;
using namespace mlir;

ValueProfile *NodeSource::profileOf(Value value) {
  auto found = values.find(nameOf(value));
  return found == values.end() ? nullptr : &found->second;
}

size_t NodeSource::channelsOf(const NodeLayer &layer) const {
  if (!layer.weights || layer.weights->axis < 0 || !layer.isWhole())
    return 0;
  const int64_t channels =
      tensorType(layer.weights->value).getShape()[size_t(layer.weights->axis)];
  const int64_t axis = wrapped(layer.resultAxis, layer.result);
  if (axis < 0 || tensorType(layer.result).getShape()[size_t(axis)] != channels)
    return 0;
  return size_t(channels);
}

/// The constant that a Broadcast repeats along leading axes, or the value.
static Value withoutBroadcast(Value value) {
  auto broadcast = value.getDefiningOp<Broadcast>();
  return broadcast && broadcast.getAxis() < 0 ? broadcast.getIn() : value;
}

Value NodeSource::repeatedAs(OpBuilder &builder, Value before, Value constant) {
  auto broadcast = before.getDefiningOp<Broadcast>();
  if (!broadcast)
    return constant;
  Operation *copy = builder.clone(*broadcast);
  copy->setOperand(0, constant);
  known.add(copy->getResult(0), {});
  return copy->getResult(0);
}

void NodeSource::replaceName(Value old, Value made) {
  const std::string name = valueNameOf(cast<OpResult>(old)).str();
  if (!name.empty()) {
    setValueName(cast<OpResult>(old), "");
    setValueName(cast<OpResult>(made), name);
  }
  names.replace(old, made);
}

std::optional<std::vector<float>> NodeSource::addendOf(const NodeLayer &layer,
                                                       size_t channels) {
  const auto addend = layer.addend();
  if (!addend)
    return std::vector<float>(channels);
  const auto [node, number] = *addend;
  const Value value = withoutBroadcast(node->getOperand(number));
  std::optional<std::vector<float>> values = known.floatsOf(value);
  const ArrayRef<int64_t> shape = tensorType(value).getShape();
  if (!values || values->size() != channels || shape.empty() ||
      shape.back() != int64_t(channels))
    return std::nullopt;
  return values;
}

/// The number that an operand for the bias of a node gets. Empty if the node
/// has a bias already, or if its record names no such operand.
static std::optional<unsigned> absentBias(Operation *op) {
  const NodeInfo *info = findNode(op->getName().getStringRef());
  const SmallVector<int32_t> sizes = sizesOfOperands(*info, op);
  for (const IntegerInput &entry : info->quantized.integers) {
    const bool isLast = entry.input + 1 == sizes.size();
    if (entry.isBias && isLast && sizes[entry.input] == 0)
      return op->getNumOperands();
  }
  return std::nullopt;
}

bool NodeSource::setAddend(NodeLayer &layer, std::span<const float> values) {
  const auto addend = layer.addend();
  const std::optional<unsigned> absent =
      addend ? std::nullopt : absentBias(layer.node);
  const bool isSum = addend ? !layer.bias : !absent;
  const Value old =
      addend ? withoutBroadcast(addend->first->getOperand(addend->second))
             : layer.result;
  const int64_t rank = rankOf(layer.result);
  if (isSum && wrapped(layer.resultAxis, layer.result) != rank - 1)
    return false;
  InsertionPlace place(layer.node, old);
  const Ints shape =
      addend ? Ints(tensorType(old).getShape()) : Ints{int64_t(values.size())};
  const Value made =
      constants.floats(place, addend ? "_changed" : "_bias", shape, values);
  known.add(made, ConstantMaker::elementsOf(made));
  if (!isSum) {
    const unsigned number = addend ? addend->second : *absent;
    if (addend)
      layer.node->setOperand(number, made);
    else
      layer.node->insertOperands(number, made);
    layer.bias = LayerOperand{number, made, -1};
    return true;
  }
  if (addend) {
    OpOperand &added = addend->first->getOpOperand(addend->second);
    place.builder.setInsertionPoint(addend->first);
    added.set(repeatedAs(place.builder, added.get(), made));
    return true;
  }
  OpBuilder &builder = place.builder;
  builder.setInsertionPointAfter(layer.node);
  const Value repeated = createBroadcast(builder, layer.node->getLoc(), made,
                                         shapeOf(layer.result), -1);
  known.add(repeated, {});
  Value product = layer.result;
  const Value sum = createAdd(builder, layer.node->getLoc(), product, repeated);
  product.replaceAllUsesExcept(sum, sum.getDefiningOp());
  replaceName(product, sum);
  layer.result = sum;
  return true;
}

void NodeSource::setWeights(NodeLayer &layer, const WeightRoot &root,
                            std::span<const float> values) {
  InsertionPlace place(layer.node, root.value);
  constexpr StringRef suffix = "_changed";
  const bool isChanged = StringRef(place.name).ends_with(suffix);
  const Value made =
      constants.floats(place, isChanged ? "" : suffix,
                       tensorType(root.value).getShape(), values);
  known.add(made, ConstantMaker::elementsOf(made));
  const Value moved = root.moved(place.builder, made);
  SmallVector<Value> chain;
  for (Value value = moved; value != made;
       value = value.getDefiningOp()->getOperand(0))
    chain.push_back(value);
  for (Value value : llvm::reverse(chain))
    known.add(value, {});
  layer.node->setOperand(layer.weights->number, moved);
  layer.weights->value = moved;
}
