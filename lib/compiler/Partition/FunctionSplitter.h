//===- FunctionSplitter.h - one function into several -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_FUNCTIONSPLITTER_H
#define GLOW_LIB_PARTITION_FUNCTIONSPLITTER_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/SymbolTable.h"

namespace glow {

using Nodes = llvm::SmallVector<mlir::Operation *>;

/// Replaces a function by one function for each of `parts`, which run in this
/// order. A part has nodes in their order, and no node reads one of a later
/// part. Values pass between functions in placeholders whose role is "between".
/// A node outside of all parts is copied into each part that reads it; it may
/// read only constants and nodes outside of all parts. Fails if a node computes
/// a size: a part has the sizes of its inputs.
mlir::FailureOr<llvm::SmallVector<FuncOp>>
splitFunction(FuncOp source, mlir::SymbolTable &symbols,
              llvm::ArrayRef<Nodes> parts);

} // namespace glow

#endif // GLOW_LIB_PARTITION_FUNCTIONSPLITTER_H
