//===- Differentiate.cpp - gradients of a function ------------------------===//
// SPDX-License-Identifier: MIT
//
// Reverse mode: from the loss back, each node passes the gradients of its
// results on to its operands. Only nodes between a weight and the loss take
// part. Gradients of other operands are built with them, and erased.
//
//===----------------------------------------------------------------------===//

#include "Missing.h"
#include "NamePatterns.h"
#include "Ports.h"
#include "glow/Autodiff/Passes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Gradients.h"
#include "glow/Graph/Marks.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_DIFFERENTIATE
#include "glow/Autodiff/Passes.h.inc"

namespace {

/// Adds the gradients of an output with respect to weights.
///
/// Pinned before the optimization of a graph, which then sees both directions
/// as one function: nodes that the gradients build a second time become one,
/// and what nothing reads goes. Ends because it visits each node once.
struct Differentiate : impl::DifferentiateBase<Differentiate> {
  using DifferentiateBase::DifferentiateBase;
  void runOnOperation() override;

private:
  PlaceholderOp findLoss();
  LogicalResult findWeights(FuncOp function);
  LogicalResult saveGradients(FuncOp function, PlaceholderOp loss,
                              OpBuilder &builder, const GradientSums &sums);

  SmallVector<std::pair<PlaceholderOp, SmallVector<Value>>> weights;
};

/// The nodes between weights and the loss of one function.
class BackwardPass {
public:
  BackwardPass(SaveOp loss) : loss(loss), missing(loss, active) {}

  /// Finds the nodes. False if the loss depends on no weight.
  bool findNodes(ArrayRef<Value> weights);
  /// Builds the gradients. Fails after an error.
  LogicalResult run(OpBuilder &builder, PlaceholderOp output);

  GradientSums sums;

private:
  LogicalResult visit(OpBuilder &builder, Operation *node);
  FailureOr<SmallVector<Value>> gradientsOf(OpBuilder &builder, Operation *node,
                                            ArrayRef<Value> ofResults);

  SaveOp loss;
  DenseSet<Value> active; ///< values of floats that depend on a weight
  SmallVector<Operation *> nodes;
  MissingGradients missing;
};

} // namespace

static bool isReal(Value value) { return expr::isFloat(kindOfElements(value)); }

bool BackwardPass::findNodes(ArrayRef<Value> weights) {
  active.insert_range(weights);
  Block &block = *loss->getBlock();
  auto isActive = [&](Value value) { return active.contains(value); };
  for (Operation &op : block)
    if (llvm::any_of(op.getOperands(), isActive))
      for (Value result : op.getResults())
        if (isReal(result))
          active.insert(result);
  if (!active.contains(loss.getIn()))
    return false;
  DenseSet<Value> needed{loss.getIn()};
  for (Operation &op : llvm::reverse(block)) {
    if (llvm::none_of(op.getResults(),
                      [&](Value result) { return needed.contains(result); }) ||
        llvm::none_of(op.getOperands(), isActive))
      continue;
    for (Value operand : op.getOperands())
      if (isActive(operand))
        needed.insert(operand);
    nodes.push_back(&op);
  }
  return true;
}

