//===- GradientOfIf.cpp - gradients of branches ---------------------------===//
// SPDX-License-Identifier: MIT
//
// The gradient of a branch is a branch on the same condition. Each of its
// functions computes the nodes of the branch again, as far as their gradients
// need them: to keep their values, each branch would have to fill tensors for
// the values of the other one.
//
//===----------------------------------------------------------------------===//

#include "CallGradients.h"
#include "NewFunction.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace glow;
using namespace mlir;

namespace {

/// A function of a branch, and the new function of its gradients.
class BranchGradient {
public:
  BranchGradient(BackwardPass &pass, IfOp branch, StringRef name,
                 ValueRange captured)
      : pass(pass), branch(branch), captured(captured),
        source(pass.module.symbols.lookup<FuncOp>(name)),
        made(pass.module.symbols, source, ".gradient") {}

  /// Builds the gradients of the captured values.
  LogicalResult build(ArrayRef<Value> ofResults);
  /// Whether a gradient flows to a captured value.
  bool reaches(Value value) const { return sums.of(value) != nullptr; }
  /// Gives the gradients of these values, zeros for values without one, and
  /// ends the function. Returns its captured values.
  FailureOr<SmallVector<Value>> finish(ArrayRef<Value> values);

  BackwardPass &pass;
  IfOp branch;
  ValueRange captured;
  FuncOp source;
  NewFunction made;

private:
  SmallVector<Parameter> parameters;
  GradientSums sums; ///< by values outside of the function
};

} // namespace

LogicalResult BranchGradient::build(ArrayRef<Value> ofResults) {
  parameters = made.takeAllOf(source);
  BitVector isSource(unsigned(captured.size()));
  for (auto [index, value] : llvm::enumerate(captured)) {
    parameters[index].outside = value;
    isSource[unsigned(index)] = pass.isActive(value);
  }
  SmallVector<Value> given;
  for (Value gradient : ofResults) {
    given.push_back({});
    if (!gradient)
      continue;
    parameters.push_back(made.take("given", gradient.getType(), gradient));
    given.back() = parameters.back().inside;
  }
  auto gradients = made.differentiate(
      pass, branch, source, ArrayRef(parameters).take_front(captured.size()),
      isSource, given);
  if (failed(gradients))
    return failure();
  for (auto [value, gradient] : llvm::zip_equal(captured, *gradients))
    if (failed(sums.add(made.builder, branch.getLoc(), value, gradient)))
      return failure();
  return success();
}

FailureOr<SmallVector<Value>> BranchGradient::finish(ArrayRef<Value> values) {
  for (Value value : values) {
    Value gradient = sums.of(value);
    if (!gradient)
      gradient = splatLike(made.builder, branch.getLoc(), 0, value);
    if (!gradient)
      return failure();
    made.give("next", gradient);
  }
  made.sweep();
  llvm::erase_if(parameters,
                 [](const Parameter &one) { return !one.isRead(); });
  made.finish(parameters);
  return llvm::map_to_vector(parameters,
                             [](const Parameter &one) { return one.outside; });
}

/// The active values that a branch captures, each once.
static SmallVector<Value> activeOf(const BackwardPass &pass, IfOp branch) {
  llvm::SmallSetVector<Value, 4> values;
  for (Value value : branch->getOperands())
    if (pass.isActive(value))
      values.insert(value);
  return values.takeVector();
}

FailureOr<SmallVector<Value>> glow::gradientsOfIf(OpBuilder &builder,
                                                  BackwardPass &pass,
                                                  IfOp branch,
                                                  ArrayRef<Value> ofResults) {
  BranchGradient then(pass, branch, branch.getThen(), branch.getCaptured());
  BranchGradient otherwise(pass, branch, branch.getOtherwise(),
                           branch.getOthers());
  // The order of missing gradients is reversed when they are reported.
  if (failed(otherwise.build(ofResults)) || failed(then.build(ofResults)))
    return failure();
  SmallVector<Value> gradients(branch->getNumOperands());
  SmallVector<Value> values = activeOf(pass, branch);
  llvm::erase_if(values, [&](Value value) {
    return !then.reaches(value) && !otherwise.reaches(value);
  });
  if (values.empty()) {
    then.made.erase();
    otherwise.made.erase();
    return gradients;
  }
  auto captured = then.finish(values), others = otherwise.finish(values);
  if (failed(captured) || failed(others))
    return failure();
  auto made =
      IfOp::create(builder, branch.getLoc(), ValueRange(values).getTypes(),
                   branch.getCondition(), *captured, *others, then.made.name(),
                   otherwise.made.name());
  // A value that the branch captures twice gets the sum of both once.
  for (auto [value, gradient] : llvm::zip_equal(values, made.getValues()))
    gradients[size_t(llvm::find(branch->getOperands(), value) -
                     branch->operand_begin())] = gradient;
  return gradients;
}

FailureOr<SmallVector<Value>> glow::gradientsOfCall(OpBuilder &builder,
                                                    BackwardPass &pass,
                                                    Operation *call,
                                                    ArrayRef<Value> ofResults) {
  if (auto branch = dyn_cast<IfOp>(call))
    return gradientsOfIf(builder, pass, branch, ofResults);
  return gradientsOfLoop(builder, pass, cast<LoopOp>(call), ofResults);
}
