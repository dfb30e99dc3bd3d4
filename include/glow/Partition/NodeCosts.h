//===- NodeCosts.h - what nodes take on a device ----------------*- C++ -*-===//

#ifndef GLOW_PARTITION_NODECOSTS_H
#define GLOW_PARTITION_NODECOSTS_H

#include "glow/Graph/Dialect.h"
#include "glow/Program/Partition.h"
#include "llvm/ADT/DenseSet.h"

namespace glow {

/// Says how long nodes take.
class NodeCosts {
public:
  virtual ~NodeCosts() = default;

  /// What a node takes that is computed in the step of another one.
  static constexpr double within = -1;

  /// Seconds of each of `nodes`, all those of a function that a device runs;
  /// `within` for one that has no step of its own.
  virtual std::vector<double> secondsOf(FuncOp function,
                                        llvm::ArrayRef<mlir::Operation *> nodes,
                                        const PartitionDevice &device) = 0;
};

/// By what nodes read and write, a second for 10 GB: where nothing is known of
/// the devices.
class CostsByBytes final : public NodeCosts {
public:
  std::vector<double> secondsOf(FuncOp function,
                                llvm::ArrayRef<mlir::Operation *> nodes,
                                const PartitionDevice &device) override;
};

} // namespace glow

#endif // GLOW_PARTITION_NODECOSTS_H
