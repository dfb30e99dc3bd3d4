//===- InsertForms.cpp - layers of bf16, and of weights in blocks ---------===//
// SPDX-License-Identifier: MIT
//
// The operands of a layer are converted to bf16, once for all readers, and its
// result is converted back: every other node stays in floats. A product whose
// weights have a scale for each block of a column becomes another node.
//
//===----------------------------------------------------------------------===//

#include "NodeInserter.h"
#include "WeightRoot.h"
#include "glow/Base/Half.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/TextName.h"
#include "glow/Quantization/FitBlocks.h"
#include <algorithm>

using namespace glow;
using namespace mlir;

/// Puts another node in the place of a layer's node.
void NodeInserter::replace(NodeLayer &layer, Operation *made, Value result) {
  Value old = layer.node->getResult(0);
  old.replaceAllUsesWith(result);
  if (layer.result == old)
    layer.result = result;
  source.replaceName(old, result);
  if (auto own = cast<OpResult>(made->getResult(0)); own != result)
    setValueName(own, ""); // a clone has the name, too
  layer.node->erase();
  layer.node = made;
}

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

/// A constant as bf16.
Value NodeInserter::constantHalf(Value value, InsertionPlace &place) {
  const WeightRoot root = rootOf(value, -1, known);
  const std::vector<float> reals = *known.floatsOf(root.value);
  std::string bytes;
  for (float element : reals) {
    const uint16_t bits = BFloat16(element).bits;
    bytes += {char(bits & 0xff), char(bits >> 8)};
  }
  place.name = InsertionPlace(root.value.getDefiningOp(), root.value).name;
  const Value made = source.constants.make(place, "_bf16", ElementKind::BF16,
                                           tensorType(root.value).getShape(),
                                           std::move(bytes));
  return root.moved(place.builder, made);
}

Value NodeInserter::half(Value value, InsertionPlace &place) {
  Value &made = halves[value];
  if (made)
    return made;
  if (!known.varies(value))
    return made = constantHalf(value, place);
  Operation *maker = value.getDefiningOp();
  InsertionPlace after(maker, value);
  after.builder.setInsertionPointAfter(maker);
  made = createCast(after.builder, after.named("_bf16"), value,
                    after.builder.getBF16Type());
  return made;
}

void NodeInserter::addHalves(NodeLayer &layer) {
  InsertionPlace place(layer.node, layer.node->getResult(0));
  SmallVector<Value> operands(layer.node->getOperands());
  const auto convert = [&](const LayerOperand &operand) {
    operands[operand.number] = half(operands[operand.number], place);
  };
  llvm::for_each(layer.activations, convert);
  llvm::for_each(layer.others, convert);
  for (const std::optional<LayerOperand> &operand : {layer.weights, layer.bias})
    if (operand)
      convert(*operand);
  Operation *made = place.builder.clone(*layer.node);
  made->setOperands(operands);
  Value result = made->getResult(0);
  result.setType(tensorType(result).clone(place.builder.getBF16Type()));
  replace(layer, made,
          createCast(place.builder, layer.node->getLoc(), result,
                     place.builder.getF32Type()));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

bool glow::hasBlocks(const NodeLayer &layer, const QuantizeOptions &options) {
  // Another operator of a file has more than the product.
  const std::optional<Origin> origin = originOf(layer.node);
  if (origin && origin->op != "MatMul")
    return false;
  return options.block && layer.weights && layer.isWhole() &&
         isa<MatMul>(layer.node) && layer.weights->number == 1 &&
         rankOf(layer.weights->value) == 2;
}

/// The integers of a matrix, fitted to the moments of its input if there are
/// some.
Integers NodeInserter::blocksOf(const std::string &name, Value matrix) {
  GraphQuantization &request = source.request;
  if (auto found = request.fitted.find(name); found != request.fitted.end())
    return found->second;
  const std::vector<float> columns =
      columnsOf(*known.floatsOf(matrix),
                size_t(tensorType(matrix).getDimSize(0)), options.block);
  const auto moments = request.moments.find(name);
  if (moments == request.moments.end())
    return quantizeBlocks(columns, options.block, options.scheme,
                          options.weightBits);
  return request.fitted[name] =
             fitBlocks(columns, options.block, options.scheme,
                       options.weightBits, moments->second, request.threads);
}

std::string NodeInserter::blocksName(const NodeLayer &layer) const {
  return InsertionPlace(layer.node,
                        rootOf(layer.weights->value, -1, known).value)
      .name;
}

void NodeInserter::addBlocks(NodeLayer &layer) {
  const Value matrix = layer.weights->value;
  InsertionPlace place(layer.node, rootOf(matrix, -1, known).value);
  const Integers integers = blocksOf(place.name, matrix);
  const unsigned bits = options.weightBits;
  const int64_t outer = tensorType(matrix).getDimSize(1),
                blocks = int64_t(integers.parameters.size()) / outer,
                bytes = int64_t(options.block) * bits / 8;
  std::vector<float> scales;
  std::vector<int64_t> zeros;
  for (const Parameters &own : integers.parameters)
    scales.push_back(own.scale), zeros.push_back(own.zero);
  const bool areMiddle =
      std::ranges::all_of(zeros, [](int64_t zero) { return zero == 0; });
  // Equal matrices become one constant.
  std::array<Value, 3> &parts = blocksMade[keyOf(
      layer.node->getParentOp(), {outer, blocks, bytes}, integers, -1)];
  if (!parts[0]) {
    parts[0] = source.constants.make(
        place, "_quantized", ElementKind::U8, {outer, blocks, bytes},
        bytesOf(codesOf(integers.values, bits), bits));
    parts[1] =
        source.constants.floats(place, "_scale", {outer, blocks}, scales);
    if (!areMiddle)
      parts[2] = source.constants.make(place, "_zero_point", ElementKind::U8,
                                       {outer, blocks},
                                       bytesOf(codesOf(zeros, bits), 8));
  }
  Value made = MatMulNBits::create(
      place.builder, layer.node->getLoc(), layer.node->getOperand(0), parts[0],
      parts[1], parts[2], Value(), Value(), bits, int64_t(options.block));
  replace(layer, made.getDefiningOp(), made);
}
