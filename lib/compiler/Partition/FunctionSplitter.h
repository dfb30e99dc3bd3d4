//===- FunctionSplitter.h - one function into several -----------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_FUNCTIONSPLITTER_H
#define GLOW_LIB_PARTITION_FUNCTIONSPLITTER_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/SymbolTable.h"

namespace glow {

using Nodes = llvm::SmallVector<mlir::Operation *>;

/// Makes a function of each of `parts`, which run in this order; the function
/// itself is gone. A part has nodes in their order, and none that reads one of
/// a later part. Values go from one to the next in placeholders whose role is
/// "between"; a node of no part is made again in each that reads it, and so it
/// may read only constants and such nodes.
llvm::SmallVector<FuncOp> splitFunction(FuncOp source,
                                        mlir::SymbolTable &symbols,
                                        llvm::ArrayRef<Nodes> parts);

} // namespace glow

#endif // GLOW_LIB_PARTITION_FUNCTIONSPLITTER_H
