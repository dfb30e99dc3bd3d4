//===- PartitionGraph.cpp - parts for several devices ---------------------===//
// SPDX-License-Identifier: MIT

#include "Reasons.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Partition/Passes.h"
#include "glow/Partition/ProgramCosts.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_PARTITIONGRAPH
#include "glow/Partition/Passes.h.inc"

namespace {

/// Cuts functions into parts, and assigns a device to each part. A node that
/// calls functions is not cut. The search
/// minimizes the objective of the mode. Values pass between parts in
/// placeholders.
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
    for (FuncOp function : entriesOf(getOperation()))
      if (!function->hasAttr(ofBackend) && failed(cut(function, symbols)))
        signalPassFailure(); // all that cannot run is reported
  }

private:
  LogicalResult refuse(const Twine &what) {
    return getOperation().emitError() << what;
  }

  /// Reads the options if the pass was created from text.
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
                    "', but it should be latency, pipeline or saturate");
    request.mode = PartitionMode(found - partitionModes.begin());
    return success();
  }

  LogicalResult findCandidates() {
    if (request.devices.empty())
      return refuse("there are no devices to share the model out to");
    if (request.mode == PartitionMode::Saturate && mlir::failed(checkEqual()))
      return mlir::failure();
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
    unsigned copies = 1;
    partition::Solution found = solve(*made, copies);
    if (found.assignment.empty() &&
        dynamic_cast<const ProgramCosts *>(costs.get()))
      relax(*made, copies, found);
    if (found.assignment.empty() && !made->items.empty()) {
      refuseAll(graph, *made, found);
      return mlir::failure();
    }
    Owners owners;
    for (Operation *node : made->nodes)
      owners[node] = found.assignment[made->itemOf.lookup(node)];
    const auto parts = partsOf(made->nodes, owners, request.devices.size());
    PartitionReport report = reportOf(graph, *made, found, parts);
    report.copies = copies;
    report.seconds /= copies;
    report.bound /= copies;
    SmallVector<FuncOp> functions = {function};
    if (parts.size() > 1) {
      auto split = splitFunction(
          function, symbols,
          llvm::map_to_vector(parts, [](auto &part) { return part.nodes; }));
      if (failed(split))
        return mlir::failure();
      functions = *split;
    }
    Builder builder(&getContext());
    for (auto [index, one] : llvm::enumerate(functions)) {
      const PartitionDevice &device =
          request.devices[parts.empty() ? 0 : parts[index].owner];
      if (copies == 1) // of several, each has others
        one->setAttr(ofDevice, builder.getStringAttr(device.name));
      one->setAttr(ofBackend, builder.getStringAttr(device.backend));
      if (index < report.parts.size())
        report.parts[index].name = one.getSymName().str();
    }
    if (request.report)
      *request.report = std::move(report);
    return success();
  }

  partition::Solution solve(GraphProblem &made, unsigned &copies) {
    return request.mode == PartitionMode::Saturate
               ? saturate(made, copies)
               : partition::solve(made.problem);
  }

  /// Tries lower estimates for values: they share memory in ways that the
  /// estimate does not know, so fewer bytes may be enough. Constants are
  /// certain, and so is the estimate for a device whose compiled program was
  /// too large.
  void relax(GraphProblem &made, unsigned &copies, partition::Solution &found) {
    for (double factor : {0.5, 0.25, 0.0}) {
      GraphProblem relaxed = made;
      for (auto [own, device] :
           llvm::zip(relaxed.problem.devices, request.devices))
        if (device.memoryFactor == 1)
          own.valueFactor *= factor;
      partition::Solution other = solve(relaxed, copies);
      if (other.assignment.empty())
        continue;
      made = std::move(relaxed);
      found = std::move(other);
      return;
    }
  }

  /// Chooses the number of devices for each copy of the model that answers most
  /// requests per second. The problem keeps only these devices.
  static partition::Solution saturate(GraphProblem &made, unsigned &copies) {
    const size_t count = made.problem.devices.size();
    partition::Solution best;
    partition::Problem chosen = made.problem;
    double least = partition::never;
    // More devices than a copy needs are useful only if its cut is uneven.
    size_t most = count;
    for (size_t used = 1; used <= most; ++used) {
      partition::Problem problem = made.problem;
      problem.devices.resize(used);
      for (partition::Item &item : problem.items)
        item.seconds.resize(used);
      partition::Solution found = partition::solve(problem);
      const double seconds = found.objective / double(count / used);
      if (least == partition::never && seconds < least)
        most = std::min(count, 2 * used);
      // Among equal numbers, the fewest devices are best, since fewer values
      // cross links.
      if (seconds >= least * 0.999)
        continue;
      least = seconds;
      copies = unsigned(count / used);
      best = std::move(found);
      chosen = std::move(problem);
    }
    if (least < partition::never)
      made.problem = std::move(chosen);
    else
      best = partition::solve(made.problem); // says what is lacking
    return best;
  }

  /// Requires equal devices: copies may run on any of them.
  LogicalResult checkEqual() {
    const PartitionDevice &first = request.devices.front();
    for (const PartitionDevice &other : request.devices)
      if (!other.isLike(first))
        return refuse("devices '" + Twine(first.name) + "' and '" + other.name +
                      "' differ, but copies of a model saturate equal ones");
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
