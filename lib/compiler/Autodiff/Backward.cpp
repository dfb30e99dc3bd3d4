//===- Backward.cpp - gradients from the end of a block to its begin ------===//
// SPDX-License-Identifier: MIT
//
// Reverse mode: from the ends back, each node passes the gradients of its
// results on to its operands. Only nodes between a source and an end take part.
// Gradients of other operands are built with them, and erased.
//
//===----------------------------------------------------------------------===//

#include "Backward.h"
#include "CallGradients.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ControlFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;

BackwardPass::BackwardPass(BackwardModule &module, SaveOp loss)
    : module(module) {
  place.loss = loss;
}

BackwardPass::BackwardPass(BackwardModule &module, const BackwardPass &outer,
                           Operation *call)
    : module(module) {
  place.outer = &outer.place;
  place.call = call;
}

/// Marks the results that depend on a source.
void BackwardPass::findActive(Block &block) {
  auto isActive = [&](Value value) { return this->isActive(value); };
  for (Operation &op : block) {
    if (llvm::none_of(op.getOperands(), isActive))
      continue;
    if (!isControlFlow(&op)) {
      for (Value result : op.getResults())
        if (isReal(result))
          place.active.insert(result);
      continue;
    }
    for (auto [result, from] :
         llvm::zip_equal(op.getResults(), module.dependences.ofCall(&op)))
      if (llvm::any_of(from.places.set_bits(), [&](unsigned operand) {
            return isActive(op.getOperand(operand));
          }))
        place.active.insert(result);
  }
}

/// Marks the operands from which a node between source and end passes a
/// gradient on; returns whether there are some.
bool BackwardPass::collect(Operation *node, DenseSet<Value> &needed) {
  BitVector operands(node->getNumOperands(), !isControlFlow(node));
  if (isControlFlow(node))
    for (auto [result, from] :
         llvm::zip_equal(node->getResults(), module.dependences.ofCall(node)))
      if (needed.contains(result))
        operands |= from.places;
  bool isAny = false;
  for (unsigned operand : operands.set_bits())
    if (isActive(node->getOperand(operand))) {
      needed.insert(node->getOperand(operand));
      isAny = true;
    }
  return isAny;
}

bool BackwardPass::findNodes(Block &block, ArrayRef<Value> sources,
                             ArrayRef<Value> ends) {
  place.ends.assign(ends.begin(), ends.end());
  place.active.insert_range(sources);
  findActive(block);
  DenseSet<Value> needed;
  for (Value end : ends)
    if (isActive(end))
      needed.insert(end);
  if (needed.empty())
    return false;
  for (Operation &op : llvm::reverse(block))
    if (llvm::any_of(op.getResults(),
                     [&](Value result) { return needed.contains(result); }) &&
        collect(&op, needed))
      nodes.push_back(&op);
  return true;
}

/// The gradients of operands. If the node has none, notes that, and returns
/// zeros, with which further such nodes are found.
FailureOr<SmallVector<Value>>
BackwardPass::gradientsOf(OpBuilder &builder, Operation *node,
                          ArrayRef<Value> ofResults) {
  std::string reason;
  if (isControlFlow(node)) {
    reason = faultOfCall(node);
    if (reason.empty())
      return gradientsOfCall(builder, *this, node, ofResults);
  } else if (node->getNumRegions() > 0) {
    reason = "has regions, whose nodes are not differentiated";
  } else {
    ScopedDiagnosticHandler handler(builder.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      reason = diagnostic.str();
                                      return success();
                                    });
    FailureOr<OperandGradients> made = buildGradients(builder, node, ofResults);
    if (succeeded(made))
      return std::move(made->values);
  }
  StringRef own = reason;
  // The name of the node stands before the reason.
  if (size_t at = own.find(" op "); own.starts_with("'") && at != own.npos)
    own = own.drop_front(at + 4);
  addMissing(node, own.str());
  SmallVector<Value> zeros;
  for (Value operand : node->getOperands())
    zeros.push_back(isActive(operand)
                        ? splatLike(builder, node->getLoc(), 0, operand)
                        : Value());
  return zeros;
}

LogicalResult BackwardPass::visit(OpBuilder &builder, Operation *node) {
  auto given = llvm::map_to_vector(
      node->getResults(), [&](Value result) { return sums.of(result); });
  // No gradient reaches a node behind others that pass none on.
  if (llvm::none_of(given, [](Value gradient) { return bool(gradient); }))
    return success();
  SmallVector<Value> operands(node->getOperands());
  const Location location = node->getLoc();
  auto made = gradientsOf(builder, node, given);
  if (failed(made))
    return failure();
  for (auto [operand, gradient] : llvm::zip_equal(operands, *made))
    if (isActive(operand) &&
        failed(sums.add(builder, location, operand, gradient)))
      return failure();
  return success();
}

LogicalResult BackwardPass::run(OpBuilder &builder, ArrayRef<Value> ofEnds) {
  for (auto [end, gradient] : llvm::zip_equal(place.ends, ofEnds))
    if (isActive(end) && failed(sums.add(builder, end.getLoc(), end, gradient)))
      return failure();
  for (Operation *node : nodes)
    if (failed(visit(builder, node)))
      return failure();
  return success();
}
