//===- Evaluator.h - the value of a node whose operands are known -*- C++
//-*-===//

#ifndef GLOW_GRAPH_EVALUATOR_H
#define GLOW_GRAPH_EVALUATOR_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/DialectInterface.h"

namespace glow {

/// Computes nodes at compile time, by the interpreter's kernels. Attached to
/// the dialect by whoever has kernels, so that no room needs a backend.
class NodeEvaluator : public mlir::DialectInterface::Base<NodeEvaluator> {
public:
  explicit NodeEvaluator(mlir::Dialect *dialect) : Base(dialect) {}

  /// The results of `node` for these operands (absent optional ones left out).
  /// Fails, after an error at the node, when a value has no result.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::ElementsAttr>>
  evaluate(mlir::Operation *node,
           llvm::ArrayRef<mlir::ElementsAttr> operands) const = 0;

  /// Of the dialect in this context; null when nothing is attached.
  static const NodeEvaluator *of(mlir::MLIRContext *context);
};

} // namespace glow

#endif // GLOW_GRAPH_EVALUATOR_H
