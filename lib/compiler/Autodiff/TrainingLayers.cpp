//===- TrainingLayers.cpp - layers that differ in training ----------------===//
// SPDX-License-Identifier: MIT

#include "Ports.h"
#include "glow/Autodiff/Passes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_TRAININGLAYERS
#include "glow/Autodiff/Passes.h.inc"

namespace {

/// Replaces the nodes of layers that differ in training.
///
/// Pinned behind make-trainable, since a layer learns if its weights do, and
/// before differentiate. Ends because it visits each node once.
struct TrainingLayers : impl::TrainingLayersBase<TrainingLayers> {
  using TrainingLayersBase::TrainingLayersBase;
  void runOnOperation() override;

private:
  LogicalResult checkOptions();
  LogicalResult visit(BatchNormTraining norm, FuncOp function);
  LogicalResult visit(Dropout layer, FuncOp function);
  bool learns(BatchNormTraining norm);
  LogicalResult makeState(BatchNormTraining norm, Value statistic, Value moved);
  BatchNormTraining ofCountedRows(BatchNormTraining norm);
  Value seedOf(FuncOp function);

  Value seed; ///< the state of the dropouts, once it is made
};

} // namespace

/// The storage that a value is read from; null for any other value.
static Operation *storageOf(Value value) {
  auto read = value.getDefiningOp<ReadOp>();
  return read
             ? SymbolTable::lookupNearestSymbolFrom(read, read.getStorageAttr())
             : nullptr;
}

static bool isWeight(Value value) {
  auto port = dyn_cast_or_null<PlaceholderOp>(storageOf(value));
  return port && port.getTrainable();
}

LogicalResult TrainingLayers::checkOptions() {
  auto check = [&](StringRef option, StringRef word,
                   ArrayRef<const char *> words) -> LogicalResult {
    if (llvm::is_contained(words, word))
      return success();
    return getOperation().emitError()
           << "'" << word << "' is no word of '" << option
           << "'; there are: " << listOf(words);
  };
  return success(succeeded(check("batch-norm", batchNorm, batchNormNames)) &&
                 succeeded(check("dropout", dropout, dropoutNames)));
}

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

/// Whether the layer follows the statistics of batches: its scale or bias is a
/// weight, and its running statistics are constants of the model.
bool TrainingLayers::learns(BatchNormTraining norm) {
  auto isConstant = [](Value value) {
    return isa_and_nonnull<ConstantOp>(storageOf(value));
  };
  return batchNorm == batchNormNames[0] &&
         (isWeight(norm.getScale()) || isWeight(norm.getBias())) &&
         isConstant(norm.getMean()) && isConstant(norm.getVariance());
}

/// The node that reads the storage beside `norm`, which reads it once; or null.
static Operation *otherReader(ModuleOp module, ConstantOp storage,
                              BatchNormTraining norm) {
  bool isKnown = false;
  for (FuncOp function : module.getOps<FuncOp>())
    for (auto read : function.block().getOps<ReadOp>())
      if (read.getStorage() == storage.getSymName())
        for (Operation *user : read.getOut().getUsers()) {
          if (user != norm || isKnown)
            return user;
          isKnown = true;
        }
  return nullptr;
}

/// The name that the model gives to a node or a constant.
static StringRef nameOf(Location location) {
  auto name = dyn_cast<NameLoc>(location);
  return name ? name.getName().strref() : "";
}

/// Makes an input of a running statistic and, in a step, the output `moved`.
LogicalResult TrainingLayers::makeState(BatchNormTraining norm, Value statistic,
                                        Value moved) {
  auto constant = cast<ConstantOp>(storageOf(statistic));
  if (Operation *other = otherReader(getOperation(), constant, norm))
    return norm.emitError()
           << "statistic '" << nameOf(constant.getLoc())
           << "' is read by node '" << nameOf(other->getLoc())
           << "' too, and training moves it for one layer: give each layer its "
              "own, or say --batch-norm=frozen";
  OpBuilder builder(constant);
  auto port = PlaceholderOp::create(
      builder, constant.getLoc(), constant.getSymNameAttr(),
      constant.getValue().getType(), PlaceholderRole::Input);
  constant.erase();
  if (!step)
    return success();
  const std::string name = port.portName().str();
  PlaceholderOp output =
      addOutput(norm->getParentOfType<FuncOp>(), name + training::moved, moved);
  if (!output)
    return failure();
  output->setAttr(nextOf, builder.getStringAttr(name));
  return success();
}

