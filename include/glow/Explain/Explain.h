//===- Explain.h - explanation of a model's lowering ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_EXPLAIN_EXPLAIN_H
#define GLOW_EXPLAIN_EXPLAIN_H

#include "glow/Backend/Backend.h"
#include "glow/Session/Session.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace glow {

/// Explains how each node of a partitioned module is lowered: each function is
/// lowered under observation. If the backend runs all nodes, the memory plan of
/// the module from `plan` follows. A null module, after errors that were
/// printed, fails with Code::Reported.
using PlannedModule = llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()>;
Result<Explanation> explain(mlir::ModuleOp divided, const BackendInfo &backend,
                            PlannedModule plan, bool json);

} // namespace glow

#endif // GLOW_EXPLAIN_EXPLAIN_H
