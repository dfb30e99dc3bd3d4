//===- ExpandQuantized.cpp - quantized nodes as floats --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Optimizer/Passes.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_EXPANDQUANTIZED
#include "glow/Optimizer/Passes.h.inc"

/// The tensor type with another element kind.
static RankedTensorType withKind(Type tensor, Type kind) {
  return cast<RankedTensorType>(tensor).clone(kind);
}

namespace {

/// Scale and zero of a quantised type as tensors, and the axis along which they
/// vary, or -1.
struct Parameters {
  Value scale, zero;
  int64_t axis = -1;
};

/// Lets nodes compute with the real numbers of quantised elements. Operands go
/// through Dequantize and results through Quantize. The values between them,
/// and storage, have the elements' integer kind.
///
/// Pinned before any pass that computes with elements or compares them:
/// rewrites do not know of scales. Ends because it visits each node once.
struct ExpandQuantized : impl::ExpandQuantizedBase<ExpandQuantized> {
  using ExpandQuantizedBase::ExpandQuantizedBase;

  void runOnOperation() override {
    for (FuncOp function : getOperation().getOps<FuncOp>())
      for (Operation &op : llvm::make_early_inc_range(function.block()))
        if (computes(&op) && hasQuantized(&op) && failed(expand(&op)))
          return signalPassFailure();
    if (failed(keepStorage()))
      signalPassFailure();
  }

private:
  /// Whether the node computes with integers and has scales as operands: nodes
  /// of quantization do.
  static bool computes(Operation *op) {
    const NodeInfo *node = findNode(op->getName().getStringRef());
    return node && StringRef(node->family) != "Quantization";
  }

  FailureOr<Parameters> parametersOf(OpBuilder &builder, Location location,
                                     Type element);
  FailureOr<Value> dequantized(OpBuilder &builder, Location location,
                               Value value);
  FailureOr<Value> quantized(OpBuilder &builder, Location location, Value value,
                             Type type);
  LogicalResult expand(Operation *node);
  LogicalResult keepStorage();
};

} // namespace

/// Whether each zero is an integer of the elements' kind.
static LogicalResult checkZeros(Location location, quant::QuantizedType element,
                                ArrayRef<int64_t> zeros) {
  unsigned bits = element.getStorageTypeIntegralWidth();
  int64_t least = quant::QuantizedType::getDefaultMinimumForInteger(
      element.isSigned(), bits);
  int64_t most = quant::QuantizedType::getDefaultMaximumForInteger(
      element.isSigned(), bits);
  for (int64_t zero : zeros)
    if (zero < least || zero > most)
      return emitError(location)
             << "elements of type " << element << " have the zero point "
             << zero << ", it should be one of the integers from " << least
             << " to " << most;
  return success();
}

FailureOr<Parameters> ExpandQuantized::parametersOf(OpBuilder &builder,
                                                    Location location,
                                                    Type element) {
  Type storage = storageOf(element);
  if (auto one = dyn_cast<quant::UniformQuantizedType>(element)) {
    if (failed(checkZeros(location, one, one.getZeroPoint())))
      return mlir::failure();
    return Parameters{
        createSplat(builder, location, one.getScale(), {},
                    one.getExpressedType()),
        createSplat(builder, location, double(one.getZeroPoint()), {}, storage),
        -1};
  }
  auto each = dyn_cast<quant::UniformQuantizedPerAxisType>(element);
  if (!each)
    return emitError(location)
           << "elements of type " << element
           << " say no scale for all of a tensor or for each index of an axis";
  Reals scales(each.getScales().begin(), each.getScales().end());
  Ints zeros(each.getZeroPoints().begin(), each.getZeroPoints().end());
  if (failed(checkZeros(location, each, zeros)))
    return mlir::failure();
  return Parameters{
      createRealLiteral(builder, location, scales, {expr::size(zeros)},
                        each.getExpressedType()),
      createLiteral(builder, location, zeros, {expr::size(zeros)}, storage),
      each.getQuantizedDimension()};
}

