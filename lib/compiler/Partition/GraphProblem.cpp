//===- GraphProblem.cpp - search problem of a function --------------------===//
// SPDX-License-Identifier: MIT

#include "GraphProblem.h"
#include "MemoryEstimate.h"
#include "glow/Backend/Steps.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Partition/ProgramCosts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace glow;

namespace {

class Maker {
public:
  Maker(const GraphOfDevices &graph, NodeCosts &costs)
      : graph(graph), function(graph.function), costs(costs),
        devices(graph.request.devices) {}

  FailureOr<GraphProblem> run() {
    findNodes();
    findCosts();
    if (failed(pin()))
      return mlir::failure();
    addDevices();
    join();
    addItems();
    addValues();
    addFactors();
    return std::move(made);
  }

private:
  void findNodes() {
    Owners shared;
    for (Operation &op : function.block()) {
      if (isa<ReadOp, SaveOp>(op))
        continue;
      // Each part computes nodes on constants for itself, if every device can
      // run them.
      bool isAnyones = true;
      for (size_t device = 0; device < devices.size(); ++device)
        isAnyones &= graph.runs(device, &op);
      if (isAnyones && readsOnlyKnown(op, graph.symbols, shared))
        continue;
      shared[&op] = 0;
      places[&op] = uint32_t(made.nodes.size());
      made.nodes.push_back(&op);
    }
  }

  void findCosts() {
    seconds.assign(made.nodes.size(),
                   std::vector<double>(devices.size(), partition::never));
    for (size_t device = 0; device < devices.size(); ++device) {
      Nodes able;
      for (Operation *node : made.nodes)
        if (graph.runs(device, node))
          able.push_back(node);
      const std::vector<double> found =
          costs.secondsOf(function, able, devices[device]);
      for (size_t i = 0; i < able.size(); ++i)
        seconds[places.lookup(able[i])][device] = found[i];
    }
  }

  LogicalResult pin() {
    for (const NodePin &pin : graph.request.pins) {
      auto device = llvm::find_if(
          devices, [&](auto &one) { return one.name == pin.device; });
      if (device == devices.end())
        return refuse(pin, "there is no device of that name");
      auto pattern = llvm::GlobPattern::create(pin.pattern);
      if (!pattern)
        return refuse(pin, llvm::toString(pattern.takeError()));
      bool matches = false;
      for (auto [node, own] : llvm::zip(made.nodes, seconds)) {
        if (!pattern->match(modelName(node->getLoc())))
          continue;
        matches = true;
        if (made.pinOf.try_emplace(node, &pin).second &&
            failed(give(node, own, size_t(device - devices.begin()), pin)))
          return mlir::failure();
      }
      if (!matches)
        return refuse(pin, "no node has such a name");
    }
    return success();
  }

  LogicalResult give(Operation *node, std::vector<double> &own, size_t device,
                     const NodePin &pin) {
    if (!graph.runs(device, node)) {
      InFlightDiagnostic error = emitError(node->getLoc())
                                 << "is assigned to device '" << pin.device
                                 << "', which cannot run '" << node->getName()
                                 << "'";
      const Candidate &candidate = graph.candidates[graph.candidateOf[device]];
      for (const std::string &reason : candidate.refused.lookup(node))
        error.attachNote() << reason;
      return error;
    }
    for (size_t other = 0; other < own.size(); ++other)
      if (other != device)
        own[other] = partition::never;
    return success();
  }

  LogicalResult refuse(const NodePin &pin, const Twine &why) {
    return function.emitError() << "cannot assign '" << pin.pattern << "' to '"
                                << pin.device << "': " << why;
  }

  void addDevices() {
    made.problem.objective = graph.request.mode == PartitionMode::Latency
                                 ? partition::Objective::Latency
                                 : partition::Objective::Pipeline;
    for (const PartitionDevice &device : devices)
      made.problem.devices.push_back(
          {device.memoryBytes, device.linkSeconds,
           1 / (device.linkBytesPerSecond ? device.linkBytesPerSecond
                                          : device.bytesPerSecond)});
  }

  bool isWithin(uint32_t place) const {
    return llvm::all_of(seconds[place], [](double one) {
      return one == NodeCosts::within || one == partition::never;
    });
  }

