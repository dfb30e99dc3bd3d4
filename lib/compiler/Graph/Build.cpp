//===- Build.cpp - helpers of generated rules, imports --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/Verify.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;
using namespace glow;

bool glow::hasQuantized(Operation *node) {
  auto quantized = [](Type type) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    return tensor && isQuantized(tensor.getElementType());
  };
  return llvm::any_of(node->getOperandTypes(), quantized) ||
         llvm::any_of(node->getResultTypes(), quantized);
}

Sizes glow::sizesBefore(Broadcast repeated) {
  Sizes shape = shapeOf(repeated.getIn());
  Sizes sizes(size_t(rankOf(repeated)), 1);
  size_t first = repeated.getAxis() < 0 ? sizes.size() - shape.size()
                                        : size_t(repeated.getAxis());
  llvm::copy(shape, sizes.begin() + long(first));
  return sizes;
}

BroadcastView::BroadcastView(Value tensor)
    : node(tensor ? tensor.getDefiningOp() : nullptr) {
  if (auto repeated = llvm::dyn_cast_if_present<Broadcast>(node)) {
    in = repeated.getIn();
    dims = sizesOf(repeated.getDimsAttr());
    axis = repeated.getAxis();
  } else if (llvm::isa_and_present<Reshape>(node) ||
             (node && isConstant(tensor))) {
    in = tensor;
    dims = shapeOf(tensor);
  }
}

Attribute BroadcastView::getDimsAttr() const {
  return attributeOf(in.getContext(), dims);
}

Value glow::splatLike(OpBuilder &builder, Location location, double value,
                      Value like) {
  auto splat = createSplat(builder, location, value, shapeOf(like),
                           kindOfElements(like));
  return splat ? splat.getResult() : Value();
}

bool glow::isConstant(Value tensor) {
  if (!tensor)
    return false;
  if (auto repeated = tensor.getDefiningOp<Broadcast>())
    return isConstant(repeated.getIn());
  return tensor.getDefiningOp<Splat>() || constantOf(tensor);
}

/// One element of an integer or float type.
static std::optional<double> numberIn(Type type, ArrayRef<char> bytes) {
  unsigned width = storageOf(type).getIntOrFloatBitWidth();
  if (width % 8 != 0 || bytes.size() < width / 8)
    return std::nullopt;
  llvm::APInt bits(width, 0);
  llvm::LoadIntFromMemory(bits, reinterpret_cast<const uint8_t *>(bytes.data()),
                          width / 8);
  auto real = llvm::dyn_cast<FloatType>(type);
  if (real)
    return APFloat(real.getFloatSemantics(), bits).convertToDouble();
  return type.isUnsignedInteger() ? double(bits.getZExtValue())
                                  : double(bits.getSExtValue());
}

/// The number that all elements of a constant equal; nullopt if they differ.
static std::optional<double> numberOf(ConstantOp constant,
                                      RankedTensorType type) {
  Type element = type.getElementType();
  if (type.getNumElements() == 0 || !element.isIntOrFloat())
    return std::nullopt;
  // A boolean is a byte of 0 or 1.
  if (element.isInteger(1))
    element = IntegerType::get(type.getContext(), 8, IntegerType::Unsigned);
  TensorBytes bytes = bytesOf(constant.getValue());
  // Compares each element with the one before. Weights differ early, so a
  // pattern does not read far into them.
  size_t width = element.getIntOrFloatBitWidth() / 8;
  if (!std::equal(bytes.bytes.begin() + width, bytes.bytes.end(),
                  bytes.bytes.begin()))
    return std::nullopt;
  return numberIn(element, bytes.bytes);
}

bool glow::isUniform(Value tensor, double value) {
  return numberOf(tensor) == value;
}

