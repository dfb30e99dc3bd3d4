//===- QuantizeGraph.cpp - from floats to integers ------------------------===//
// SPDX-License-Identifier: MIT

#include "GraphQuantizer.h"
#include "glow/Quantization/NodePatterns.h"
#include "glow/Quantization/Passes.h"
#include "llvm/Support/MemoryBuffer.h"

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
  explicit QuantizeGraph(std::shared_ptr<GraphQuantization> request)
      : request(std::move(request)) {}

  void runOnOperation() override;

private:
  LogicalResult checkOptions();
  LogicalResult readProfile();
  QuantizeOptions chosen() const;
  LogicalResult performOptions();

  Profile ranges;
  std::shared_ptr<GraphQuantization> request; ///< of a tool; null: options
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
  if (block != 0 && activationBits != 0)
    return getOperation().emitError("block is ")
           << block.getValue()
           << ", should be 0 where activations are integers";
  if (block != 0 &&
      (block < 16 || !llvm::isPowerOf2_32(block) || weightBits == 16))
    return getOperation().emitError("block is ")
           << block.getValue()
           << ", should be a power of two of at least 16, for weights of 4 or "
              "8 bits";
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
  options.block = block;
  options.equalize = equalize;
  options.correctBias = correctBias;
  return options;
}

/// Whether the profile names a value of the module.
static bool hasProfiled(ModuleOp module, const GraphQuantization &request) {
  const ValueNames names(module);
  bool found = false;
  module.walk([&](Operation *op) {
    found = found || llvm::any_of(op->getResults(), [&](Value value) {
              return request.values.contains(names.of(value).str());
            });
  });
  return found;
}

/// Checks the profile of a request, and makes the version of the module.
static LogicalResult perform(ModuleOp module, GraphQuantization &request,
                             StringRef profile) {
  if (request.options.activationBits != 0 && !request.showsAll &&
      !hasProfiled(module, request))
    return module.emitError()
           << profile
           << " has no value of this module: it is the profile of another "
              "model";
  quantizeGraph(module, request);
  return success();
}

/// Performs the request of a tool.
void QuantizeGraph::runOnOperation() {
  if (request) {
    if (failed(perform(getOperation(), *request, "the profile")))
      signalPassFailure();
    return;
  }
  if (failed(checkOptions()) || failed(readProfile()) ||
      failed(performOptions()))
    signalPassFailure();
}

/// Performs the request that the options state.
LogicalResult QuantizeGraph::performOptions() {
  NodeChoice choice{{"only", {only.begin(), only.end()}},
                    {"skip", {skip.begin(), skip.end()}}};
  Status status = choice.check();
  if (!status.ok())
    return getOperation().emitError(status.message());
  GraphQuantization own;
  own.options = chosen();
  own.options.wish = [&](const std::string &name, const std::string &op) {
    return choice.wishFor(name, op);
  };
  own.values = ranges.values;
  const LogicalResult done =
      perform(getOperation(), own, "'" + profile.getValue() + "'");
  for (const std::string &remark : own.remarks)
    emitRemark(getOperation().getLoc(), remark);
  if (failed(done))
    return done;
  status = choice.checkUsed();
  if (!status.ok())
    return getOperation().emitError(status.message());
  return own.layers.empty()
             ? getOperation().emitError("no node can be integers")
             : success();
}

std::unique_ptr<Pass>
createQuantizeGraph(std::shared_ptr<GraphQuantization> request) {
  return std::make_unique<QuantizeGraph>(std::move(request));
}

} // namespace glow
