//===- PartitionGraph.cpp - parts for several devices ---------------------===//

#include "Reasons.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Partition/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_PARTITIONGRAPH
#include "glow/Partition/Passes.h.inc"

namespace {

/// Cuts each function into parts, each with the device that runs it, so that
/// what the mode says is as small as the search finds. Values go from one part
/// to the next in placeholders.
///
/// Pinned after the optimizer, whose nodes are the model's, and before
/// lowering, which differs by device. Ends because it moves each node once.
struct PartitionGraph : impl::PartitionGraphBase<PartitionGraph> {
  using PartitionGraphBase::PartitionGraphBase;
  PartitionGraph() = default;
  PartitionGraph(PartitionRequest request, std::shared_ptr<NodeCosts> costs)
      : request(std::move(request)), costs(std::move(costs)) {}

  void runOnOperation() override {
    if (failed(readOptions()) || failed(findCandidates()))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>()))
      if (!function->hasAttr(ofBackend) && failed(cut(function, symbols)))
        signalPassFailure(); // all that cannot run is told
  }

private:
  LogicalResult refuse(const Twine &what) {
    return getOperation().emitError() << what;
  }

  /// Where the pass was made of text.
  LogicalResult readOptions() {
    if (costs)
      return success();
    costs = std::make_shared<CostsByBytes>();
    for (const std::string &text : devices) {
      Result<PartitionDevice> device = partitionDeviceOf(text);
      if (!device)
        return refuse(device.status().message());
      request.devices.push_back(device.take());
    }
    for (const std::string &text : assign) {
      Result<NodePin> pin = nodePinOf(text);
      if (!pin)
        return refuse(pin.status().message());
      request.pins.push_back(pin.take());
    }
    const auto *found = llvm::find(partitionModes, mode);
    if (found == partitionModes.end())
      return refuse("the mode is '" + mode +
                    "', but it should be latency or pipeline");
    request.mode = PartitionMode(found - partitionModes.begin());
    return success();
  }

  LogicalResult findCandidates() {
    if (request.devices.empty())
      return refuse("there are no devices to share the model out to");
    candidates.clear();
    candidateOf.clear();
    for (const PartitionDevice &device : request.devices) {
      const auto *found = llvm::find_if(candidates, [&](const Candidate &one) {
        return one.backend->name == device.backend;
      });
      candidateOf.push_back(size_t(found - candidates.begin()));
      if (found != candidates.end())
        continue;
      const BackendInfo *backend = findBackendInfo(device.backend);
      if (!backend)
        return refuse("no backend is named '" + Twine(device.backend) +
                      "', which device '" + device.name + "' is of");
      candidates.push_back({backend, refusalsOf(getOperation(), *backend)});
    }
    return success();
  }

  LogicalResult cut(FuncOp function, SymbolTable &symbols) {
    if (failed(checkNodes(function, candidates)))
      return mlir::failure();
    GraphOfDevices graph{function, symbols, request, candidates, candidateOf};
    FailureOr<GraphProblem> made = graphProblemOf(graph, *costs);
    if (failed(made))
      return mlir::failure();
    const partition::Solution found = partition::solve(made->problem);
    if (found.assignment.empty() && !made->items.empty()) {
      refuseAll(graph, *made, found);
      return mlir::failure();
    }
    Owners owners;
    for (Operation *node : made->nodes)
      owners[node] = found.assignment[made->itemOf.lookup(node)];
    const auto parts = partsOf(made->nodes, owners, request.devices.size());
    PartitionReport report = reportOf(graph, *made, found, parts);
    SmallVector<FuncOp> functions = {function};
    if (parts.size() > 1)
      functions = splitFunction(
          function, symbols,
          llvm::map_to_vector(parts, [](auto &part) { return part.nodes; }));
    Builder builder(&getContext());
    for (auto [index, one] : llvm::enumerate(functions)) {
      const PartitionDevice &device =
          request.devices[parts.empty() ? 0 : parts[index].owner];
      one->setAttr(ofDevice, builder.getStringAttr(device.name));
      one->setAttr(ofBackend, builder.getStringAttr(device.backend));
      if (index < report.parts.size())
        report.parts[index].name = one.getSymName().str();
    }
    if (request.report)
      *request.report = std::move(report);
    return success();
  }

  PartitionRequest request;
  std::shared_ptr<NodeCosts> costs;
  SmallVector<Candidate> candidates;
  std::vector<size_t> candidateOf; ///< of each device
};

} // namespace

std::unique_ptr<Pass> createPartitionGraph(PartitionRequest request,
                                           std::shared_ptr<NodeCosts> costs) {
  return std::make_unique<PartitionGraph>(std::move(request), std::move(costs));
}

} // namespace glow
