//===- Gradients.cpp - the gradients of nodes, from the records -----------===//
// SPDX-License-Identifier: MIT
//
// A record computes the gradients of a node's operands from those of its
// results. All gradients of a value are summed before the node that defines it
// is visited; the order of the nodes guarantees that.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/Gradients.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
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

void glow::passOn(const OperandGradients &from,
                  std::pair<unsigned, unsigned> there, OperandGradients &to,
                  std::pair<unsigned, unsigned> here) {
  if (there.second == 0 || here.second == 0)
    return;
  to.values[here.first] = from.values[there.first];
  if (from.leftOut[there.first])
    to.leaveOut(here);
}

static bool isReal(Value value) { return expr::isFloat(kindOfElements(value)); }

/// The gradients of the results, with zeros for results that nothing depends
/// on.
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
    // Indices and booleans have no gradient, whatever the record builds.
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
  // This test precedes the search for the record: a node that cannot be
  // differentiated is no error where no gradient is needed.
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

LogicalResult GradientSums::add(OpBuilder &builder, Location location,
                                Value value, Value gradient) {
  Value &sum = sums[value];
  if (sum && gradient) {
    Add both = createAdd(builder, location, sum, gradient);
    sum = both ? both.getResult() : Value();
    return success(bool(both));
  }
  sum = sum ? sum : gradient;
  return success();
}

LogicalResult GradientSums::flowBack(OpBuilder &builder,
                                     ArrayRef<Operation *> nodes) {
  for (Operation *node : llvm::reverse(nodes)) {
    auto given = llvm::map_to_vector(node->getResults(),
                                     [&](Value result) { return of(result); });
    auto made = buildGradients(builder, node, given);
    if (failed(made))
      return failure();
    for (auto [operand, gradient] :
         llvm::zip_equal(node->getOperands(), made->values))
      if (failed(add(builder, node->getLoc(), operand, gradient)))
        return failure();
  }
  return success();
}

Value GradientSums::take(Value value) {
  return std::exchange(sums[value], Value());
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

/// Differentiates the nodes that were built since the tape began, in place of
/// the node. The tape stops first, since gradients are nodes as well.
LogicalResult Tape::rewind(Operation *node, ArrayRef<Value> results,
                           ArrayRef<Value> ofResults,
                           OperandGradients &ofOperands) {
  stop();
  GradientSums sums;
  for (auto [result, gradient] : llvm::zip_equal(results, ofResults))
    if (failed(sums.add(builder, node->getLoc(), result, gradient)))
      return failure();
  if (failed(sums.flowBack(builder, made)))
    return failure();
  // An operand that occurs twice gets the sum of both once.
  for (auto [i, operand] : llvm::enumerate(node->getOperands()))
    ofOperands.values[i] = sums.take(operand);
  return success();
}
