//===- KnownValues.h - values that depend on constants ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_KNOWNVALUES_H
#define GLOW_LIB_QUANTIZATION_NODES_KNOWNVALUES_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace glow {

/// The values of a module that depend on no input of a run.
class KnownValues {
public:
  explicit KnownValues(mlir::ModuleOp module);

  /// Adds a constant that was made since.
  void add(mlir::Value value, mlir::ElementsAttr elements) {
    constants[value] = elements;
    order.try_emplace(value.getDefiningOp(), order.size());
  }

  bool varies(mlir::Value value) const { return !constants.contains(value); }

  /// The elements of a constant value of f32. Nothing if the value varies, is
  /// of another kind, or is not in the file.
  std::optional<std::vector<float>> floatsOf(mlir::Value value);

  /// The elements of a constant value; null under the same conditions, for any
  /// kind.
  mlir::ElementsAttr elementsOf(mlir::Value value);

private:
  /// The elements, which are null until they are needed.
  llvm::DenseMap<mlir::Value, mlir::ElementsAttr> constants;
  llvm::DenseMap<mlir::Operation *, size_t> order; ///< of constant nodes
};

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_KNOWNVALUES_H
