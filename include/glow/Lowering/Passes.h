//===- Passes.h - passes of the room Lowering -----------------*- C++ -*-===//

#ifndef GLOW_LOWERING_PASSES_H
#define GLOW_LOWERING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace glow {

#define GEN_PASS_DECL_LOWERFORBACKEND
#include "glow/Graph/Passes.h.inc"

/// Lowers `root` and what it becomes, as the pass does for a module. Reports
/// what the backend can neither run nor lower, one error a node.
mlir::LogicalResult lowerForBackend(mlir::Operation *root,
                                    llvm::StringRef backend);

} // namespace glow

#endif // GLOW_LOWERING_PASSES_H
