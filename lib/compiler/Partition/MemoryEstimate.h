//===- MemoryEstimate.h - the memory that nodes need ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_MEMORYESTIMATE_H
#define GLOW_LIB_PARTITION_MEMORYESTIMATE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace glow {

/// The stored bytes of a tensor; the largest number for a tensor whose type is
/// not static.
uint64_t tensorBytes(mlir::Type type);

/// The least memory in which a device can run some nodes: the values that they
/// read and save, and the results of the largest node.
class MemoryEstimate {
public:
  /// Adds a node, or a save, after the nodes whose results it takes.
  void add(mlir::Operation &op);

  /// In bytes.
  uint64_t bytes() const { return stored + largest; }

private:
  void addStored(const void *name, mlir::Type type);

  llvm::DenseSet<mlir::Value> computed;
  llvm::DenseSet<const void *> known; ///< storage, and values from elsewhere
  uint64_t stored = 0, largest = 0;
};

} // namespace glow

#endif // GLOW_LIB_PARTITION_MEMORYESTIMATE_H
