//===- Gradients.h - the gradients of nodes, from the records -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A gradient is a tensor of the type of its value. It is the derivative of a
// later number with respect to each element of that value.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_GRADIENTS_H
#define GLOW_GRAPH_GRADIENTS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <span>

namespace glow {

/// The gradients of a node's operands, filled by generated code.
class OperandGradients {
public:
  explicit OperandGradients(mlir::Operation *node)
      : values(node->getNumOperands()), leftOut(node->getNumOperands()) {}

  /// Sets the gradients of an operand of the record. `place` is the index of
  /// its first value and the number of its values, 0 for an absent operand.
  void set(std::pair<unsigned, unsigned> place, mlir::ValueRange gradients);
  /// Marks an operand as a constant: the record gives it no gradient.
  void leaveOut(std::pair<unsigned, unsigned> place);

  llvm::SmallVector<mlir::Value> values; ///< null if no gradient flows
  llvm::BitVector leftOut;
};

/// Passes the gradient of an operand of one node on to an operand of another;
/// does nothing if either is absent.
void passOn(const OperandGradients &from, std::pair<unsigned, unsigned> there,
            OperandGradients &to, std::pair<unsigned, unsigned> here);

/// A row of the generated table. `source` names the origin of the gradient:
/// "given", "formula", "compute", "linear", "lowering", "refused" or "nothing".
/// The last one means that no gradient flows through the node.
struct GradientInfo {
  const char *node; ///< with the dialect: "glow.conv"
  const char *source;
  const char *reason; ///< the reason of a refusal
  /// Builds the gradients of the operands from one gradient for each result.
  /// Fails after an error at the node.
  llvm::LogicalResult (*build)(mlir::OpBuilder &, mlir::Operation *node,
                               llvm::ArrayRef<mlir::Value> ofResults,
                               OperandGradients &ofOperands);
};

void registerGradients(std::span<const GradientInfo> table);
const GradientInfo *findGradient(llvm::StringRef node);

/// Builds the gradients of a node's operands, at the builder's insertion point,
/// from the gradients of its results. A null gradient marks a result that
/// nothing depends on. Only operands of a float kind have gradients. Fails
/// after an error at the node if it cannot be differentiated.
mlir::FailureOr<OperandGradients>
buildGradients(mlir::OpBuilder &builder, mlir::Operation *node,
               llvm::ArrayRef<mlir::Value> ofResults);

/// The gradients of values in a backward pass through nodes. The gradients from
/// all uses of a value are summed.
class GradientSums {
public:
  /// Adds a gradient to the sum of `value`; a null gradient adds nothing. Fails
  /// after an error.
  llvm::LogicalResult add(mlir::OpBuilder &builder, mlir::Location location,
                          mlir::Value value, mlir::Value gradient);

  /// Adds the gradients of the operands of `nodes`, from the last node to the
  /// first. The nodes are in topological order. Fails after an error.
  llvm::LogicalResult flowBack(mlir::OpBuilder &builder,
                               llvm::ArrayRef<mlir::Operation *> nodes);

  /// The sum for a value; null if no gradient reached it.
  mlir::Value of(mlir::Value value) const { return sums.lookup(value); }
  mlir::Value take(mlir::Value value);

private:
  llvm::DenseMap<mlir::Value, mlir::Value> sums;
};

/// Records the nodes that a builder makes during its lifetime, and
/// differentiates them by the chain rule.
class Tape : mlir::OpBuilder::Listener {
public:
  explicit Tape(mlir::OpBuilder &builder);
  ~Tape() override;

  /// Builds the gradients of the operands of `node` from those of its results.
  /// `results`, computed from the same operands, stand for its results.
  llvm::LogicalResult rewind(mlir::Operation *node,
                             llvm::ArrayRef<mlir::Value> results,
                             llvm::ArrayRef<mlir::Value> ofResults,
                             OperandGradients &ofOperands);

private:
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint from) override;
  void stop();

  mlir::OpBuilder &builder;
  mlir::OpBuilder::Listener *before; ///< the builder's earlier listener, which
                                     ///< is still notified
  llvm::SmallVector<mlir::Operation *> made;
};

} // namespace glow

#endif // GLOW_GRAPH_GRADIENTS_H
