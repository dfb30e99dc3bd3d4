//===- CallText.h - how a function is called, for people --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_CALLTEXT_H
#define GLOW_IR_CALLTEXT_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace glow::ir {

/// A call of a function of nodes, or of instructions.
struct FunctionCall {
  mlir::Operation *caller; ///< the branch or the loop
  /// "the branch of 'n' for true", "each of at most 9 trips of 'n'".
  std::string text;
};

/// The most times that a run calls a function: the product of the counts of the
/// loops around it, where one without a count has one trip.
double mostCallsOf(mlir::Operation *function);

/// The calls of a function in its module, in order; empty for an entry.
llvm::SmallVector<FunctionCall> callsTo(mlir::Operation *function);

} // namespace glow::ir

#endif // GLOW_IR_CALLTEXT_H
