//===- CompileTimeValues.h - values that no input changes -------*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_COMPILETIMEVALUES_H
#define GLOW_LIB_IMPORTER_COMPILETIMEVALUES_H

#include "ModuleStorage.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// Evaluates the shape arithmetic of exporters while nodes are imported. Every
/// node is looked at once. Nodes must not be erased meanwhile.
class CompileTimeValues {
public:
  explicit CompileTimeValues(const ModuleStorage &storage) : storage(storage) {}

  /// What keeps a value from being known: an operation that it depends on. Null
  /// when it depends on constants only.
  mlir::Operation *unknownSource(mlir::Value value);

  /// The value. Fails, with a message that follows the value's name, unless it
  /// depends on constants only and the backend of `NodeEvaluator` can compute
  /// it in 64 MiB a tensor.
  Result<mlir::ElementsAttr> evaluate(mlir::Value value);

private:
  using Values = llvm::SmallVector<mlir::ElementsAttr, 1>;

  mlir::Operation *ownSource(mlir::Operation *op) const;
  Result<Values> compute(mlir::Operation *op) const;

  const ModuleStorage &storage;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> sources;
  llvm::DenseMap<mlir::Operation *, Values> values;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_COMPILETIMEVALUES_H
