//===- PartOrder.h - nodes of owners, as parts in order ---------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_PARTORDER_H
#define GLOW_LIB_PARTITION_PARTORDER_H

#include "FunctionSplitter.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// What runs each node, counted from 0. Nodes that are known to all of them are
/// not in it.
using Owners = llvm::DenseMap<mlir::Operation *, size_t>;

/// Nodes that one owner runs, without a break.
struct OwnedPart {
  size_t owner;
  Nodes nodes;
};

/// `nodes`, which are those of `owners` in their order, as parts in an order in
/// which they can run: few, and of two owners as few as can be.
llvm::SmallVector<OwnedPart> partsOf(llvm::ArrayRef<mlir::Operation *> nodes,
                                     const Owners &owners, size_t count);

/// Whether a node reads only constants and nodes without an owner, so that
/// each part which needs it may compute it.
bool readsOnlyKnown(mlir::Operation &node, mlir::SymbolTable &symbols,
                    const Owners &owners);

} // namespace glow

#endif // GLOW_LIB_PARTITION_PARTORDER_H
