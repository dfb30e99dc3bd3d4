//===- Evaluator.h - evaluation of nodes with known operands ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_EVALUATOR_H
#define GLOW_GRAPH_EVALUATOR_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/DialectInterface.h"

namespace glow {

/// Computes nodes at compile time with the interpreter's kernels. A program
/// that links kernels attaches it to the dialect, so that no phase depends on a
/// backend.
class NodeEvaluator : public mlir::DialectInterface::Base<NodeEvaluator> {
public:
  explicit NodeEvaluator(mlir::Dialect *dialect) : Base(dialect) {}

  using ValueOf = llvm::function_ref<mlir::ElementsAttr(mlir::Value)>;

  /// Returns the results of the last node of `nodes`, which are in topological
  /// order. `valueOf` gives the operands that no node of the list makes. Fails,
  /// after an error at the node, if a result cannot be computed.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::ElementsAttr>>
  evaluate(llvm::ArrayRef<mlir::Operation *> nodes, ValueOf valueOf) const = 0;

  /// Whether the node only repeats elements of its single operand, or has no
  /// operand and fills its result from attributes. The result may then be large
  /// although it holds little information.
  virtual bool repeats(mlir::Operation *node) const = 0;

  /// Whether the node only moves elements and changes none. The moved elements
  /// are those of operands whose kind is that of the results.
  virtual bool moves(mlir::Operation *node) const = 0;

  /// The evaluator of the dialect in this context; null if none is attached.
  static const NodeEvaluator *of(mlir::MLIRContext *context);
};

} // namespace glow

#endif // GLOW_GRAPH_EVALUATOR_H