double glow::numberOf(Value tensor) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (!tensor)
    return none;
  if (auto splat = tensor.getDefiningOp<Splat>())
    return splat.getValue();
  if (auto repeated = tensor.getDefiningOp<Broadcast>())
    return numberOf(repeated.getIn());
  ConstantOp constant = constantOf(tensor);
  return constant ? ::numberOf(constant, tensorType(tensor)).value_or(none)
                  : none;
}

Sizes glow::progressionOf(Value tensor) {
  ConstantOp constant = tensor ? constantOf(tensor) : ConstantOp();
  if (!constant)
    return {};
  Type element = tensorType(tensor).getElementType();
  int64_t count = tensorType(tensor).getNumElements();
  if (count == 0 || (!element.isInteger(32) && !element.isInteger(64)))
    return {};
  TensorBytes all = bytesOf(constant.getValue());
  size_t width = element.getIntOrFloatBitWidth() / 8;
  auto at = [&](int64_t i) {
    return int64_t(
        *numberIn(element, all.bytes.slice(size_t(i) * width, width)));
  };
  Ints found{at(0), count == 1 ? 1 : at(1) - at(0)};
  for (int64_t i = 1; i < count; ++i)
    if (at(i) - at(i - 1) != found[1])
      return {};
  return found;
}

Attribute glow::attributeOf(MLIRContext *context, int64_t value) {
  return Builder(context).getI64IntegerAttr(value);
}
Attribute glow::attributeOf(MLIRContext *context, bool value) {
  return Builder(context).getBoolAttr(value);
}
Attribute glow::attributeOf(MLIRContext *context, double value) {
  return Builder(context).getF64FloatAttr(value);
}
Attribute glow::attributeOf(MLIRContext *context, const Reals &value) {
  return DenseF64ArrayAttr::get(context, value);
}

Value glow::foldBroadcast(OpBuilder &builder, Location location,
                          ArrayRef<Value> list,
                          llvm::function_ref<Value(Value, Value)> node) {
  Sizes shape;
  for (Value value : list) {
    if (!value || !expr::canBroadcast(shape, shapeOf(value))) {
      emitError(location) << "the operands do not broadcast to one shape";
      return {};
    }
    shape = expr::broadcastShape(shape, shapeOf(value));
  }
  Value result;
  for (Value value : list) {
    auto broadcast = createBroadcast(builder, location, value, shape, -1);
    if (!broadcast)
      return {};
    result =
        result ? node(result, broadcast.getResult()) : broadcast.getResult();
    if (!result)
      return {};
  }
  return result;
}

/// The producer of an operand that has the same kind of node as `value`. That
/// node was fused into the new one: a convolution that takes in its
/// normalisation keeps its name.
static Operation *takenIn(Operation *node, Value value) {
  Operation *made = value.getDefiningOp();
  if (!made || made->getName() == node->getName())
    return nullptr;
  for (Value operand : node->getOperands())
    if (Operation *before = operand.getDefiningOp();
        before && before != made && before->getName() == made->getName())
      return before;
  return nullptr;
}

LogicalResult glow::replaceNode(PatternRewriter &rewriter, Operation *node,
                                ArrayRef<Value> values) {
  if (hasQuantized(node))
    return rewriter.notifyMatchFailure(node, "it has quantised elements");
  for (auto [value, result] : llvm::zip_equal(values, node->getResults()))
    if (value.getType() != result.getType())
      return rewriter.notifyMatchFailure(
          node, "the rule gives another type than the node has");
  SmallVector<std::pair<Operation *, Operation *>> taken;
  for (Value value : values)
    if (Operation *before = takenIn(node, value))
      taken.emplace_back(before, value.getDefiningOp());
  rewriter.replaceOp(node, values);
  for (auto [before, made] : taken)
    if (before->use_empty())
      made->setLoc(before->getLoc());
  return success();
}

LogicalResult glow::verifyResults(Operation *node, ArrayRef<Type> inferred) {
  auto report = [&](const Twine &message) { node->emitOpError(message); };
  return verifyTypes(report, node->getResultTypes(), inferred);
}
