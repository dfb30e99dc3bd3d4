//===- NodeLayers.cpp - nodes that may read integers ----------------------===//
// SPDX-License-Identifier: MIT

#include "NodeLayers.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Quantization/Between.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace glow;
using namespace mlir;

const QuantizedForm &glow::formOf(Operation *op) {
  static const QuantizedForm floats;
  const NodeInfo *info = findNode(op->getName().getStringRef());
  return info ? info->quantized : floats;
}

bool glow::isFloats(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.getElementType().isF32();
}

Value glow::onlyFloats(Operation *op, const KnownValues &known) {
  Value only;
  for (Value operand : op->getOperands()) {
    if (!isFloats(operand) || !known.varies(operand))
      continue;
    if (only && only != operand)
      return {};
    only = operand;
  }
  return only;
}

/// Whether all real attributes are 0, which the range of each value has.
static bool hasOnlyZeros(Operation *op) {
  return llvm::all_of(op->getAttrs(), [](NamedAttribute attribute) {
    auto real = dyn_cast<FloatAttr>(attribute.getValue());
    return !real || real.getValue().isZero();
  });
}

bool glow::keepsRange(Operation *op, const KnownValues &known) {
  if (!onlyFloats(op, known))
    return false;
  // Constant elements may be outside of the range.
  for (Value operand : op->getOperands())
    if (isFloats(operand) && !known.varies(operand))
      return false;
  const NodeEvaluator *evaluator = NodeEvaluator::of(op->getContext());
  return (formOf(op).keepsRange && hasOnlyZeros(op)) ||
         (evaluator && evaluator->moves(op));
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

std::optional<std::pair<Operation *, unsigned>> NodeLayer::addend() const {
  if (bias)
    return std::pair(node, bias->number);
  Operation *sum = result.getDefiningOp();
  if (sum == node)
    return std::nullopt;
  return std::pair(sum, sum->getOperand(0).getDefiningOp() == node ? 1u : 0u);
}

OpOperand &NodeLayer::at(const LayerOperand &operand) const {
  return operand.reader ? operand.reader->getOpOperand(operand.place)
                        : node->getOpOperand(operand.number);
}

Value NodeLayer::shown(const KnownValues &known) const {
  Value value = result;
  while (value.hasOneUse()) {
    Operation *reader = *value.user_begin();
    if (!areOfOneOperator(value.getDefiningOp(), reader) ||
        !keepsRange(reader, known))
      break;
    value = reader->getResult(0);
  }
  return value;
}

bool NodeLayer::hasOwnAddend() const {
  return !bias && areOfOneOperator(node, result.getDefiningOp()) &&
         result.getDefiningOp() != node;
}

void NodeLayer::refresh() {
  const auto read = [&](LayerOperand &operand) {
    operand.value = at(operand).get();
  };
  llvm::for_each(activations, read);
  llvm::for_each(others, read);
  for (std::optional<LayerOperand> *operand : {&weights, &bias})
    if (*operand)
      read(**operand);
}

int64_t glow::wrapped(int64_t axis, Value value) {
  const int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  axis += axis < 0 ? rank : 0;
  return axis < 0 || axis >= rank ? -1 : axis;
}

static void addOperand(NodeLayer &layer, unsigned number,
                       const IntegerInput &entry, const KnownValues &known) {
  Value value = layer.node->getOperand(number);
  const LayerOperand operand{number, value, wrapped(entry.channels, value)};
  if (known.varies(value)) {
    if (!entry.isBias)
      layer.activations.push_back(operand);
  } else if (entry.isBias) {
    layer.bias = operand;
  } else if (entry.isWeights) {
    layer.weights = operand;
  } else {
    layer.others.push_back(operand);
  }
}

/// The axis before a node that moves elements. All but a Transpose keep the
/// last axes.
static int64_t axisBefore(Operation *mover, int64_t axis, Value before) {
  if (axis < 0)
    return -1;
  if (auto transpose = dyn_cast<Transpose>(mover))
    return transpose.getPermutation()[size_t(axis)];
  const int64_t rank =
      cast<RankedTensorType>(mover->getResult(0).getType()).getRank();
  return wrapped(axis - rank, before);
}

/// Takes an operand from before the nodes of the same operator of the file that
/// move its elements.
static void moveToInput(LayerOperand &operand, Operation *node,
                        const KnownValues &known) {
  while (Operation *mover = operand.value.getDefiningOp()) {
    if (!areOfOneOperator(mover, node) || !operand.value.hasOneUse() ||
        !keepsRange(mover, known))
      return;
    Value before = onlyFloats(mover, known);
    operand.axis = axisBefore(mover, operand.axis, before);
    operand.value = before, operand.reader = mover;
    operand.place = unsigned(std::distance(
        mover->operand_begin(), llvm::find(mover->getOperands(), before)));
  }
}

/// The sum of a product and a constant, if nothing else reads the product.
static Value withAddend(Value product, const KnownValues &known) {
  if (!product.hasOneUse())
    return product;
  auto sum = dyn_cast<Add>(*product.user_begin());
  if (!sum ||
      known.varies(sum.getLhs() == product ? sum.getRhs() : sum.getLhs()))
    return product;
  return sum.getOut();
}

static std::optional<NodeLayer> layerOf(Operation *op,
                                        const KnownValues &known) {
  NodeLayer layer;
  layer.node = op;
  const NodeInfo *info = findNode(op->getName().getStringRef());
  if (!info || info->quantized.integers.empty())
    return std::nullopt;
  const SmallVector<int32_t> sizes = sizesOfOperands(*info, op);
  for (const IntegerInput &entry : info->quantized.integers) {
    unsigned first = 0;
    for (unsigned i = 0; i < entry.input; ++i)
      first += unsigned(sizes[i]);
    for (unsigned i = 0; i < unsigned(sizes[entry.input]); ++i)
      addOperand(layer, first + i, entry, known);
    if (!entry.isWeights && !entry.isBias)
      layer.resultAxis = entry.channels;
  }
  const auto result = llvm::find_if_not(
      op->getResults(), [](Value one) { return one.use_empty(); });
  layer.result = result == op->result_end() ? op->getResult(0) : *result;
  if (layer.activations.empty())
    return layer.weights && known.varies(layer.result) ? std::optional(layer)
                                                       : std::nullopt;
  if (op->getNumResults() != 1)
    return std::nullopt;
  if (layer.weights)
    layer.result = withAddend(layer.result, known);
  return layer;
}

/// The node with integer weights only to which a product leads, through nodes
/// that move its elements or add constants; null if there is none.
static Operation *partOf(const NodeLayer &layer, const KnownValues &known,
                         const llvm::DenseSet<Operation *> &ofWeights) {
  Value value = layer.result;
  while (value.hasOneUse()) {
    Operation *reader = *value.user_begin();
    if (ofWeights.contains(reader))
      return reader;
    if (!keepsRange(reader, known) &&
        !(isa<Add>(reader) && onlyFloats(reader, known)))
      return nullptr;
    value = reader->getResult(0);
  }
  return nullptr;
}

std::vector<NodeLayer> glow::layersOf(ModuleOp module,
                                      const KnownValues &known) {
  std::vector<NodeLayer> layers;
  llvm::DenseSet<Operation *> addends;
  module.walk([&](Operation *op) {
    std::optional<NodeLayer> layer = layerOf(op, known);
    if (!layer || addends.contains(op))
      return;
    if (layer->result.getDefiningOp() != op)
      addends.insert(layer->result.getDefiningOp());
    layers.push_back(std::move(*layer));
  });
  std::erase_if(layers, [](const NodeLayer &layer) {
    return isInner(layer.node) || isInner(layer.result.getDefiningOp());
  });
  for (NodeLayer &layer : layers)
    for (LayerOperand &operand : layer.activations)
      moveToInput(operand, layer.node, known);
  llvm::DenseSet<Operation *> ofWeights;
  for (const NodeLayer &layer : layers)
    if (!layer.isWhole())
      ofWeights.insert(layer.node);
  for (NodeLayer &layer : layers)
    if (layer.weights && layer.isWhole() && partOf(layer, known, ofWeights)) {
      layer.activations.clear();
      layer.others.clear();
    }
  return layers;
}

//===----------------------------------------------------------------------===//
// Layers between layers
//===----------------------------------------------------------------------===//

size_t glow::keepBetween(ModuleOp module, std::vector<NodeLayer> &layers,
                         const KnownValues &known) {
  std::vector<Neighbour> nodes;
  llvm::DenseMap<Operation *, int> places;
  const auto addOperand = [&](Neighbour &node, Value value) {
    Operation *op = value.getDefiningOp();
    node.operands.push_back(op ? places.at(op) : -1);
  };
  module.walk([&](Operation *op) {
    const int place = int(places.size());
    places[op] = place;
  });
  // A layer gives the sum with its addend.
  for (const NodeLayer &layer : layers)
    places[layer.result.getDefiningOp()] = places.at(layer.node);
  module.walk([&](Operation *op) {
    const bool stays = formOf(op).integers.empty();
    Neighbour &node = nodes.emplace_back();
    node.passesOn = stays;
    node.passesBack = stays && (formOf(op).rescales || keepsRange(op, known));
    llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
    for (Value value : operands)
      if (isFloats(value) && known.varies(value))
        addOperand(node, value);
  });
  for (const NodeLayer &layer : layers) {
    // A node with integer weights only computes in floats.
    if (!layer.isWhole())
      continue;
    Neighbour &node = nodes[size_t(places.at(layer.node))];
    node.kind = layer.weights || layer.wish == Wish::Integers
                    ? Neighbour::Integers
                    : Neighbour::Free;
    node.operands.clear();
    for (const LayerOperand &operand : layer.activations)
      addOperand(node, operand.value);
  }
  const std::vector<bool> beside = besideFloats(nodes);
  return std::erase_if(layers, [&](const NodeLayer &layer) {
    return beside[size_t(places.at(layer.node))];
  });
}
