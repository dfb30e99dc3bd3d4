//===- AddOptimizer.cpp - weights follow their gradients ------------------===//
// SPDX-License-Identifier: MIT

#include "Ports.h"
#include "Updates.h"
#include "glow/Autodiff/Passes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_ADDOPTIMIZER
#include "glow/Autodiff/Passes.h.inc"

namespace {

/// A weight and its gradient.
struct Trained {
  PlaceholderOp weight, gradient;
  Value value, slope;
};

/// Replaces gradients by updates of weights.
///
/// Pinned behind differentiate, and before the optimization of the graph. Ends
/// because it visits each gradient once.
struct AddOptimizer : impl::AddOptimizerBase<AddOptimizer> {
  using AddOptimizerBase::AddOptimizerBase;
  void runOnOperation() override;

private:
  LogicalResult findTrained();
  LogicalResult takeGradients(OpBuilder &builder);
  void eraseAllElse();
  void clip(OpBuilder &builder);
  LogicalResult update(OpBuilder &builder, Trained &trained);
  LogicalResult next(StringRef state, Value value);
  Value stateOf(OpBuilder &builder, Trained &trained, StringRef name);
  Value scalar(OpBuilder &builder, Value number, Trained &trained);

  OptimizerRequest request() const;

  OptimizerRequest how;
  FuncOp function;
  SmallVector<Trained> all;
  Value rate, steps;
};

} // namespace

/// The read of an input; null if the function has none.
static ReadOp readOf(FuncOp function, PlaceholderOp input) {
  for (auto read : function.block().getOps<ReadOp>())
    if (read.getStorage() == input.getSymName())
      return read;
  return nullptr;
}

LogicalResult AddOptimizer::findTrained() {
  ModuleOp module = getOperation();
  for (auto gradient : module.getOps<PlaceholderOp>()) {
    auto of = gradient->getAttrOfType<StringAttr>(gradientOf);
    if (!of)
      continue;
    SaveOp save = saveOf(gradient);
    if (!save)
      return failure();
    function = save->getParentOfType<FuncOp>();
    for (auto weight : module.getOps<PlaceholderOp>())
      if (weight.getTrainable() && weight.portName() == of.getValue())
        if (ReadOp read = readOf(function, weight))
          all.push_back({weight, gradient, read, save.getIn()});
  }
  if (all.empty())
    return module.emitError()
           << "no weight has a gradient, which differentiate would save";
  return success();
}

/// Makes inputs of the gradients, and removes all outputs.
LogicalResult AddOptimizer::takeGradients(OpBuilder &builder) {
  SmallVector<std::string> names;
  for (Trained &one : all)
    names.push_back(one.gradient.portName().str());
  for (auto port :
       llvm::make_early_inc_range(getOperation().getOps<PlaceholderOp>()))
    if (port.getRole() == PlaceholderRole::Output)
      eraseOutput(port);
  for (auto [one, name] : llvm::zip_equal(all, names)) {
    one.gradient = nullptr;
    one.slope = addInput(builder, function, name, one.slope.getType());
    if (!one.slope)
      return failure();
  }
  return success();
}

/// Removes the nodes and inputs of the model, which no update needs.
void AddOptimizer::eraseAllElse() {
  eraseUnused(function.block());
  eraseUncalled(getOperation());
  for (auto port :
       llvm::make_early_inc_range(getOperation().getOps<PlaceholderOp>()))
    if (port.getRole() == PlaceholderRole::Input && !readOf(function, port))
      port.erase();
}