  bool runOnTheSame(uint32_t a, uint32_t b) const {
    for (size_t i = 0; i < devices.size(); ++i)
      if ((seconds[a][i] == partition::never) !=
          (seconds[b][i] == partition::never))
        return false;
    return true;
  }

  /// The index of the only node that reads a node, if there is one.
  std::optional<uint32_t> onlyUser(Operation *node) const {
    std::optional<uint32_t> only;
    for (Operation *user : node->getUsers()) {
      auto place = places.find(user);
      if (place == places.end() || (only && *only != place->second))
        return std::nullopt;
      only = place->second;
    }
    return only;
  }

  /// For a node without a step of its own, the producer in whose step it runs:
  /// the last producer that has no other reader.
  std::optional<uint32_t> stepBefore(uint32_t place) const {
    std::optional<uint32_t> found;
    for (Value operand : made.nodes[place]->getOperands()) {
      auto before = places.find(operand.getDefiningOp());
      if (before != places.end() && onlyUser(before->first) == place &&
          runOnTheSame(before->second, place) && found < before->second)
        found = before->second;
    }
    return found;
  }

  /// Joins nodes into items. A node without a step of its own joins the
  /// producer before it, or otherwise its only reader. So only values of an
  /// item's last node leave the item.
  void join() {
    last.resize(made.nodes.size());
    for (uint32_t i = uint32_t(made.nodes.size()); i-- > 0;) {
      last[i] = i;
      const std::optional<uint32_t> user = onlyUser(made.nodes[i]);
      if (!user || !runOnTheSame(i, *user))
        continue;
      if (isWithin(*user) ? stepBefore(*user) == i
                          : isWithin(i) && !stepBefore(i))
        last[i] = last[*user];
    }
  }

  void addItems() {
    std::vector<uint32_t> itemAt(made.nodes.size());
    for (uint32_t i = 0; i < made.nodes.size(); ++i)
      if (last[i] == i) {
        itemAt[i] = uint32_t(made.items.size());
        made.items.emplace_back();
        partition::Item &item = made.problem.items.emplace_back();
        item.seconds.assign(devices.size(), 0);
      }
    for (uint32_t i = 0; i < made.nodes.size(); ++i) {
      const uint32_t index = itemAt[last[i]];
      made.itemOf[made.nodes[i]] = index;
      made.items[index].push_back(made.nodes[i]);
      partition::Item &item = made.problem.items[index];
      for (size_t device = 0; device < devices.size(); ++device)
        if (const double own = seconds[i][device]; own != NodeCosts::within)
          item.seconds[device] += own;
      addConstants(made.nodes[i], item);
    }
  }

  /// Adds the constants that a node reads, directly, in functions that it
  /// calls, or through nodes that each part computes for itself.
  void addConstants(Operation *node, partition::Item &item) {
    for (FuncOp called : neededBy(node, graph.symbols))
      for (auto read : called.block().getOps<ReadOp>())
        addConstant(read, item);
    for (Value operand : node->getOperands()) {
      Operation *origin = operand.getDefiningOp();
      if (places.contains(origin))
        continue;
      auto read = dyn_cast<ReadOp>(origin);
      if (!read) {
        addConstants(origin, item);
        continue;
      }
      addConstant(read, item);
    }
  }

  void addConstant(ReadOp read, partition::Item &item) {
    if (!graph.symbols.lookup<ConstantOp>(read.getStorage()))
      return;
    auto [found, isNew] = constants.try_emplace(
        read.getStorageAttr(), uint32_t(made.problem.constants.size()));
    if (isNew)
      made.problem.constants.push_back(tensorBytes(read.getType()));
    if (!llvm::is_contained(item.constants, found->second))
      item.constants.push_back(found->second);
  }

