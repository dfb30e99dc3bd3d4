//===- QuantizeGraph.cpp - from floats to integers ------------------------===//
// SPDX-License-Identifier: MIT

#include "NodeInserter.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/Storage.h"
#include "glow/Quantization/NodePatterns.h"
#include "glow/Quantization/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_QUANTIZEGRAPH
#include "glow/Quantization/Passes.h.inc"

namespace {

/// Lets nodes read integers, and quantises constants in the module. The facts
/// are those of the nodes' records, and the ranges those of a profile.
///
/// Pinned after the import, whose values a profile names. The optimizer then
/// makes instructions on integers of the nodes. Ends because it visits each
/// layer once.
struct QuantizeGraph : impl::QuantizeGraphBase<QuantizeGraph> {
  using QuantizeGraphBase::QuantizeGraphBase;

  void runOnOperation() override;

private:
  LogicalResult checkOptions();
  LogicalResult readProfile();
  QuantizeOptions chosen() const;
  LogicalResult choose(std::vector<NodeLayer> &layers);
  bool isUsable(const NodeLayer &layer, KnownValues &known,
                const NodeInserter &inserter) const;

  Profile ranges;
};

} // namespace

LogicalResult QuantizeGraph::checkOptions() {
  if (!llvm::is_contained({0u, 8u, 16u}, activationBits.getValue()))
    return getOperation().emitError("activation-bits is ")
           << activationBits.getValue() << ", should be 0, 8 or 16";
  if (!llvm::is_contained({4u, 8u, 16u}, weightBits.getValue()))
    return getOperation().emitError("weight-bits is ")
           << weightBits.getValue() << ", should be 4, 8 or 16";
  if (!llvm::is_contained({8u, 32u}, biasBits.getValue()))
    return getOperation().emitError("bias-bits is ")
           << biasBits.getValue() << ", should be 8 or 32";
  if (!(percentile >= 50 && percentile <= 100))
    return getOperation().emitError("percentile is ")
           << percentile.getValue() << ", should be from 50 to 100";
  return success();
}

LogicalResult QuantizeGraph::readProfile() {
  if (activationBits == 0)
    return success();
  const std::string &path = profile;
  if (path.empty())
    return getOperation().emitError("activations of ")
           << activationBits.getValue()
           << " bits need a profile: give the option 'profile'";
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return getOperation().emitError("profile '")
           << path << "' cannot be read: " << file.getError().message();
  StringRef text = (*file)->getBuffer();
  Result<Profile> read =
      Profile::parse(std::string_view(text.data(), text.size()));
  if (!read)
    return getOperation().emitError("'")
           << path << "': " << read.status().message();
  ranges = read.take();
  return success();
}

QuantizeOptions QuantizeGraph::chosen() const {
  QuantizeOptions options;
  options.scheme = schema;
  options.calibration = calibration;
  options.percentile = percentile;
  options.activationBits = activationBits;
  options.weightBits = weightBits;
  options.biasBits = biasBits;
  options.perChannel = perChannel;
  return options;
}

/// Drops the layers that `only` and `skip` leave in floats.
LogicalResult QuantizeGraph::choose(std::vector<NodeLayer> &layers) {
  NodeChoice choice{{"only", {only.begin(), only.end()}},
                    {"skip", {skip.begin(), skip.end()}}};
  Status status = choice.check();
  if (status.ok()) {
    std::erase_if(layers, [&](NodeLayer &layer) {
      StringRef op = layer.node->getName().stripDialect();
      const Wish wish =
          choice.wishFor(nameIn(layer.node->getLoc()).str(), op.str());
      layer.isAsked = wish == Wish::Integers;
      return wish == Wish::Floats;
    });
    status = choice.checkUsed();
  }
  return status.ok() ? success() : getOperation().emitError(status.message());
}

/// Whether the profile names a value of the module.
static bool hasProfiled(ModuleOp module, const NodeInserter &inserter) {
  const auto isProfiled = [&](Value value) {
    return inserter.profileOf(value);
  };
  bool found = false;
  module.walk([&](Operation *op) {
    found = found || llvm::any_of(op->getResults(), isProfiled);
  });
  return found;
}

