//===- FoldAffine.cpp - nodes that become part of a product ---------------===//
// SPDX-License-Identifier: MIT

#include "NodeSource.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/TextName.h"
#include "glow/Quantization/Weights.h"
#include <cstring>

using namespace glow;
using namespace mlir;

/// A factor and an offset for each channel.
using Factors = std::pair<std::vector<float>, std::vector<float>>;

/// Finds the factors of a node by computing it on 0 and on a large number. The
/// result is empty if the node cannot be computed.
static std::optional<Factors> factorsOf(NodeSource &source, Operation *node,
                                        size_t channels) {
  const NodeEvaluator *evaluator = NodeEvaluator::of(node->getContext());
  if (!evaluator)
    return std::nullopt;
  constexpr float large = 4096;
  std::vector<float> input(2 * channels);
  std::fill_n(input.begin() + int64_t(channels), channels, large);
  Ints shape(size_t(rankOf(node->getOperand(0))), 1);
  shape[0] = 2, shape[1] = int64_t(channels);
  auto type =
      RankedTensorType::get(shape, Float32Type::get(node->getContext()));
  auto elements = DenseElementsAttr::get(type, ArrayRef<float>(input));
  // The node reads another value while it is computed.
  OpBuilder builder(node);
  Operation *copy = builder.clone(*node);
  auto stub = UnrealizedConversionCastOp::create(
      builder, node->getLoc(), type, ValueRange(node->getOperand(0)));
  copy->setOperand(0, stub.getResult(0));
  copy->getResult(0).setType(type);
  auto results = evaluator->evaluate(copy, [&](Value value) -> ElementsAttr {
    return value == stub.getResult(0) ? ElementsAttr(elements)
                                      : source.known.elementsOf(value);
  });
  copy->erase();
  stub->erase();
  if (failed(results))
    return std::nullopt;
  const TensorBytes all = bytesOf(results->front());
  std::vector<float> both(2 * channels);
  if (all.bytes.size() != both.size() * sizeof(float))
    return std::nullopt;
  std::memcpy(both.data(), all.bytes.data(), all.bytes.size());
  Factors found;
  for (size_t i = 0; i < channels; ++i) {
    found.first.push_back((both[channels + i] - both[i]) / large);
    found.second.push_back(both[i]);
  }
  return found;
}

/// The only reader of a value, if it is affine and its other operands are
/// constants; null otherwise.
static Operation *affineReader(NodeSource &source, Value value) {
  if (!value.hasOneUse() || isInner(*value.user_begin()))
    return nullptr;
  Operation *reader = *value.user_begin();
  const bool areKnown =
      llvm::all_of(llvm::drop_begin(reader->getOperands()), [&](Value operand) {
        return !source.known.varies(operand) &&
               source.known.elementsOf(operand);
      });
  return formOf(reader).isAffine && reader->getNumResults() == 1 &&
                 reader->getOperand(0) == value && areKnown
             ? reader
             : nullptr;
}

/// Affine nodes have their channels on axis 1.
static void fold(NodeSource &source, NodeLayer &layer) {
  Operation *affine = affineReader(source, layer.result);
  const size_t channels = source.channelsOf(layer);
  if (!affine || channels == 0 || wrapped(layer.resultAxis, layer.result) != 1)
    return;
  std::optional<std::vector<float>> addend = source.addendOf(layer, channels);
  const WeightRoot root =
      rootOf(layer.weights->value, layer.weights->axis, source.known);
  std::optional<std::vector<float>> weights =
      root.axis < 0 ? std::nullopt : source.known.floatsOf(root.value);
  std::optional<Factors> found =
      addend && weights ? factorsOf(source, affine, channels) : std::nullopt;
  if (!found)
    return;
  const auto &[factors, offsets] = *found;
  for (size_t i = 0; i < channels; ++i)
    (*addend)[i] = (*addend)[i] * factors[i] + offsets[i];
  if (!source.setAddend(layer, *addend))
    return;
  const AxisWalk walk(Ints(tensorType(root.value).getShape()), root.axis);
  for (size_t i = 0; i < weights->size(); ++i)
    (*weights)[i] *= factors[walk.at(i)];
  source.setWeights(layer, root, *weights);
  if (StringRef name = valueNameOf(affine->getResult(0)); !name.empty())
    setValueName(cast<OpResult>(layer.result), name);
  affine->getResult(0).replaceAllUsesWith(layer.result);
  source.names.replace(affine->getResult(0), layer.result);
  affine->erase();
}

void glow::foldAffine(NodeSource &source) {
  for (NodeLayer &layer : source.layers)
    if (layer.weights && layer.isWhole())
      fold(source, layer);
}
