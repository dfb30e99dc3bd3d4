//===- Gradients.cpp - the gradients of nodes, from the records -----------===//

#include "glow/Graph/Gradients.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace glow;

static std::vector<GradientInfo> &gradients() {
  static std::vector<GradientInfo> all;
  return all;
}

void glow::registerGradients(std::span<const GradientInfo> table) {
  gradients().insert(gradients().end(), table.begin(), table.end());
}

const GradientInfo *glow::findGradient(llvm::StringRef node) {
  for (const GradientInfo &info : gradients())
    if (node == info.node)
      return &info;
  return nullptr;
}

void OperandGradients::set(std::pair<unsigned, unsigned> place,
                           ValueRange gradients) {
  for (unsigned i = 0; i < place.second && i < gradients.size(); ++i)
    values[place.first + i] = gradients[i];
}

void OperandGradients::leaveOut(std::pair<unsigned, unsigned> place) {
  leftOut.set(place.first, place.first + place.second);
}

static bool isReal(Value value) { return expr::isFloat(kindOfElements(value)); }

/// Zeros for results that nothing depends on.
static FailureOr<SmallVector<Value>>
completed(OpBuilder &builder, Operation *node, ArrayRef<Value> ofResults) {
  SmallVector<Value> all(ofResults);
  for (auto [value, result] : llvm::zip_equal(all, node->getResults()))
    if (!value && !(value = splatLike(builder, node->getLoc(), 0, result)))
      return failure();
  return all;
}

static LogicalResult check(Operation *node, OperandGradients &made) {
  for (auto [i, operand] : llvm::enumerate(node->getOperands())) {
    Value &gradient = made.values[i];
    if (!isReal(operand))
      gradient = {};
    if (gradient && gradient.getType() != operand.getType())
      return node->emitOpError()
             << "has a gradient of type " << gradient.getType()
             << " for operand " << i << " of type " << operand.getType();
  }
  return success();
}

FailureOr<OperandGradients> glow::buildGradients(OpBuilder &builder,
                                                 Operation *node,
                                                 ArrayRef<Value> ofResults) {
  OperandGradients made(node);
  bool flows = llvm::any_of(llvm::zip_equal(ofResults, node->getResults()),
                            [](auto pair) {
                              auto [gradient, result] = pair;
                              return gradient && isReal(result);
                            });
  if (!flows || llvm::none_of(node->getOperands(), isReal))
    return made;
  const GradientInfo *info = findGradient(node->getName().getStringRef());
  if (!info || *info->reason)
    return node->emitOpError() << "cannot be differentiated: "
                               << (info ? info->reason : "it is no node");
  if (!info->build)
    return made;
  auto given = completed(builder, node, ofResults);
  if (failed(given) || failed(info->build(builder, node, *given, made)) ||
      failed(check(node, made)))
    return failure();
  return made;
}

Tape::Tape(OpBuilder &builder)
    : builder(builder), before(builder.getListener()) {
  builder.setListener(this);
}

Tape::~Tape() { stop(); }

void Tape::stop() { builder.setListener(before); }

void Tape::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint from) {
  made.push_back(op);
  if (before)
    before->notifyOperationInserted(op, from);
}

LogicalResult Tape::rewind(Operation *node, ArrayRef<Value> results,
                           ArrayRef<Value> ofResults,
                           OperandGradients &ofOperands) {
  stop();
  llvm::DenseMap<Value, Value> sums;
  auto add = [&](Value value, Value gradient) {
    Value &sum = sums[value];
    if (sum && gradient) {
      Add both = createAdd(builder, node->getLoc(), sum, gradient);
      sum = both ? both.getResult() : Value();
      return success(bool(both));
    }
    sum = sum ? sum : gradient;
    return success();
  };
  for (auto [result, gradient] : llvm::zip_equal(results, ofResults))
    if (failed(add(result, gradient)))
      return failure();
  for (Operation *op : llvm::reverse(made)) {
    auto given = llvm::map_to_vector(
        op->getResults(), [&](Value result) { return sums.lookup(result); });
    auto ofOp = buildGradients(builder, op, given);
    if (failed(ofOp))
      return failure();
    for (auto [operand, gradient] :
         llvm::zip_equal(op->getOperands(), ofOp->values))
      if (failed(add(operand, gradient)))
        return failure();
  }
  // An operand that stands twice gets the sum of both once.
  for (auto [i, operand] : llvm::enumerate(node->getOperands()))
    ofOperands.values[i] = std::exchange(sums[operand], Value());
  return success();
}
