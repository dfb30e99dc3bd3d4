//===- Evaluator.h - values of nodes whose operands are known ---*- C++ -*-===//

#ifndef GLOW_GRAPH_EVALUATOR_H
#define GLOW_GRAPH_EVALUATOR_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/DialectInterface.h"

namespace glow {

/// Computes nodes at compile time, by the interpreter's kernels. Attached to
/// the dialect by a program that has kernels, so that no room needs a backend.
class NodeEvaluator : public mlir::DialectInterface::Base<NodeEvaluator> {
public:
  explicit NodeEvaluator(mlir::Dialect *dialect) : Base(dialect) {}

  using ValueOf = llvm::function_ref<mlir::ElementsAttr(mlir::Value)>;

  /// The results of the last of `nodes`, which are in order. `valueOf` is asked
  /// for operands that none of them makes. Fails, after an error at the node,
  /// when a value has no result.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::ElementsAttr>>
  evaluate(llvm::ArrayRef<mlir::Operation *> nodes, ValueOf valueOf) const = 0;

  /// Whether the node does nothing but repeat elements of its only operand, or
  /// make of none what a few numbers say: such a result may be large and tells
  /// little.
  virtual bool repeats(mlir::Operation *node) const = 0;

  /// Whether the node only puts elements elsewhere, of which it changes none:
  /// those of operands that are of the kind of its results.
  virtual bool moves(mlir::Operation *node) const = 0;

  /// Of the dialect in this context; null when nothing is attached.
  static const NodeEvaluator *of(mlir::MLIRContext *context);
};

} // namespace glow

#endif // GLOW_GRAPH_EVALUATOR_H
