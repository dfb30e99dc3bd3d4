//===- Backward.h - gradients from the end of a block to its begin -*- C++
//-*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_BACKWARD_H
#define GLOW_COMPILER_AUTODIFF_BACKWARD_H

#include "Dependences.h"
#include "Missing.h"
#include "glow/Graph/Gradients.h"

namespace glow {

/// The parts that all backward passes through a module share.
struct BackwardModule {
  explicit BackwardModule(mlir::ModuleOp module)
      : symbols(module), dependences(symbols) {}

  mlir::SymbolTable symbols;
  Dependences dependences;
  MissingGradients missing;
};

/// The nodes of a block between sources, by whose elements it is
/// differentiated, and ends, whose gradients are given.
class BackwardPass {
public:
  /// A pass through the function that saves `loss`.
  BackwardPass(BackwardModule &module, SaveOp loss);
  /// A pass through a function that `call`, a node of the pass `outer`, calls.
  BackwardPass(BackwardModule &module, const BackwardPass &outer,
               mlir::Operation *call);

  /// Finds the nodes of a block. False if no end depends on a source.
  bool findNodes(mlir::Block &block, llvm::ArrayRef<mlir::Value> sources,
                 llvm::ArrayRef<mlir::Value> ends);

  /// Builds gradients, given one gradient for each end. A node without a
  /// gradient is added to the missing ones of the module. Fails after an error.
  llvm::LogicalResult run(mlir::OpBuilder &builder,
                          llvm::ArrayRef<mlir::Value> ofEnds);

  bool isActive(mlir::Value value) const {
    return place.active.contains(value);
  }

  /// Notes a node without a gradient.
  void addMissing(mlir::Operation *node, std::string reason) {
    module.missing.add(node, std::move(reason), place);
  }

  BackwardModule &module;
  GradientSums sums;

private:
  void findActive(mlir::Block &block);
  bool collect(mlir::Operation *node, llvm::DenseSet<mlir::Value> &needed);
  llvm::LogicalResult visit(mlir::OpBuilder &builder, mlir::Operation *node);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  gradientsOf(mlir::OpBuilder &builder, mlir::Operation *node,
              llvm::ArrayRef<mlir::Value> ofResults);

  BackwardPlace place;
  llvm::SmallVector<mlir::Operation *> nodes; ///< the last one first
};

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_BACKWARD_H
