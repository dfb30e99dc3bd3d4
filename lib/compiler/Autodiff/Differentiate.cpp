//===- Differentiate.cpp - gradients of a function ------------------------===//
// SPDX-License-Identifier: MIT
//
// The gradient of the loss is 1, and the gradients of weights are outputs. With
// a scale, both are that many times as large until the outputs.
//
//===----------------------------------------------------------------------===//

#include "Backward.h"
#include "NamePatterns.h"
#include "Ports.h"
#include "glow/Autodiff/Passes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

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

} // namespace

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
    if (gradient && scale != 1)
      gradient =
          createMul(builder, weight.getLoc(), gradient,
                    splatLike(builder, weight.getLoc(), 1 / scale, gradient));
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
  if (!(scale > 0 && std::isfinite(scale))) {
    getOperation().emitError()
        << "the scale of the loss is " << scale.getValue()
        << ", and should be a positive number";
    return signalPassFailure();
  }
  PlaceholderOp output = findLoss();
  SaveOp loss = output ? saveOf(output) : SaveOp();
  auto function = loss ? loss->getParentOfType<FuncOp>() : FuncOp();
  if (!function || failed(findWeights(function)))
    return signalPassFailure();
  SmallVector<Value> reads;
  for (auto &[weight, values] : weights)
    reads.append(values);
  BackwardModule module(getOperation());
  BackwardPass backward(module, loss);
  if (!backward.findNodes(function.block(), reads, loss.getIn())) {
    (void)refuseUnreached(output);
    return signalPassFailure();
  }
  auto builder = OpBuilder::atBlockEnd(&function.block());
  Value first = splatLike(builder, loss.getLoc(), scale, loss.getIn());
  if (!first || failed(backward.run(builder, first)) ||
      failed(module.missing.report(output)) ||
      failed(saveGradients(function, output, builder, backward.sums)))
    return signalPassFailure();
  eraseUnused(function.block());
  eraseUncalled(getOperation());
}

} // namespace glow