  /// Adds the values that items pass on, and the bytes alive at each item.
  void addValues() {
    for (Operation &op : function.block()) {
      auto read = dyn_cast<ReadOp>(op);
      const bool isInput =
          read && !graph.symbols.lookup<ConstantOp>(read.getStorage());
      if (isInput || places.contains(&op))
        for (Value result : op.getResults())
          addValue(result);
    }
    std::vector<uint64_t> begin(made.nodes.size() + 1), end = begin;
    for (auto [first, final, bytes] : lives) {
      begin[first] += bytes;
      end[final] += bytes;
    }
    uint64_t live = 0;
    for (size_t i = 0; i < made.nodes.size(); ++i) {
      live += begin[i];
      uint64_t &most =
          made.problem.items[made.itemOf.lookup(made.nodes[i])].liveBytes;
      most = std::max(most, live);
      live -= end[i];
    }
  }

  void addValue(mlir::Value result) {
    partition::Value value;
    value.bytes = tensorBytes(result.getType());
    Operation *origin = result.getDefiningOp();
    uint32_t first = 0;
    if (auto place = places.find(origin); place != places.end()) {
      value.producer = made.itemOf.lookup(origin);
      first = place->second;
    }
    uint32_t final = first;
    for (Operation *user : result.getUsers()) {
      auto place = places.find(user);
      if (place == places.end()) {
        value.isOutput |= isa<SaveOp>(user) && value.producer;
        continue;
      }
      final = std::max(final, place->second);
      const uint32_t item = made.itemOf.lookup(user);
      if (item != value.producer && !llvm::is_contained(value.users, item))
        value.users.push_back(item);
    }
    lives.push_back({first, final, value.bytes});
    if (!value.users.empty() || value.isOutput)
      made.problem.values.push_back(std::move(value));
  }

  /// Sets the memory factors of devices. If known, the program of all nodes
  /// that a device runs determines them; a device without a limit needs none.
  void addFactors() {
    auto *programs = dynamic_cast<ProgramCosts *>(&costs);
    for (auto [index, device] : llvm::enumerate(devices)) {
      partition::Device &own = made.problem.devices[index];
      own.constantFactor = own.valueFactor = device.memoryFactor;
      if (!device.memoryBytes || !programs)
        continue;
      std::optional<ProgramBytes> program = programs->bytesOf(function, device);
      if (!program)
        continue;
      const auto [stored, live] = estimateOn(index);
      if (stored)
        own.constantFactor *= double(program->constants) / double(stored);
      if (live)
        own.valueFactor *= double(program->arena) / double(live);
    }
  }

  /// Estimated bytes of the constants of all items that a device runs, and of
  /// their values at the peak.
  std::pair<uint64_t, uint64_t> estimateOn(size_t device) const {
    std::vector<bool> has(made.problem.constants.size());
    uint64_t stored = 0, live = 0;
    for (const partition::Item &item : made.problem.items) {
      if (item.seconds[device] == partition::never)
        continue;
      live = std::max(live, item.liveBytes);
      for (uint32_t constant : item.constants)
        if (!has[constant]) {
          has[constant] = true;
          stored += made.problem.constants[constant];
        }
    }
    return {stored, live};
  }

  struct Life {
    uint32_t first, final; ///< places
    uint64_t bytes;
  };

  const GraphOfDevices &graph;
  FuncOp function;
  NodeCosts &costs;
  const std::vector<PartitionDevice> &devices;
  GraphProblem made;
  llvm::DenseMap<Operation *, uint32_t> places;
  std::vector<std::vector<double>> seconds; ///< by place, by device
  std::vector<uint32_t> last;               ///< by place: of its item
  llvm::DenseMap<Attribute, uint32_t> constants;
  std::vector<Life> lives;
};

} // namespace

FailureOr<GraphProblem> glow::graphProblemOf(const GraphOfDevices &graph,
                                             NodeCosts &costs) {
  return Maker(graph, costs).run();
}

std::vector<double> CostsByBytes::secondsOf(FuncOp, ArrayRef<Operation *> nodes,
                                            const PartitionDevice &) {
  std::vector<double> seconds;
  for (Operation *node : nodes) {
    uint64_t bytes = 0;
    for (Value value :
         llvm::concat<Value>(llvm::to_vector_of<Value>(node->getOperands()),
                             llvm::to_vector_of<Value>(node->getResults())))
      bytes = llvm::SaturatingAdd(bytes, tensorBytes(value.getType()));
    seconds.push_back(double(bytes) / 10e9);
  }
  return seconds;
}
