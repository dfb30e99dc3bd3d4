//===- PartOrder.h - nodes of owners, as parts in order ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_PARTORDER_H
#define GLOW_LIB_PARTITION_PARTORDER_H

#include "FunctionSplitter.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// The owner of each node, counted from 0. Nodes that every owner computes for
/// itself are not included.
using Owners = llvm::DenseMap<mlir::Operation *, size_t>;

/// Consecutive nodes of one owner.
struct OwnedPart {
  size_t owner;
  Nodes nodes;
};

/// Divides `nodes`, which are the keys of `owners` in their order, into parts
/// in an order in which they can run. The parts are few, and for two owners as
/// few as possible.
llvm::SmallVector<OwnedPart> partsOf(llvm::ArrayRef<mlir::Operation *> nodes,
                                     const Owners &owners, size_t count);

/// Whether a node reads only constants and nodes without an owner, so that each
/// part which needs it may compute it.
bool readsOnlyKnown(mlir::Operation &node, mlir::SymbolTable &symbols,
                    const Owners &owners);

} // namespace glow

#endif // GLOW_LIB_PARTITION_PARTORDER_H
