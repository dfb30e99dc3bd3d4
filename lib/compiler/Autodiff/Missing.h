//===- Missing.h - nodes without a gradient ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_MISSING_H
#define GLOW_COMPILER_AUTODIFF_MISSING_H

#include "glow/Graph/Dialect.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace glow {

/// The surroundings of a node in a backward pass, from which a message has the
/// path of the node.
struct BackwardPlace {
  mlir::Operation *loss = nullptr;      ///< its save; null in a called function
  llvm::SmallVector<mlir::Value> ends;  ///< values whose gradients are given
  llvm::DenseSet<mlir::Value> active;   ///< values that depend on a weight
  const BackwardPlace *outer = nullptr; ///< of the call; null without one
  mlir::Operation *call = nullptr;      ///< node that calls the function
};

/// Nodes of a backward pass that have no gradient, for one error about all.
class MissingGradients {
public:
  /// Adds a node, with the path from the loss to a weight.
  void add(mlir::Operation *node, std::string reason,
           const BackwardPlace &place);

  /// Fails after an error if a node was added. Notes list the nodes in the
  /// order of the function.
  llvm::LogicalResult report(PlaceholderOp output) const;

private:
  struct Entry {
    mlir::Location location;
    std::string text;
  };
  llvm::SmallVector<Entry> missing;
};

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_MISSING_H