FailureOr<Value> ExpandQuantized::dequantized(OpBuilder &builder,
                                              Location location, Value value) {
  auto parameters = parametersOf(builder, location, kindOfElements(value));
  if (failed(parameters))
    return mlir::failure();
  auto real = createDequantize(builder, location, value, parameters->scale,
                               parameters->zero, parameters->axis);
  if (!real)
    return mlir::failure();
  return real.getResult();
}

/// The quantised result, still of its quantised type: its readers need the
/// scale. Bounds of the storage that differ from those of its kind clamp the
/// integers.
FailureOr<Value> ExpandQuantized::quantized(OpBuilder &builder,
                                            Location location, Value value,
                                            Type type) {
  auto element =
      cast<quant::QuantizedType>(cast<RankedTensorType>(type).getElementType());
  auto parameters = parametersOf(builder, location, element);
  if (failed(parameters))
    return mlir::failure();
  auto integers = createQuantize(builder, location, value, parameters->scale,
                                 parameters->zero, parameters->axis);
  if (!integers)
    return mlir::failure();
  Value result = integers.getResult();
  if (element.hasStorageTypeBounds()) {
    auto bound = [&](int64_t value) {
      return splatLike(builder, location, double(value), result);
    };
    result = createMax(builder, location, result,
                       bound(element.getStorageTypeMin()));
    result = createMin(builder, location, result,
                       bound(element.getStorageTypeMax()));
  }
  result.setType(type);
  return result;
}

/// Reports an error of the new node as one of the original node.
static LogicalResult verifyMade(Operation *made) {
  ScopedDiagnosticHandler explain(
      made->getContext(), [&](Diagnostic &diagnostic) {
        diagnostic.attachNote(made->getLoc())
            << "its quantised elements stand for real numbers, with which it "
               "should compute";
        return mlir::failure();
      });
  return verify(made);
}

LogicalResult ExpandQuantized::expand(Operation *node) {
  OpBuilder builder(node);
  Location location = node->getLoc();
  OperationState state(location, node->getName());
  for (Value operand : node->getOperands()) {
    FailureOr<Value> real = operand;
    if (isQuantized(kindOfElements(operand)))
      real = dequantized(builder, location, operand);
    if (failed(real))
      return mlir::failure();
    state.operands.push_back(*real);
  }
  for (Type type : node->getResultTypes())
    state.types.push_back(withKind(
        type, expressedOf(cast<RankedTensorType>(type).getElementType())));
  for (NamedAttribute attribute : node->getAttrDictionary())
    // An attribute that names a kind, such as that of a Cast, names the real
    // kind that the node computes with.
    if (auto kind = dyn_cast<TypeAttr>(attribute.getValue()))
      state.addAttribute(attribute.getName(),
                         TypeAttr::get(expressedOf(kind.getValue())));
    else
      state.addAttribute(attribute.getName(), attribute.getValue());
  Operation *made = builder.create(state);
  if (failed(verifyMade(made)))
    return mlir::failure();
  for (auto [old, result] : llvm::zip(node->getResults(), made->getResults())) {
    FailureOr<Value> replacement = Value(result);
    if (isQuantized(kindOfElements(old)))
      replacement = quantized(builder, location, result, old.getType());
    if (failed(replacement))
      return mlir::failure();
    old.replaceAllUsesWith(*replacement);
  }
  node->erase();
  return success();
}

/// Replaces the type of every quantised value and tensor by its storage type.
LogicalResult ExpandQuantized::keepStorage() {
  auto plain = [](Type type) {
    return withKind(type,
                    storageOf(cast<RankedTensorType>(type).getElementType()));
  };
  for (auto placeholder : getOperation().getOps<PlaceholderOp>())
    placeholder.setType(plain(placeholder.getType()));
  for (auto constant : getOperation().getOps<ConstantOp>()) {
    auto type = cast<RankedTensorType>(constant.getValue().getType());
    if (!isQuantized(type.getElementType()))
      continue;
    auto data = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (!data)
      return constant.emitError("quantised constants are dense_resource");
    constant.setValueAttr(
        // The same bytes under another type: nothing is copied.
        DenseResourceElementsAttr::get(plain(type), data.getRawHandle()));
  }
  getOperation().walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        result.setType(plain(type));
  });
  return success();
}

} // namespace glow