/// The gradients of operands. If the node has none, notes that, and returns
/// zeros, with which further such nodes are found.
FailureOr<SmallVector<Value>>
BackwardPass::gradientsOf(OpBuilder &builder, Operation *node,
                          ArrayRef<Value> ofResults) {
  std::string reason;
  if (node->getNumRegions() > 0) {
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
  missing.add(node, own.str());
  SmallVector<Value> zeros;
  for (Value operand : node->getOperands())
    zeros.push_back(active.contains(operand)
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
  auto made = gradientsOf(builder, node, given);
  if (failed(made))
    return failure();
  for (auto [operand, gradient] : llvm::zip_equal(node->getOperands(), *made))
    if (active.contains(operand) &&
        failed(sums.add(builder, node->getLoc(), operand, gradient)))
      return failure();
  return success();
}

LogicalResult BackwardPass::run(OpBuilder &builder, PlaceholderOp output) {
  Value one = splatLike(builder, loss.getLoc(), 1, loss.getIn());
  if (!one || failed(sums.add(builder, loss.getLoc(), loss.getIn(), one)))
    return failure();
  for (Operation *node : nodes)
    if (failed(visit(builder, node)))
      return failure();
  return missing.report(output);
}

/// The named output, or else the loss, or the only output of one number. Null
/// after an error.
PlaceholderOp Differentiate::findLoss() {
  if (PlaceholderOp loss = findOutput(getOperation(), training::loss);
      loss && of.empty())
    return loss;
  SmallVector<PlaceholderOp> possible;
  std::string outputs;
  for (auto port : getOperation().getOps<PlaceholderOp>()) {
    auto type = cast<RankedTensorType>(port.getType());
    if (port.getRole() != PlaceholderRole::Output)
      continue;
    outputs += (outputs.empty() ? "'" : ", '") + port.portName().str() + "'";
    if (of.empty()
            ? type.getNumElements() == 1 && expr::isFloat(type.getElementType())
            : port.portName() == of)
      possible.push_back(port);
  }
  if (outputs.empty())
    outputs = "none";
  if (possible.empty() || (of.empty() && possible.size() > 1)) {
    auto error = getOperation().emitError();
    if (!of.empty())
      error << "no output is named '" << of << "'; there are: " << outputs;
    else
      error << "the module has " << possible.size()
            << " outputs of one number, and should have one, or its name is "
               "given as 'of'; there are: "
            << outputs;
    return nullptr;
  }
  PlaceholderOp loss = possible.front();
  Type element = cast<RankedTensorType>(loss.getType()).getElementType();
  if (expr::isFloat(element))
    return loss;
  loss.emitError() << "output '" << loss.portName() << "' is of " << element
                   << ", and only floats can be differentiated";
  return nullptr;
}

/// Finds the weights and where the function reads them.
LogicalResult Differentiate::findWeights(FuncOp function) {
  ModuleOp module = getOperation();
  NamePatterns patterns{ArrayRef<std::string>(names)};
  if (failed(patterns.check(module)))
    return failure();
  SmallVector<StringRef> possible;
  for (auto port : module.getOps<PlaceholderOp>()) {
    if (!port.getTrainable() || !isTrainableType(port.getType()))
      continue;
    possible.push_back(port.portName());
    if (!patterns.match(port.portName()))
      continue;
    weights.emplace_back(port, SmallVector<Value>());
    for (auto read : function.block().getOps<ReadOp>())
      if (read.getStorage() == port.getSymName())
        weights.back().second.push_back(read);
  }
  if (failed(patterns.checkUsed(module, "input", possible)))
    return failure();
  if (weights.empty())
    return module.emitError()
           << "no input of f32 or f64 is trainable, so that there is nothing "
              "to differentiate by";
  return success();
}

static LogicalResult refuseUnreached(PlaceholderOp output) {
  return output.emitError()
         << "output '" << output.portName()
         << "' depends on no trainable weight by nodes that can be "
            "differentiated";
}

LogicalResult Differentiate::saveGradients(FuncOp function, PlaceholderOp loss,
                                           OpBuilder &builder,
                                           const GradientSums &sums) {
  bool isAny = false;
  for (auto &[weight, reads] : weights) {
    GradientSums all;
    for (Value read : reads)
      if (failed(
              all.add(builder, weight.getLoc(), reads.front(), sums.of(read))))
        return failure();
    Value gradient = reads.empty() ? Value() : all.of(reads.front());
    if (!gradient) {
      weight.emitWarning() << "weight '" << weight.portName()
                           << "' has no gradient: nothing that can be "
                              "differentiated leads from it to the output";
      continue;
    }
    PlaceholderOp output = addOutput(
        function, (weight.portName() + suffix.getValue()).str(), gradient);
    if (!output)
      return failure();
    output->setAttr(gradientOf,
                    StringAttr::get(&getContext(), weight.portName()));
    isAny = true;
  }
  return isAny ? success() : refuseUnreached(loss);
}

void Differentiate::runOnOperation() {
  PlaceholderOp output = findLoss();
  SaveOp loss = output ? saveOf(output) : SaveOp();
  auto function = loss ? loss->getParentOfType<FuncOp>() : FuncOp();
  if (!function || failed(findWeights(function)))
    return signalPassFailure();
  SmallVector<Value> reads;
  for (auto &[weight, values] : weights)
    reads.append(values);
  BackwardPass backward(loss);
  if (!backward.findNodes(reads)) {
    (void)refuseUnreached(output);
    return signalPassFailure();
  }
  auto builder = OpBuilder::atBlockEnd(&function.block());
  if (failed(backward.run(builder, output)) ||
      failed(saveGradients(function, output, builder, backward.sums)))
    return signalPassFailure();
  eraseUnused(function.block());
}

} // namespace glow