/// The node with weights of its images: 0 for rows of the batch that do not
/// count in the loss, else 1. The node itself if its images are no rows.
BatchNormTraining TrainingLayers::ofCountedRows(BatchNormTraining norm) {
  auto function = norm->getParentOfType<FuncOp>();
  Block &block = function.block();
  auto reads = llvm::make_filter_range(block.getOps<ReadOp>(), [](ReadOp read) {
    return read.getStorage() == training::rows;
  });
  if (reads.empty())
    return norm;
  ReadOp rows = *reads.begin();
  if (!expr::isSame(shapeOf(rows.getOut())[0], shapeOf(norm.getIn())[0]))
    return norm;
  rows->moveBefore(&block, block.begin());
  OpBuilder builder(norm);
  Location location = norm.getLoc();
  Value none = splatLike(builder, location, 0, rows.getOut());
  Value counted = createCast(
      builder, location, createGreater(builder, location, rows.getOut(), none),
      kindOfElements(norm.getIn()));
  auto weighed = createBatchNormTraining(
      builder, location, norm.getIn(), norm.getScale(), norm.getBias(),
      norm.getMean(), norm.getVariance(), counted, norm.getEpsilon(),
      norm.getMomentum(), norm.getUnbiased());
  norm->replaceAllUsesWith(weighed);
  norm.erase();
  return weighed;
}

/// Replaces the node by the normalization with running statistics.
static void useRunning(BatchNormTraining norm) {
  OpBuilder builder(norm);
  norm.getOut().replaceAllUsesWith(createBatchNorm(
      builder, norm.getLoc(), norm.getIn(), norm.getScale(), norm.getBias(),
      norm.getMean(), norm.getVariance(), norm.getEpsilon()));
  norm.getNextMean().replaceAllUsesWith(norm.getMean());
  norm.getNextVariance().replaceAllUsesWith(norm.getVariance());
  norm.erase();
}

LogicalResult TrainingLayers::visit(BatchNormTraining norm, FuncOp function) {
  const bool isLearning = !function.isCalled() && learns(norm);
  if (isLearning && step)
    norm = ofCountedRows(norm);
  if (isLearning &&
      (failed(makeState(norm, norm.getMean(), norm.getNextMean())) ||
       failed(makeState(norm, norm.getVariance(), norm.getNextVariance()))))
    return failure();
  if (!isLearning || !step)
    useRunning(norm);
  return success();
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// The state that all dropouts of a function draw from; null after an error.
Value TrainingLayers::seedOf(FuncOp function) {
  if (seed)
    return seed;
  auto builder = OpBuilder::atBlockBegin(&function.block());
  Type kind = typeOf(&getContext(), ElementKind::U32);
  seed = addInput(builder, function, training::seed,
                  RankedTensorType::get({}, kind));
  if (!seed)
    return nullptr;
  Location location = seed.getLoc();
  builder.setInsertionPointAfterValue(seed);
  Value next =
      createAdd(builder, location, seed, splatLike(builder, location, 1, seed));
  PlaceholderOp output =
      addOutput(function, std::string(training::seed) + training::next, next);
  if (!output)
    return nullptr;
  output->setAttr(nextOf, builder.getStringAttr(training::seed));
  return seed;
}

LogicalResult TrainingLayers::visit(Dropout layer, FuncOp function) {
  OpBuilder builder(layer);
  const bool drops = step && dropout == dropoutNames[0] &&
                     !function.isCalled() && layer.getRatio() > 0;
  if (!drops) {
    Value all =
        layer.getMask().use_empty()
            ? Value()
            : createSplat(builder, layer.getLoc(), 1.0, shapeOf(layer.getIn()),
                          kindOfElements(layer.getMask()));
    layer.getOut().replaceAllUsesWith(layer.getIn());
    if (all)
      layer.getMask().replaceAllUsesWith(all);
  } else {
    Value from = seedOf(function);
    if (!from)
      return failure();
    auto drawn =
        createDropoutTraining(builder, layer.getLoc(), layer.getIn(), from,
                              layer.getRatio(), layer.getLayer());
    layer->replaceAllUsesWith(drawn);
  }
  layer.erase();
  return success();
}

void TrainingLayers::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  for (FuncOp function : getOperation().getOps<FuncOp>()) {
    seed = nullptr;
    for (Operation &op : llvm::make_early_inc_range(function.block())) {
      auto norm = dyn_cast<BatchNormTraining>(op);
      auto layer = dyn_cast<Dropout>(op);
      if ((norm && failed(visit(norm, function))) ||
          (layer && failed(visit(layer, function))))
        return signalPassFailure();
    }
  }
}

} // namespace glow
