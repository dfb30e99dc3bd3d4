//===- Missing.h - nodes without a gradient ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_MISSING_H
#define GLOW_COMPILER_AUTODIFF_MISSING_H

#include "glow/Graph/Dialect.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace glow {

/// Nodes of a backward pass that have no gradient, for one error about all.
class MissingGradients {
public:
  /// `active` are the values that depend on a weight.
  MissingGradients(SaveOp loss, const llvm::DenseSet<mlir::Value> &active)
      : loss(loss), active(active) {}

  void add(mlir::Operation *node, std::string reason) {
    missing.emplace_back(node, std::move(reason));
  }

  /// Fails after an error if a node was added. Notes list the nodes in the
  /// order of the function, each with the path from the loss to a weight.
  llvm::LogicalResult report(PlaceholderOp output) const;

private:
  std::string pathThrough(mlir::Operation *node) const;

  SaveOp loss;
  const llvm::DenseSet<mlir::Value> &active;
  llvm::SmallVector<std::pair<mlir::Operation *, std::string>> missing;
};

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_MISSING_H
