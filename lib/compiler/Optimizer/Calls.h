//===- Calls.h - edits of calls and called functions ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_OPTIMIZER_CALLS_H
#define GLOW_LIB_OPTIMIZER_CALLS_H

#include "glow/Graph/ControlFlow.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace glow {

/// A called function with its parameters and results at hand.
class CalledBody {
public:
  CalledBody(FuncOp function, mlir::SymbolTable &symbols);

  FuncOp function;

  /// The reads of each parameter; a parameter may have none.
  llvm::SmallVector<llvm::SmallVector<ReadOp, 1>> reads;
  /// The save of each result.
  llvm::SmallVector<SaveOp> saves;

  /// Inserts a parameter before the one of this index, or appends it; returns
  /// its value in the function.
  mlir::Value addParameter(llvm::StringRef name, mlir::Type type,
                           std::optional<size_t> index = std::nullopt);

  /// Erases a parameter without reads, or a result.
  void eraseParameter(size_t index);
  void eraseResult(size_t index);

  /// Moves a parameter behind all others.
  void moveParameterToEnd(size_t index);

private:
  mlir::SymbolTable &symbols;
};

/// Clones the nodes of a called function at the insertion point, on these
/// values of its parameters; returns its results.
llvm::SmallVector<mlir::Value> inlineCall(mlir::OpBuilder &builder,
                                          FuncOp function,
                                          mlir::ValueRange arguments);

/// The directions of sliced and stacked tensors, one for each.
llvm::SmallVector<int64_t> backwardsOf(LoopOp loop);

/// The operands and results of a loop, for one that replaces it.
struct LoopParts {
  explicit LoopParts(LoopOp loop);
  llvm::SmallVector<mlir::Type> results;
  llvm::SmallVector<mlir::Value> initial, sliced, captured;
  llvm::SmallVector<int64_t> backwards;
};

/// Builds a loop of these parts in front of `loop`, which it is like otherwise.
LoopOp rebuilt(LoopOp loop, const LoopParts &parts);

/// Moves a product of a slice and a matrix that no trip changes in front of a
/// loop, as one product for all trips. False if there is none.
bool hoistProduct(LoopOp loop, CalledBody &body,
                  const mlir::SymbolTable &symbols);

/// The value of a constant that an operation reads; null for any other value.
mlir::ElementsAttr constantValue(mlir::Value value,
                                 const mlir::SymbolTable &symbols);

} // namespace glow

#endif // GLOW_LIB_OPTIMIZER_CALLS_H
