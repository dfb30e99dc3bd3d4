//===- CallGradients.h - gradients of branches and loops ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_CALLGRADIENTS_H
#define GLOW_COMPILER_AUTODIFF_CALLGRADIENTS_H

#include "Backward.h"

namespace glow {

/// The reason that a node of control flow has no gradient; empty if it has one.
std::string faultOfCall(mlir::Operation *call);

/// Builds the gradients of the operands of a node of control flow, one for
/// each, null where none flows. `ofResults` has a null for each result that
/// nothing depends on. A loop may be replaced by one that keeps the values
/// which its gradient reads. Fails after an error.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
gradientsOfCall(mlir::OpBuilder &builder, BackwardPass &pass,
                mlir::Operation *call, llvm::ArrayRef<mlir::Value> ofResults);

/// The gradients of a branch.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
gradientsOfIf(mlir::OpBuilder &builder, BackwardPass &pass, IfOp branch,
              llvm::ArrayRef<mlir::Value> ofResults);

/// The gradients of a loop with a count.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
gradientsOfLoop(mlir::OpBuilder &builder, BackwardPass &pass, LoopOp loop,
                llvm::ArrayRef<mlir::Value> ofResults);

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_CALLGRADIENTS_H
