//===- Build.cpp - what generated rules and imports build with ------------===//

#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;
using namespace glow;

Value glow::splatLike(OpBuilder &builder, Location location, double value,
                      Value like) {
  auto splat = createSplat(builder, location, value, shapeOf(like),
                           kindOfElements(like));
  return splat ? splat.getResult() : Value();
}

bool glow::isUniform(Value tensor, double value) {
  if (!tensor)
    return false;
  if (auto splat = tensor.getDefiningOp<Splat>())
    return splat.getValue() == value;
  if (auto repeated = tensor.getDefiningOp<Broadcast>())
    return isUniform(repeated.getIn(), value);
  auto read = tensor.getDefiningOp<ReadOp>();
  auto module = read ? read->getParentOfType<ModuleOp>() : ModuleOp();
  auto constant = module ? module.lookupSymbol<ConstantOp>(read.getStorage())
                         : ConstantOp();
  auto type = llvm::dyn_cast<FloatType>(tensorType(tensor).getElementType());
  if (!constant || !type)
    return false;
  TensorBytes bytes = bytesOf(constant.getValue());
  size_t width = type.getWidth() / 8;
  // One element is looked at: more would make every match read the weights.
  if (bytes.bytes.size() != width)
    return false;
  APInt bits(type.getWidth(), 0);
  llvm::LoadIntFromMemory(
      bits, reinterpret_cast<const uint8_t *>(bytes.bytes.data()), width);
  APFloat number(type.getFloatSemantics(), bits);
  return number.convertToDouble() == value;
}

Value glow::foldBroadcast(OpBuilder &builder, Location location,
                          ArrayRef<Value> list,
                          llvm::function_ref<Value(Value, Value)> node) {
  Ints shape;
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

LogicalResult glow::replaceNode(PatternRewriter &rewriter, Operation *node,
                                ArrayRef<Value> values) {
  for (auto [value, result] : llvm::zip_equal(values, node->getResults()))
    if (value.getType() != result.getType())
      return rewriter.notifyMatchFailure(
          node, "the rule gives another type than the node has");
  rewriter.replaceOp(node, values);
  return success();
}

LogicalResult glow::verifyResults(Operation *node, ArrayRef<Type> inferred) {
  if (node->getNumResults() != inferred.size())
    return node->emitOpError()
           << "has " << node->getNumResults()
           << " results, but its operands give " << inferred.size();
  for (auto [index, result] : llvm::enumerate(node->getResults())) {
    auto has = llvm::cast<RankedTensorType>(result.getType());
    auto wants = llvm::cast<RankedTensorType>(inferred[index]);
    if (has.getShape() == wants.getShape() &&
        storageOf(has.getElementType()) == storageOf(wants.getElementType()))
      continue;
    return node->emitOpError() << "result " << index << " is of type " << has
                               << ", but its operands give " << wants;
  }
  return success();
}
