//===- MemoryLimit.h - whether a model has room -----------------*- C++ -*-===//

#ifndef GLOW_LIB_PIPELINE_MEMORYLIMIT_H
#define GLOW_LIB_PIPELINE_MEMORYLIMIT_H

#include "mlir/IR/BuiltinOps.h"

namespace glow {

/// Fails, after one error, when the storage of a module of nodes, or a value
/// together with it, is larger than `limit` bytes.
mlir::LogicalResult checkTensorMemory(mlir::ModuleOp module, uint64_t limit);

/// Fails, after one error, when the planned memory of a function with all that
/// it declares is larger than `limit` bytes.
mlir::LogicalResult checkPlannedMemory(mlir::ModuleOp module, uint64_t limit);

} // namespace glow

#endif // GLOW_LIB_PIPELINE_MEMORYLIMIT_H
