//===- CompileTimeValues.h - values that no input changes -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_GRAPH_COMPILETIMEVALUES_H
#define GLOW_LIB_IMPORTER_GRAPH_COMPILETIMEVALUES_H

#include "ModuleStorage.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// Evaluates the shape arithmetic of exporters while nodes are imported. Every
/// node is visited once. Nodes must not be erased meanwhile.
class CompileTimeValues {
public:
  explicit CompileTimeValues(ModuleStorage &storage) : storage(storage) {}

  /// Whether the value depends on constants only.
  bool isConstant(mlir::Value value) {
    return !sourceOf(value, constantSources, false);
  }

  /// The operation that makes the value unknown: a source that it depends on.
  /// Null when the value depends only on constants and on inputs with given
  /// values, or is such an input.
  mlir::Operation *unknownSource(mlir::Value value) {
    if (onlyConstants)
      return sourceOf(value, constantSources, false);
    return storage.givenRead(value.getDefiningOp())
               ? nullptr
               : sourceOf(value, knownSources, true);
  }

  /// The value; inputs that it depends on are assumed to have their given
  /// values. Fails, with a message that follows the value's name, unless the
  /// value has no `unknownSource` and the backend of `NodeEvaluator` can
  /// compute it in 64 MiB a tensor.
  Result<mlir::ElementsAttr> evaluate(mlir::Value value);

  /// Whether values that a run gives count as unknown too.
  bool onlyConstants = false;

private:
  using Values = llvm::SmallVector<mlir::ElementsAttr, 1>;

  /// For each operation, the unknown operation that it depends on, or null.
  using Sources = llvm::DenseMap<mlir::Operation *, mlir::Operation *>;

  mlir::Operation *sourceOf(mlir::Value value, Sources &sources, bool given);
  mlir::Operation *ownSource(mlir::Operation *op, bool given) const;
  Result<Values> compute(mlir::Operation *op);

  ModuleStorage &storage;
  Sources constantSources, knownSources;
  llvm::DenseMap<mlir::Operation *, Values> values;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPH_COMPILETIMEVALUES_H