/// Limits the elements, then the norm of all gradients together.
void AddOptimizer::clip(OpBuilder &builder) {
  Location location = function.getLoc();
  if (clipValue > 0)
    for (Trained &one : all)
      one.slope = createClip(builder, location, one.slope,
                             -clipValue.getValue(), clipValue.getValue());
  if (clipNorm <= 0)
    return;
  Value squares;
  for (Trained &one : all) {
    Ints axes;
    for (int64_t axis = 0; axis < rankOf(one.slope); ++axis)
      axes.push_back(axis);
    Value square = createMul(builder, location, one.slope, one.slope);
    Value sum = axes.empty()
                    ? square
                    : createReduceSum(builder, location, square, axes, false);
    sum = createCast(builder, location, sum, builder.getF32Type());
    squares = squares ? createAdd(builder, location, squares, sum) : sum;
  }
  Value norm = createSqrt(builder, location, squares);
  for (Trained &one : all)
    one.slope =
        createClipByNorm(builder, location, one.slope,
                         scalar(builder, norm, one), clipNorm.getValue());
}

/// A number of f32 in the kind of a weight.
Value AddOptimizer::scalar(OpBuilder &builder, Value number, Trained &trained) {
  Type kind = kindOfElements(trained.value);
  return kind == kindOfElements(number)
             ? number
             : createCast(builder, function.getLoc(), number, kind);
}

/// A state of the optimizer, of the size of the weight. It is zero at first.
Value AddOptimizer::stateOf(OpBuilder &builder, Trained &trained,
                            StringRef name) {
  return addInput(builder, function, (trained.weight.portName() + name).str(),
                  trained.value.getType());
}

LogicalResult AddOptimizer::next(StringRef state, Value value) {
  PlaceholderOp output =
      addOutput(function, (state + training::next).str(), value);
  if (!output)
    return failure();
  output->setAttr(nextOf, StringAttr::get(&getContext(), state));
  return success();
}

LogicalResult AddOptimizer::update(OpBuilder &builder, Trained &trained) {
  const std::string name = trained.weight.portName().str();
  const auto suffixes = statesOf(how);
  SmallVector<Value> states;
  for (const char *suffix : suffixes) {
    states.push_back(stateOf(builder, trained, suffix));
    if (!states.back())
      return failure();
  }
  Operation *made =
      buildUpdate(builder, how,
                  {trained.value, trained.slope, scalar(builder, rate, trained),
                   scalar(builder, steps, trained)},
                  states);
  if (!made || failed(next(name, made->getResult(0))))
    return failure();
  for (auto [suffix, state] :
       llvm::zip_equal(suffixes, llvm::drop_begin(made->getResults())))
    if (failed(next(name + suffix, state)))
      return failure();
  return success();
}

/// The options of the pass.
OptimizerRequest AddOptimizer::request() const {
  OptimizerRequest request;
  request.name = optimizer;
  request.momentum = momentum;
  request.beta1 = beta1, request.beta2 = beta2;
  request.keep = keep, request.decay = decay;
  request.l1 = l1, request.l2 = l2;
  return request;
}

void AddOptimizer::runOnOperation() {
  ModuleOp module = getOperation();
  if (!llvm::is_contained(optimizerNames, optimizer.getValue())) {
    module.emitError() << "there is no optimizer '" << optimizer
                       << "'; there are: " << listOf(optimizerNames);
    return signalPassFailure();
  }
  how = request();
  if (failed(findTrained()))
    return signalPassFailure();
  auto builder = OpBuilder::atBlockEnd(&function.block());
  if (apart && failed(takeGradients(builder)))
    return signalPassFailure();
  Type number = RankedTensorType::get({}, builder.getF32Type());
  rate = addInput(builder, function, training::rate, number);
  Value before = addInput(builder, function, training::steps, number);
  if (!rate || !before)
    return signalPassFailure();
  // Every optimizer counts its steps, since a state that is saved has no other
  // place for their number.
  Location location = function.getLoc();
  steps = createAdd(builder, location, before,
                    splatLike(builder, location, 1, before));
  if (failed(next(training::steps, steps)))
    return signalPassFailure();
  clip(builder);
  for (Trained &trained : all) {
    if (trained.gradient)
      eraseOutput(trained.gradient);
    if (failed(update(builder, trained)))
      return signalPassFailure();
  }
  if (apart)
    eraseAllElse();
  else
    eraseUnused(function.block());
}

} // namespace glow
