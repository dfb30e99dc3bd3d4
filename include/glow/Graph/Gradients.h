//===- Gradients.h - the gradients of nodes, from the records -*- C++ -*-===//
//
// A gradient is a tensor of the type of the value that it belongs to: how much
// a number computed further on grows as each element of the value does.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_GRADIENTS_H
#define GLOW_GRAPH_GRADIENTS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <span>

namespace glow {

/// The gradients of a node's operands, while generated code makes them.
class OperandGradients {
public:
  explicit OperandGradients(mlir::Operation *node)
      : values(node->getNumOperands()), leftOut(node->getNumOperands()) {}

  /// `place` is where the values of an operand of the record stand and how many
  /// they are: none for an absent one.
  void set(std::pair<unsigned, unsigned> place, mlir::ValueRange gradients);
  /// Says that the record takes an operand as a constant.
  void leaveOut(std::pair<unsigned, unsigned> place);

  llvm::SmallVector<mlir::Value> values; ///< null where none flows
  llvm::BitVector leftOut;
};

/// Gives an operand what another node has for one of its own, where both are.
void passOn(const OperandGradients &from, std::pair<unsigned, unsigned> there,
            OperandGradients &to, std::pair<unsigned, unsigned> here);

/// A row of the generated table. `source` says where the gradient comes from:
/// "given", "formula", "compute", "linear", "lowering", "refused" or "nothing",
/// when no gradient flows through the node.
struct GradientInfo {
  const char *node; ///< with the dialect: "glow.conv"
  const char *source;
  const char *reason; ///< why it is refused
  /// One gradient for each result goes in. Fails after an error at the node.
  llvm::LogicalResult (*build)(mlir::OpBuilder &, mlir::Operation *node,
                               llvm::ArrayRef<mlir::Value> ofResults,
                               OperandGradients &ofOperands);
};

void registerGradients(std::span<const GradientInfo> table);
const GradientInfo *findGradient(llvm::StringRef node);

/// Builds, at the builder's place, the gradients of a node's operands from
/// those of its results; null for a result that nothing depends on. Only
/// operands of a float kind have one. Fails after an error at the node when it
/// cannot be differentiated.
mlir::FailureOr<OperandGradients>
buildGradients(mlir::OpBuilder &builder, mlir::Operation *node,
               llvm::ArrayRef<mlir::Value> ofResults);

/// The gradients of values on the way back through nodes. What comes to a value
/// from several places is summed.
class GradientSums {
public:
  /// A null gradient adds nothing. Fails after an error.
  llvm::LogicalResult add(mlir::OpBuilder &builder, mlir::Location location,
                          mlir::Value value, mlir::Value gradient);

  /// Adds to the operands of nodes, each of which stands after those that it
  /// reads from, what comes from their results. Fails after an error.
  llvm::LogicalResult flowBack(mlir::OpBuilder &builder,
                               llvm::ArrayRef<mlir::Operation *> nodes);

  /// Null where none came.
  mlir::Value of(mlir::Value value) const { return sums.lookup(value); }
  mlir::Value take(mlir::Value value);

private:
  llvm::DenseMap<mlir::Value, mlir::Value> sums;
};

/// Remembers the nodes that a builder makes while it lives, and goes back
/// through them by the chain rule.
class Tape : mlir::OpBuilder::Listener {
public:
  explicit Tape(mlir::OpBuilder &builder);
  ~Tape() override;

  /// `results`, made from the operands of `node`, stand for its results.
  llvm::LogicalResult rewind(mlir::Operation *node,
                             llvm::ArrayRef<mlir::Value> results,
                             llvm::ArrayRef<mlir::Value> ofResults,
                             OperandGradients &ofOperands);

private:
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint from) override;
  void stop();

  mlir::OpBuilder &builder;
  mlir::OpBuilder::Listener *before; ///< hears of everything as well
  llvm::SmallVector<mlir::Operation *> made;
};

} // namespace glow

#endif // GLOW_GRAPH_GRADIENTS_H
