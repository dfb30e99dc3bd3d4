//===- ControlFlow.h - instructions that call functions -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_CONTROLFLOW_H
#define GLOW_IR_CONTROLFLOW_H

#include "glow/IR/InstrInfo.h"
#include "glow/IR/Structure.h"
#include "llvm/ADT/SmallVector.h"

namespace glow::ir {

/// The rows of `if` and `loop`.
std::span<const InstrInfo> controlFlowInstrs();

/// The names of the functions that an instruction calls, in the order of its
/// attributes; empty for other operations.
llvm::SmallVector<llvm::StringRef> calledBy(mlir::Operation *instr);

/// A function with the operations of one call of it.
struct CalledFunction {
  FuncOp function;
  mlir::Operation *call; ///< null for the entry
  unsigned step;         ///< number of `call`, by the numbers of `first`
  unsigned first, count; ///< number of the first instruction, and of all
};

/// The entry and all functions that it calls, directly or by others, in the
/// order of their instructions in a program: a call comes before the functions
/// that it calls, and each call has instructions of its own. Fails after a
/// report if a function calls itself or does not exist.
mlir::FailureOr<std::vector<CalledFunction>> callsOf(FuncOp entry);

/// The instructions of these functions, in order.
std::vector<mlir::Operation *> instrsOf(FuncOp entry);

} // namespace glow::ir

#endif // GLOW_IR_CONTROLFLOW_H
