//===- Updates.h - the nodes of optimizers ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_UPDATES_H
#define GLOW_COMPILER_AUTODIFF_UPDATES_H

#include "glow/Graph/Dialect.h"
#include "glow/Program/Training.h"

namespace glow {

/// The operands of an update. `rate`, and `steps`, the number of this step from
/// 1 on, are one number each of the kind of the weight.
struct UpdateOperands {
  mlir::Value weight, slope, rate, steps;
};

/// The ends of the names of the optimizer's states, which have the size of the
/// weight.
llvm::SmallVector<const char *> statesOf(const OptimizerRequest &how);

/// Builds the node of an optimizer. Its results are the next value of the
/// weight, and those of the states. Null after an error.
mlir::Operation *buildUpdate(mlir::OpBuilder &builder,
                             const OptimizerRequest &how,
                             const UpdateOperands &operands,
                             llvm::ArrayRef<mlir::Value> states);

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_UPDATES_H
