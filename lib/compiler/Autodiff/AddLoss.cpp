//===- AddLoss.cpp - a model compared with labels -------------------------===//
// SPDX-License-Identifier: MIT

#include "Ports.h"
#include "glow/Autodiff/Passes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_ADDLOSS
#include "glow/Autodiff/Passes.h.inc"

namespace {

/// Replaces the outputs of a model by its loss.
///
/// Pinned before differentiate, which needs one number. Ends because it visits
/// each output once.
struct AddLoss : impl::AddLossBase<AddLoss> {
  using AddLossBase::AddLossBase;
  void runOnOperation() override;

private:
  PlaceholderOp findCompared();
  LogicalResult checkSizes(PlaceholderOp compared);
};

/// The nodes of a loss, at the end of a function.
class LossBuilder {
public:
  LossBuilder(FuncOp function, Value out)
      : function(function), builder(OpBuilder::atBlockEnd(&function.block())),
        location(out.getLoc()), out(out) {}

  LogicalResult build(StringRef kind);

private:
  bool isClasses(StringRef kind) const { return kind == lossNames[0]; }
  Value logarithms();
  Value ofEach(StringRef kind, Value labels);
  Value perRow(Value each);
  Value total(Value perRow);
  Value rightOnes(Value labels);

  FuncOp function;
  OpBuilder builder;
  Location location;
  Value out, rows;
};

} // namespace

/// The logarithms of the probabilities of classes. A Softmax at the end of the
/// model is replaced, since its logarithm would lose digits.
Value LossBuilder::logarithms() {
  Value scores = out;
  if (auto known = out.getDefiningOp<LogSoftmax>();
      known && known.getAxis() == 1)
    return out;
  if (auto softmax = out.getDefiningOp<Softmax>();
      softmax && softmax.getAxis() == 1)
    scores = softmax.getIn();
  return createLogSoftmax(builder, location, scores, 1);
}

/// The loss of each prediction.
Value LossBuilder::ofEach(StringRef kind, Value labels) {
  if (isClasses(kind)) {
    auto losses = createNegativeLogLikelihood(builder, location, logarithms(),
                                              labels, Value(), int64_t(-1));
    return losses ? losses.getOut() : Value();
  }
  if (kind == lossNames[3]) {
    Value scores = out;
    if (auto sigmoid = out.getDefiningOp<Sigmoid>())
      scores = sigmoid.getX();
    return createBinaryCrossEntropyWithLogits(builder, location, scores, labels,
                                              Value(), Value(), "none");
  }
  Value off = createSub(builder, location, out, labels);
  if (kind == lossNames[1])
    return createMul(builder, location, off, off);
  return createAbs(builder, location, off);
}

/// The mean for each row of the batch.
Value LossBuilder::perRow(Value each) {
  Ints axes;
  for (int64_t axis = 1; axis < rankOf(each); ++axis)
    axes.push_back(axis);
  if (axes.empty())
    return each;
  return createReduceMean(builder, location, each, axes, false);
}

/// The sum, each row with its weight.
Value LossBuilder::total(Value perRow) {
  Value weighted = createMul(builder, location, perRow, rows);
  return createReduceSum(builder, location, weighted, Ints{0}, false);
}

/// 1 for each prediction whose most likely class is that of the label.
Value LossBuilder::rightOnes(Value labels) {
  Value best = createArgMax(builder, location, out, 1, false, false);
  Value isRight = createEqual(builder, location, best, labels);
  return createCast(builder, location, isRight, kindOfElements(out));
}

LogicalResult LossBuilder::build(StringRef kind) {
  Sizes sizes = shapeOf(out);
  Type element = kindOfElements(out);
  Type ofRows = rankedTensorOf({sizes[0]}, element);
  if (isClasses(kind)) {
    sizes.erase(sizes.begin() + 1);
    element = builder.getI64Type();
  }
  Value labels = addInput(builder, function, training::labels,
                          rankedTensorOf(sizes, element));
  rows = addInput(builder, function, training::rows, ofRows);
  if (!labels || !rows)
    return failure();
  Value count = createReduceSum(builder, location, rows, Ints{0}, false);
  Value sum = total(perRow(ofEach(kind, labels)));
  Value loss = createDiv(builder, location, sum, count);
  if (!addOutput(function, training::loss, loss))
    return failure();
  if (!isClasses(kind))
    return success();
  return success(bool(addOutput(function, training::correct,
                                total(perRow(rightOnes(labels))))));
}

/// The named output, or the first of floats. Null after an error.
PlaceholderOp AddLoss::findCompared() {
  std::string outputs;
  for (auto port : getOperation().getOps<PlaceholderOp>()) {
    if (port.getRole() != PlaceholderRole::Output)
      continue;
    outputs += (outputs.empty() ? "'" : ", '") + port.portName().str() + "'";
    if (output.empty() ? isTrainableType(port.getType())
                       : port.portName() == output)
      return port;
  }
  auto error = getOperation().emitError();
  if (output.empty())
    error << "the model has no output of f32 or f64 that a loss could compare";
  else
    error << "the model has no output named '" << output
          << "'; its outputs are " << outputs;
  return nullptr;
}

/// Whether inputs give all lengths of the type. A node may compute others.
static bool hasGivenSizes(ModuleOp module, RankedTensorType type) {
  llvm::StringSet<> given;
  for (auto port : module.getOps<PlaceholderOp>())
    if (port.getRole() == PlaceholderRole::Input)
      for (const Size &size : sizesOf(cast<RankedTensorType>(port.getType())))
        size.length().visitVariables(
            [&](const SizeVariable &one) { given.insert(one.name); });
  bool areGiven = true;
  for (const Size &size : sizesOf(type))
    size.length().visitVariables(
        [&](const SizeVariable &one) { areGiven &= given.contains(one.name); });
  return areGiven;
}

LogicalResult AddLoss::checkSizes(PlaceholderOp compared) {
  auto type = cast<RankedTensorType>(compared.getType());
  auto refuse = [&](const Twine &should) {
    return compared.emitError() << "output '" << compared.portName() << "' is "
                                << type << ", and should " << should;
  };
  if (!isTrainableType(type))
    return refuse("be of f32 or f64 for a loss");
  if (!hasGivenSizes(getOperation(), type))
    return refuse("have sizes that an input has, too: labels are of these");
  const bool isClasses = loss == lossNames[0];
  if (type.getRank() < (isClasses ? 2 : 1))
    return refuse(isClasses ? "have rows and classes as its first axes"
                            : "have rows as its first axis");
  if (type.getNumElements() == 0)
    return refuse("have elements for a loss");
  return success();
}

void AddLoss::runOnOperation() {
  ModuleOp module = getOperation();
  if (!llvm::is_contained(lossNames, loss.getValue())) {
    module.emitError() << "there is no loss '" << loss
                       << "'; there are: " << listOf(lossNames);
    return signalPassFailure();
  }
  PlaceholderOp compared = findCompared();
  SaveOp save =
      compared && succeeded(checkSizes(compared)) ? saveOf(compared) : SaveOp();
  if (!save)
    return signalPassFailure();
  auto function = save->getParentOfType<FuncOp>();
  Value out = save.getIn();
  for (auto port : llvm::make_early_inc_range(module.getOps<PlaceholderOp>()))
    if (port.getRole() == PlaceholderRole::Output)
      eraseOutput(port);
  if (failed(LossBuilder(function, out).build(loss)))
    return signalPassFailure();
  eraseUnused(function.block());
}

} // namespace glow
