//===- ConstantTable.h - the constant behind a value ------------*- C++ -*-===//

#ifndef GLOW_GRAPH_CONSTANTTABLE_H
#define GLOW_GRAPH_CONSTANTTABLE_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// The constant that a tensor is read from; null for any other tensor, and where
/// a file leaves out its data.
ConstantOp constantOf(mlir::Value tensor);

/// While it lives, `constantOf` does not go through the whole module: rewrites
/// ask for every node. None of the module's constants may be erased or renamed
/// meanwhile; new ones are found. For the thread that made it.
class ConstantTable {
public:
  explicit ConstantTable(mlir::ModuleOp module);
  ~ConstantTable();
  ConstantTable(const ConstantTable &) = delete;

private:
  friend ConstantOp constantOf(mlir::Value tensor);
  mlir::ModuleOp module;
  llvm::DenseMap<mlir::StringAttr, ConstantOp> constants;
  ConstantTable *before; ///< that this one stands in for
};

} // namespace glow

#endif // GLOW_GRAPH_CONSTANTTABLE_H
