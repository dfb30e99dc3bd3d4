//===- CallText.h - how a function is called, for people --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_CALLTEXT_H
#define GLOW_IR_CALLTEXT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace glow::ir {

/// A call of a function of nodes, or of instructions.
struct FunctionCall {
  mlir::Operation *caller; ///< the branch or the loop
  /// "the branch of 'n' for true", "each of at most 9 trips of 'n'".
  std::string text;
};

/// The most times that a run calls the functions of a module, and of the
/// modules in it.
class CallCounts {
public:
  explicit CallCounts(mlir::ModuleOp module);

  /// The product of the counts of the loops around a function, where one
  /// without a count has one trip.
  double mostOf(mlir::Operation *function);

private:
  /// By the module of a function, and its name.
  using Name = std::pair<mlir::Operation *, llvm::StringRef>;
  llvm::DenseMap<Name, llvm::SmallVector<mlir::Operation *, 1>> callers;
  llvm::DenseMap<mlir::Operation *, double> known;
};

/// The calls of a function in its module, in order; empty for an entry.
llvm::SmallVector<FunctionCall> callsTo(mlir::Operation *function);

} // namespace glow::ir

#endif // GLOW_IR_CALLTEXT_H
