//===- Explain.h - what runs where, and why ---------------------*- C++ -*-===//

#ifndef GLOW_EXPLAIN_EXPLAIN_H
#define GLOW_EXPLAIN_EXPLAIN_H

#include "glow/Backend/Backend.h"
#include "glow/Session/Session.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace glow {

/// What becomes of the nodes of a module that has left the room Partition, each
/// function of which is lowered under observation. Where all of them run, the
/// plan is that of the module that `plan` gives; null after errors that were
/// printed, which fails with Code::Reported.
using PlannedModule = llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()>;
Result<Explanation> explain(mlir::ModuleOp divided, const BackendInfo &backend,
                            PlannedModule plan, bool json);

} // namespace glow

#endif // GLOW_EXPLAIN_EXPLAIN_H
