//===- MakeTrainable.cpp - constants become weights -----------------------===//
// SPDX-License-Identifier: MIT

#include "Captures.h"
#include "Dependences.h"
#include "NamePatterns.h"
#include "Ports.h"
#include "glow/Autodiff/Passes.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Nodes.h"
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

/// The origins of an output.
struct Leading {
  DenseSet<Value> values;      ///< values of the function with the save
  DenseSet<Attribute> storage; ///< that called functions read
};

} // namespace

/// The name that the model gives to a constant.
static StringRef nameOf(ConstantOp constant) {
  auto name = dyn_cast<NameLoc>(constant.getLoc());
  return name ? name.getName().strref() : constant.getSymName();
}

/// The values and the storage of called functions from which floats lead to an
/// output, or to any without a name.
static Leading leadingTo(StringRef output, FuncOp function,
                         Dependences &dependences) {
  auto module = function->getParentOfType<ModuleOp>();
  Leading leading;
  auto isLeading = [&](Value value) { return leading.values.contains(value); };
  auto add = [&](Value value) {
    if (isReal(value))
      leading.values.insert(value);
  };
  for (Operation &op : llvm::reverse(function.block())) {
    if (auto save = dyn_cast<SaveOp>(op)) {
      PlaceholderOp port = findOutput(module, output);
      if (output.empty() || (port && port.getSymName() == save.getStorage()))
        add(save.getIn());
    } else if (isControlFlow(&op)) {
      for (auto [result, from] :
           llvm::zip_equal(op.getResults(), dependences.ofCall(&op))) {
        if (!isLeading(result))
          continue;
        leading.storage.insert_range(from.storage);
        for (unsigned operand : from.places.set_bits())
          add(op.getOperand(operand));
      }
    } else if (passesGradients(&op) &&
               llvm::any_of(op.getResults(), isLeading)) {
      llvm::for_each(op.getOperands(), add);
    }
  }
  return leading;
}

/// Whether every user of a value takes it as a statistic of its inputs.
static bool isStatistic(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           auto is = [&](auto norm) {
             return norm &&
                    (norm.getMean() == value || norm.getVariance() == value);
           };
           return is(dyn_cast<BatchNorm>(user)) ||
                  is(dyn_cast<BatchNormTraining>(user));
         });
}

/// The storage whose reads lead to an output, in all functions.
static llvm::StringSet<> reachedStorage(ModuleOp module, StringRef output) {
  SymbolTable symbols(module);
  Dependences dependences(symbols);
  llvm::StringSet<> reached;
  llvm::DenseSet<Attribute> called;
  auto addRead = [&](ReadOp read) {
    if (!isStatistic(read.getOut()))
      reached.insert(read.getStorage());
  };
  for (FuncOp function : entriesOf(module)) {
    const Leading leading = leadingTo(output, function, dependences);
    called.insert_range(leading.storage);
    for (auto read : function.block().getOps<ReadOp>())
      if (leading.values.contains(read.getOut()))
        addRead(read);
  }
  for (FuncOp function : module.getOps<FuncOp>())
    for (auto read : function.block().getOps<ReadOp>())
      if (function.isCalled() && called.contains(read.getStorageAttr()))
        addRead(read);
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
  const llvm::StringSet<> reached = reachedStorage(module, of.getValue());
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
  captureStorage(module, chosen);
  llvm::for_each(chosen, train);
}

} // namespace glow
