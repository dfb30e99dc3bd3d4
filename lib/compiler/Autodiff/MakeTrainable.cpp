//===- MakeTrainable.cpp - constants become weights -----------------------===//
// SPDX-License-Identifier: MIT

#include "NamePatterns.h"
#include "Ports.h"
#include "glow/Autodiff/Passes.h"
#include "glow/Graph/Gradients.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Shape.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_MAKETRAINABLE
#include "glow/Autodiff/Passes.h.inc"

namespace {

/// Makes trainable inputs of constants.
///
/// Pinned after import, and before constants are folded or merged: a weight
/// must not become part of another constant. Ends because it visits each
/// constant once.
struct MakeTrainable : impl::MakeTrainableBase<MakeTrainable> {
  using MakeTrainableBase::MakeTrainableBase;
  void runOnOperation() override;
};

} // namespace

/// The name that the model gives to a constant.
static StringRef nameOf(ConstantOp constant) {
  auto name = dyn_cast<NameLoc>(constant.getLoc());
  return name ? name.getName().strref() : constant.getSymName();
}

/// Whether a node passes gradients on.
static bool passesGradients(Operation *node) {
  const GradientInfo *info = findGradient(node->getName().getStringRef());
  return !info || info->build || *info->reason;
}

/// The values from which floats lead to the output, or to any without a name.
static DenseSet<Value> leadingTo(StringRef output, FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  DenseSet<Value> leading;
  for (Operation &op : llvm::reverse(function.block())) {
    auto save = dyn_cast<SaveOp>(op);
    PlaceholderOp port = save ? findOutput(module, output) : PlaceholderOp();
    if (save && !output.empty() &&
        (!port || port.getSymName() != save.getStorage()))
      continue;
    if (!save && (!passesGradients(&op) ||
                  llvm::none_of(op.getResults(), [&](Value result) {
                    return leading.contains(result);
                  })))
      continue;
    for (Value operand : op.getOperands())
      if (expr::isFloat(
              cast<RankedTensorType>(operand.getType()).getElementType()))
        leading.insert(operand);
  }
  return leading;
}

/// Whether every user of a value takes it as a statistic of its inputs.
static bool isStatistic(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           auto norm = dyn_cast<BatchNorm>(user);
           return norm &&
                  (norm.getMean() == value || norm.getVariance() == value);
         });
}

/// The storage whose reads lead to an output, in the function that has them.
static llvm::StringSet<> reachedStorage(ModuleOp module, StringRef output,
                                        bool byDefault) {
  llvm::StringSet<> reached;
  for (FuncOp function : module.getOps<FuncOp>()) {
    const DenseSet<Value> leading = leadingTo(output, function);
    for (auto read : function.block().getOps<ReadOp>())
      if (leading.contains(read.getOut()) &&
          !(byDefault && isStatistic(read.getOut())))
        reached.insert(read.getStorage());
  }
  return reached;
}

static void train(ConstantOp constant) {
  OpBuilder builder(constant);
  auto weight = PlaceholderOp::create(
      builder, constant.getLoc(), constant.getSymNameAttr(),
      constant.getValue().getType(), PlaceholderRole::Input);
  weight.setTrainable(true);
  constant.erase();
}

void MakeTrainable::runOnOperation() {
  ModuleOp module = getOperation();
  NamePatterns patterns{ArrayRef<std::string>(names)};
  if (failed(patterns.check(module)))
    return signalPassFailure();
  const llvm::StringSet<> reached =
      reachedStorage(module, of.getValue(), patterns.empty());
  llvm::StringSet<> allowed;
  for (const std::string &name : among)
    allowed.insert(name);
  SmallVector<StringRef> possible;
  SmallVector<ConstantOp> chosen;
  for (auto constant : module.getOps<ConstantOp>()) {
    const StringRef name = nameOf(constant);
    Type type = constant.getValue().getType();
    if (!isTrainableType(type) || !reached.contains(constant.getSymName()) ||
        (!allowed.empty() && !allowed.contains(name)))
      continue;
    // A factor or a bound is seldom a weight.
    if (patterns.empty() && cast<RankedTensorType>(type).getNumElements() < 2)
      continue;
    possible.push_back(name);
    if (patterns.match(name))
      chosen.push_back(constant);
  }
  if (failed(patterns.checkUsed(module, "constant", possible)))
    return signalPassFailure();
  if (chosen.empty()) {
    module.emitError() << "no constant can be trained: none of f32 or f64 "
                          "leads to an output by nodes that have gradients";
    return signalPassFailure();
  }
  llvm::for_each(chosen, train);
}

} // namespace glow
