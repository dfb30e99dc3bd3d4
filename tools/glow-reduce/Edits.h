//===- Edits.h - ways to make a module smaller ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_REDUCE_EDITS_H
#define GLOW_TOOLS_REDUCE_EDITS_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include <span>

namespace glow::reduce {

using Operations = llvm::SmallVector<mlir::Operation *>;

/// One way to make a module smaller. Every edit keeps it valid, and leaves
/// fewer of its candidates, so that editing ends.
struct Edit {
  const char *name;
  /// The operations to which the edit may apply, in the module's order.
  Operations (*candidates)(mlir::ModuleOp);
  /// Applies it to some of the candidates at once.
  void (*apply)(mlir::ModuleOp, llvm::ArrayRef<mlir::Operation *>);
};

/// All edits, in the order of how much they remove, the largest first.
std::span<const Edit> allEdits();

/// Removes what has become useless: nodes, buffers and bindings that nothing
/// reads, and storage that nothing names. A buffer that is read before it is
/// written becomes an input.
void tidy(mlir::ModuleOp module);

/// Adds a placeholder with a name that the module does not have.
mlir::Operation *addPlaceholder(mlir::ModuleOp module,
                                glow::PlaceholderRole role, mlir::Type type);

/// The same for buffers; part of `tidy`.
void tidyInstrs(mlir::ModuleOp module);

/// The number of nodes and instructions of a module.
size_t sizeOf(mlir::ModuleOp module);

} // namespace glow::reduce

#endif // GLOW_TOOLS_REDUCE_EDITS_H
