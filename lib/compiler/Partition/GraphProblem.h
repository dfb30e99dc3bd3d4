//===- GraphProblem.h - search problem of a function ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_GRAPHPROBLEM_H
#define GLOW_LIB_PARTITION_GRAPHPROBLEM_H

#include "Candidates.h"
#include "PartOrder.h"
#include "glow/Partition/NodeCosts.h"
#include "glow/Partition/Problem.h"

namespace glow {

/// A function, and the devices that may run its nodes.
struct GraphOfDevices {
  FuncOp function;
  mlir::SymbolTable &symbols;
  const PartitionRequest &request;
  llvm::ArrayRef<Candidate> candidates; ///< no node is refused by all of them
  std::vector<size_t> candidateOf;      ///< of each device

  bool runs(size_t device, mlir::Operation *node) const {
    return !candidates[candidateOf[device]].refused.contains(node);
  }
};

/// A function as a partition problem. An item has a node and the nodes that run
/// in the same step.
struct GraphProblem {
  Nodes nodes; ///< all nodes to assign, in order
  std::vector<Nodes> items;
  llvm::DenseMap<mlir::Operation *, uint32_t> itemOf;
  /// The pin that gave a node to its device.
  llvm::DenseMap<mlir::Operation *, const NodePin *> pinOf;
  partition::Problem problem;
};

/// Fails after a diagnostic if a pin matches no node, or assigns a node to a
/// device that cannot run it.
mlir::FailureOr<GraphProblem> graphProblemOf(const GraphOfDevices &graph,
                                             NodeCosts &costs);

} // namespace glow

#endif // GLOW_LIB_PARTITION_GRAPHPROBLEM_H
