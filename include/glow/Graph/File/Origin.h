//===- Origin.h - nodes of the model's file that made a node ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_FILE_ORIGIN_H
#define GLOW_GRAPH_FILE_ORIGIN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace glow {

/// The node of a model's file that an operation is part of. An import for
/// changes (ImportOptions::isForChanges) gives one to each operation and to
/// each output that it makes; clones keep it.
struct Origin {
  llvm::StringRef output; ///< the first output of the node, which identifies
                          ///< it; "" for a node in a body or a function
  llvm::StringRef op;     ///< the operator
  llvm::ArrayRef<int64_t> inputs;  ///< by operand: the node's input; -1: none
  llvm::ArrayRef<int64_t> outputs; ///< by result: the node's output; -1: none
};

/// Nothing if the operation is new: it is not of the file.
std::optional<Origin> originOf(mlir::Operation *op);

void setOrigin(mlir::Operation *op, const Origin &origin);
void dropOrigin(mlir::Operation *op);

/// The number of the output of a node of the file that a value is; -1: none.
int64_t outputOfFile(mlir::OpResult value);

/// Whether two operations are parts of one node of the file.
bool areOfOneOperator(mlir::Operation *one, mlir::Operation *other);

/// Whether an operation is part of a node in a body or a function. The file
/// keeps such a node as it is.
bool isInner(mlir::Operation *op);

} // namespace glow

#endif // GLOW_GRAPH_FILE_ORIGIN_H