/// Whether all operands have numbers for which a float scale is precise enough.
bool QuantizeGraph::isUsable(const NodeLayer &layer, KnownValues &known,
                             const NodeInserter &inserter) const {
  const auto isKnown = [&](const LayerOperand &operand) {
    const auto values = known.floatsOf(operand.value);
    return values && !values->empty() && hasScale(*values);
  };
  const auto hasRange = [&](const LayerOperand &operand) {
    const ValueProfile *found = inserter.profileOf(operand.value);
    if (!found || found->kind != ElementKind::F32)
      return false;
    const bool fits = hasScale(std::array{found->low, found->high});
    if (!fits)
      layer.node->emitRemark("stays in floats: an operand has elements beyond "
                             "1e30");
    return fits;
  };
  if (layer.weights && !isKnown(*layer.weights))
    return false;
  if (activationBits == 0)
    return layer.weights.has_value();
  return (!layer.bias || isKnown(*layer.bias)) &&
         llvm::all_of(layer.others, isKnown) &&
         llvm::all_of(layer.activations, hasRange);
}

/// Nodes that only move what layers read. They move integers, too. The search
/// goes from the last node to the first, since movers may follow movers.
static std::vector<Operation *> moversOf(ModuleOp module,
                                         const std::vector<NodeLayer> &layers,
                                         const KnownValues &known,
                                         const NodeInserter &inserter) {
  llvm::DenseSet<Operation *> nodes;
  llvm::DenseSet<Value> read;
  for (const NodeLayer &layer : layers) {
    nodes.insert(layer.node);
    for (const LayerOperand &operand : layer.activations)
      read.insert(operand.value);
  }
  std::vector<Operation *> all, movers;
  module.walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all)) {
    if (nodes.contains(op) || !keepsRange(op, known) ||
        llvm::none_of(op->getResults(),
                      [&](Value result) { return read.contains(result); }))
      continue;
    Value value = onlyFloats(op, known);
    if (!inserter.profileOf(value))
      continue;
    movers.push_back(op);
    read.insert(value);
  }
  return movers;
}

/// Erases constants that integers have replaced, and nodes on them.
static void dropReplaced(ModuleOp module, const KnownValues &known) {
  std::vector<Operation *> all;
  module.walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all))
    if (op->getNumResults() != 0 && op->use_empty() &&
        llvm::none_of(op->getResults(),
                      [&](Value result) { return known.varies(result); }))
      op->erase();
  llvm::DenseSet<StringRef> read;
  module.walk([&](Operation *op) {
    if (FlatSymbolRefAttr storage = storageNamed(op))
      read.insert(storage.getValue());
  });
  std::vector<ConstantOp> unread;
  module.walk([&](ConstantOp constant) {
    if (!read.contains(constant.getSymName()))
      unread.push_back(constant);
  });
  for (ConstantOp constant : unread)
    constant.erase();
}

void QuantizeGraph::runOnOperation() {
  if (failed(checkOptions()) || failed(readProfile()))
    return signalPassFailure();
  ModuleOp module = getOperation();
  const QuantizeOptions options = chosen();
  const ValueNames names(module);
  KnownValues known(module);
  NodeInserter inserter(known, names, ranges.values, options);
  if (activationBits != 0 && !hasProfiled(module, inserter)) {
    module.emitError("'") << profile.getValue()
                          << "' has no value of this module: it is the profile "
                             "of another model";
    return signalPassFailure();
  }
  std::vector<NodeLayer> layers = layersOf(module, known);
  if (failed(choose(layers)))
    return signalPassFailure();
  std::erase_if(layers, [&](const NodeLayer &layer) {
    return !isUsable(layer, known, inserter);
  });
  if (activationBits != 0)
    keepBetween(module, layers, known);
  if (layers.empty()) {
    module.emitError("no node can be integers");
    return signalPassFailure();
  }
  const std::vector<Operation *> movers =
      activationBits == 0 ? std::vector<Operation *>()
                          : moversOf(module, layers, known, inserter);
  if (activationBits != 0) {
    for (const NodeLayer &layer : layers)
      for (const LayerOperand &operand : layer.activations)
        inserter.choose(operand.value);
    for (Operation *mover : movers)
      inserter.choose(onlyFloats(mover, known));
  }
  for (const NodeLayer &layer : layers)
    inserter.quantize(layer);
  for (Operation *mover : movers)
    inserter.move(mover);
  dropReplaced(module, known);
}

} // namespace glow
