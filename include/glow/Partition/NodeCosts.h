//===- NodeCosts.h - costs of nodes on a device -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PARTITION_NODECOSTS_H
#define GLOW_PARTITION_NODECOSTS_H

#include "glow/Graph/Dialect.h"
#include "glow/Program/Partition.h"
#include "llvm/ADT/DenseSet.h"

namespace glow {

/// Cost model: the run time of nodes.
class NodeCosts {
public:
  virtual ~NodeCosts() = default;

  /// The cost of a node that is computed in the step of another node.
  static constexpr double within = -1;

  /// The seconds of each node of `nodes`, which are all nodes of a function on
  /// a device; `within` for a node without a step of its own.
  virtual std::vector<double> secondsOf(FuncOp function,
                                        llvm::ArrayRef<mlir::Operation *> nodes,
                                        const PartitionDevice &device) = 0;
};

/// Costs by the bytes that nodes read and write, at 10 GB a second. It is used
/// if nothing is known of the devices.
class CostsByBytes final : public NodeCosts {
public:
  std::vector<double> secondsOf(FuncOp function,
                                llvm::ArrayRef<mlir::Operation *> nodes,
                                const PartitionDevice &device) override;
};

} // namespace glow

#endif // GLOW_PARTITION_NODECOSTS_H
