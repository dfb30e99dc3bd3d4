//===- ValueNames.h - names of values in a profile --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_VALUENAMES_H
#define GLOW_LIB_QUANTIZATION_NODES_VALUENAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace glow {

/// The names that values of a module have in a profile. An input has the name
/// of its port. The result of a node has the name that the model gives it, or
/// else that of the node's location or operator, with "[1]" for a second
/// result. Later values of the same name have "#2", "#3" behind it. Names
/// depend only on the module, so that two readers of a file agree on them.
class ValueNames {
public:
  explicit ValueNames(mlir::ModuleOp module);

  /// "" for a value that no node and no input gives.
  llvm::StringRef of(mlir::Value value) const;

  /// The value of a name; null if there is none.
  mlir::Value find(llvm::StringRef name) const;

  /// Whether a value of this name is an output of the same name.
  bool isOutput(llvm::StringRef name) const { return outputs.contains(name); }

  /// Gives the name of a value, if it has one, to the value that is there in
  /// its place.
  void replace(mlir::Value old, mlir::Value made);

private:
  void add(mlir::Value value, std::string name);

  llvm::DenseMap<mlir::Value, std::string> names;
  llvm::StringMap<mlir::Value> values;
  llvm::StringSet<> outputs;
};

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_VALUENAMES_H
