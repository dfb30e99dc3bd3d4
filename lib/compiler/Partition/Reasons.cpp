//===- Reasons.cpp - reasons in a partition's report ----------------------===//
// SPDX-License-Identifier: MIT
//
// To explain why a part is not on the device of the part before, it is put
// there. Then a node cannot run, memory is missing, or the part takes longer.
//
//===----------------------------------------------------------------------===//

#include "Reasons.h"
#include "MemoryEstimate.h"
#include "glow/Backend/Steps.h"
#include "glow/Base/MemorySize.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace glow;
using namespace glow::partition;

static std::string timeText(double seconds) {
  return seconds < 1e-3 ? llvm::formatv("{0:F1} us", seconds * 1e6).str()
                        : llvm::formatv("{0:F2} ms", seconds * 1e3).str();
}

static std::string nameOf(Operation *node) {
  std::string name = modelName(node->getLoc());
  return name.empty() ? node->getName().getStringRef().str() : name;
}

namespace {

class Reporter {
public:
  Reporter(const GraphOfDevices &graph, const GraphProblem &made,
           const Solution &solution, ArrayRef<OwnedPart> parts)
      : graph(graph), made(made), solution(solution), parts(parts) {
    for (auto [index, part] : llvm::enumerate(parts))
      for (Operation *node : part.nodes)
        partOf[node] = index;
  }

  PartitionReport run() {
    PartitionReport report;
    report.mode = graph.request.mode;
    report.seconds = solution.objective;
    report.bound = solution.bound;
    report.alone = bestAlone();
    for (size_t i = 0; i < parts.size(); ++i)
      report.parts.push_back(row(i));
    const Loads &loads = solution.loads;
    const auto used =
        ArrayRef(graph.request.devices).take_front(made.problem.devices.size());
    for (auto [i, device] : llvm::enumerate(used))
      report.devices.push_back({device.name, device.backend, loads.seconds[i],
                                loads.transfers[i], loads.bytes[i],
                                device.memoryBytes});
    return report;
  }

private:
  const PartitionDevice &device(size_t index) const {
    return graph.request.devices[index];
  }

  double bestAlone() const {
    double best = never;
    for (uint32_t i = 0; i < made.problem.devices.size(); ++i) {
      const Loads loads =
          loadsOf(made.problem, Assignment(made.items.size(), i));
      if (fits(made.problem, loads))
        best = std::min(best, loads.objective(made.problem.objective));
    }
    return best < never ? best : 0;
  }

  PartReport row(size_t index) const {
    const OwnedPart &part = parts[index];
    PartReport row;
    row.device = device(part.owner).name;
    row.backend = device(part.owner).backend;
    llvm::DenseSet<uint32_t> items;
    llvm::DenseSet<mlir::Value> read;
    for (Operation *node : part.nodes) {
      row.nodes.push_back(nameOf(node));
      if (items.insert(made.itemOf.lookup(node)).second)
        row.seconds +=
            made.problem.items[made.itemOf.lookup(node)].seconds[part.owner];
      for (mlir::Value operand : node->getOperands())
        if (comesFromElsewhere(operand, index) && read.insert(operand).second)
          row.bytesIn += tensorBytes(operand.getType());
      for (mlir::Value result : node->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return isa<SaveOp>(user) ||
                     (partOf.contains(user) && partOf.lookup(user) != index);
            }))
          row.bytesOut += tensorBytes(result.getType());
    }
    if (index)
      row.why = reason(index);
    return row;
  }

  bool comesFromElsewhere(mlir::Value operand, size_t index) const {
    Operation *origin = operand.getDefiningOp();
    if (auto read = dyn_cast<ReadOp>(origin))
      return !graph.symbols.lookup<ConstantOp>(read.getStorage());
    auto found = partOf.find(origin);
    return found != partOf.end() && found->second != index;
  }

  std::string reason(size_t index) const {
    const size_t before = parts[index - 1].owner;
    const PartitionDevice &other = device(before);
    Assignment moved = solution.assignment;
    for (Operation *node : parts[index].nodes) {
      if (auto pin = made.pinOf.find(node); pin != made.pinOf.end())
        return llvm::formatv("'{0}' is assigned to '{1}' by '{2}'",
                             nameOf(node), pin->second->device,
                             pin->second->pattern);
      if (!graph.runs(before, node))
        return llvm::formatv(
            "'{0}' cannot run '{1}': {2}", other.name, nameOf(node),
            llvm::join(
                graph.candidates[graph.candidateOf[before]].refused.lookup(
                    node),
                "; "));
      moved[made.itemOf.lookup(node)] = uint32_t(before);
    }
    const Loads loads = loadsOf(made.problem, moved);
    if (const uint64_t bytes = loads.bytes[before];
        other.memoryBytes && bytes > other.memoryBytes)
      return llvm::formatv("memory: '{0}' would need {1} of {2}", other.name,
                           sizeText(bytes), sizeText(other.memoryBytes));
    const double saved =
        loads.objective(made.problem.objective) - solution.objective;
    const double transfers =
        sum(solution.loads.transfers) - sum(loads.transfers);
    if (saved <= 0)
      return llvm::formatv("as good as on '{0}'", other.name);
    return llvm::formatv("{0} of transfers saves {1}{2}",
                         timeText(std::max(0.0, transfers)), timeText(saved),
                         made.problem.objective == Objective::Pipeline
                             ? " between requests"
                             : "");
  }

  static double sum(const std::vector<double> &numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
  }

  const GraphOfDevices &graph;
  const GraphProblem &made;
  const Solution &solution;
  ArrayRef<OwnedPart> parts;
  llvm::DenseMap<Operation *, size_t> partOf;
};

} // namespace

PartitionReport glow::reportOf(const GraphOfDevices &graph,
                               const GraphProblem &made,
                               const Solution &solution,
                               ArrayRef<OwnedPart> parts) {
  return Reporter(graph, made, solution, parts).run();
}

void glow::refuseAll(const GraphOfDevices &graph, const GraphProblem &made,
                     const Solution &solution) {
  uint64_t available = 0, constants = 0, live = 0;
  for (uint64_t bytes : made.problem.constants)
    constants += bytes;
  for (const Item &item : made.problem.items)
    live = std::max(live, item.liveBytes);
  // The report uses the device on which the model takes the most memory.
  uint64_t required = 0, values = 0;
  for (const Device &device : made.problem.devices) {
    available += device.memoryBytes;
    if (const uint64_t bytes = device.bytes(constants, live); bytes > required)
      required = bytes, values = device.bytes(0, live);
  }
  ArrayRef<PartitionDevice> devices = graph.request.devices;
  InFlightDiagnostic error = FuncOp(graph.function).emitError()
                             << "no partition was found that fits: ";
  if (devices.size() == 1 && devices[0].compiledBytes)
    error << "the compiled model takes " << sizeText(devices[0].compiledBytes);
  else
    error << "the model needs about " << sizeText(required) << ", "
          << sizeText(values) << " of it for values wherever it runs";
  error << ", and the devices have " << sizeText(available);
  for (auto [i, device] : llvm::enumerate(devices)) {
    Diagnostic &note = error.attachNote();
    note << "device '" << device.name << "' has "
         << (device.memoryBytes ? sizeText(device.memoryBytes) : "no limit");
    if (device.compiledBytes)
      note << ", and the smallest program that was compiled for it takes "
           << sizeText(device.compiledBytes);
    else
      note << ", and would need " << sizeText(solution.loads.bytes[i]);
  }
}
