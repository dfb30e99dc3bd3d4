//===- NodeLoops.h - the loops of a node ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_NODELOOPS_H
#define GLOW_IR_NODELOOPS_H

#include "glow/Loops/Program.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <memory>

namespace glow::ir {

/// The types of a node's results, and of its operands behind them.
llvm::SmallVector<mlir::RankedTensorType> typesOf(mlir::Operation *node);

/// The loops of the instruction that a node would be, if its results and
/// operands had these types; its tensors are in their order. Null if the node
/// has no index notation on such types, or memory beside them.
std::unique_ptr<loops::Program>
loopsOfNode(mlir::Operation *node,
            llvm::ArrayRef<mlir::RankedTensorType> types);

} // namespace glow::ir

#endif // GLOW_IR_NODELOOPS_H
