//===- NodeLayers.cpp - nodes that may read integers ----------------------===//
// SPDX-License-Identifier: MIT

#include "NodeLayers.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/DenseSet.h"

using namespace glow;
using namespace mlir;

const QuantizedForm &glow::formOf(Operation *op) {
  static const QuantizedForm floats;
  const NodeInfo *info = findNode(op->getName().getStringRef());
  return info ? info->quantized : floats;
}

static bool isFloats(Value value) {
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

bool glow::keepsRange(Operation *op, const KnownValues &known) {
  if (!onlyFloats(op, known))
    return false;
  // Constant elements may be outside of the range.
  for (Value operand : op->getOperands())
    if (isFloats(operand) && !known.varies(operand))
      return false;
  const NodeEvaluator *evaluator = NodeEvaluator::of(op->getContext());
  return formOf(op).keepsRange || (evaluator && evaluator->moves(op));
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static int64_t wrapped(int64_t axis, Value value) {
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
  }
  layer.result = op->getResult(0);
  if (layer.activations.empty() || op->getNumResults() != 1)
    return std::nullopt;
  if (layer.weights)
    layer.result = withAddend(layer.result, known);
  return layer;
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
  return layers;
}

//===----------------------------------------------------------------------===//
// Layers between layers
//===----------------------------------------------------------------------===//

namespace {

class Neighbours {
public:
  Neighbours(const std::vector<NodeLayer> &layers, const KnownValues &known)
      : known(known) {
    for (const NodeLayer &layer : layers)
      results[layer.result] = nodes[layer.node] = &layer;
  }

  bool isKept(const NodeLayer &layer) const { return !gone.contains(&layer); }

  /// Leaves a layer in floats; false if it is so already.
  bool drop(const NodeLayer &layer) { return gone.insert(&layer).second; }

  /// Whether a layer computes the value. Nodes that are no layers and have one
  /// varying operand, such as activations, may lie between.
  bool comesFromIntegers(Value value) const;

  /// Whether a layer reads the value, directly or through nodes that only move
  /// or scale it.
  bool isReadByIntegers(Value value) const;

private:
  const KnownValues &known;
  llvm::DenseMap<Value, const NodeLayer *> results;
  llvm::DenseMap<Operation *, const NodeLayer *> nodes;
  llvm::DenseSet<const NodeLayer *> gone;
};

} // namespace

bool Neighbours::comesFromIntegers(Value value) const {
  while (true) {
    if (const NodeLayer *layer = results.lookup(value))
      return isKept(*layer);
    Operation *op = value.getDefiningOp();
    if (!op || !formOf(op).integers.empty())
      return false;
    value = onlyFloats(op, known);
    if (!value)
      return false;
  }
}

bool Neighbours::isReadByIntegers(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *reader) {
    if (const NodeLayer *layer = nodes.lookup(reader))
      return isKept(*layer);
    const QuantizedForm &form = formOf(reader);
    return form.integers.empty() &&
           (form.rescales || keepsRange(reader, known)) &&
           llvm::any_of(reader->getResults(),
                        [&](Value result) { return isReadByIntegers(result); });
  });
}

size_t glow::keepBetween(std::vector<NodeLayer> &layers,
                         const KnownValues &known) {
  Neighbours neighbours(layers, known);
  const auto isAlone = [&](const NodeLayer &layer, bool forwards) {
    if (layer.weights || !neighbours.isKept(layer))
      return false;
    if (!forwards)
      return !neighbours.isReadByIntegers(layer.result);
    return !llvm::all_of(layer.activations, [&](const LayerOperand &operand) {
      return neighbours.comesFromIntegers(operand.value);
    });
  };
  // The forward pass removes chains behind floats at once; the backward pass
  // removes chains that lead to floats.
  for (bool changes = true; changes;) {
    changes = false;
    for (const NodeLayer &layer : layers)
      if (isAlone(layer, /*forwards=*/true))
        changes |= neighbours.drop(layer);
    for (const NodeLayer &layer : llvm::reverse(layers))
      if (isAlone(layer, /*forwards=*/false))
        changes |= neighbours.drop(layer);
  }
  std::vector<NodeLayer> kept;
  for (const NodeLayer &layer : layers)
    if (neighbours.isKept(layer))
      kept.push_back(layer);
  const size_t gone = layers.size() - kept.size();
  layers = std::move(kept);
  return gone;
}
