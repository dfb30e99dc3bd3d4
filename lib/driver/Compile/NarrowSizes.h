//===- NarrowSizes.h - the sizes of a module in a request -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_COMPILE_NARROWSIZES_H
#define GLOW_LIB_COMPILE_NARROWSIZES_H

#include "glow/Session/Session.h"
#include "mlir/IR/BuiltinOps.h"

namespace glow {

/// Restricts the size variables of a module, after any phase, to the sizes and
/// shapes of a request. A variable that the request does not mention keeps its
/// range. Conditions of the module that then hold for all runs are dropped.
///
/// Fails after a diagnostic, with the module in any state: a size or a range
/// that is not within that of the module, a condition that fails, a constant of
/// the greatest size.
mlir::LogicalResult narrowSizes(mlir::ModuleOp module,
                                const CompileRequest &request);

} // namespace glow

#endif // GLOW_LIB_COMPILE_NARROWSIZES_H
