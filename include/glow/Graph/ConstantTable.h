//===- ConstantTable.h - the constant behind a value ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_CONSTANTTABLE_H
#define GLOW_GRAPH_CONSTANTTABLE_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// The constant that a tensor is read from. Null for any other tensor, and for
/// a constant whose data is absent from the file.
ConstantOp constantOf(mlir::Value tensor);

/// A cache of the module's constants for `constantOf`, which otherwise searches
/// the whole module; rewrites call it for every node. During its lifetime no
/// constant of the module may be erased or renamed; new constants are found.
/// Only the constructing thread uses it.
class ConstantTable {
public:
  explicit ConstantTable(mlir::ModuleOp module);
  ~ConstantTable();
  ConstantTable(const ConstantTable &) = delete;

private:
  friend ConstantOp constantOf(mlir::Value tensor);
  mlir::ModuleOp module;
  llvm::DenseMap<mlir::StringAttr, ConstantOp> constants;
  ConstantTable *before; ///< the enclosing table, restored at the end
};

} // namespace glow

#endif // GLOW_GRAPH_CONSTANTTABLE_H
