//===- ConstantMaker.h - constants that nodes read --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_CONSTANTMAKER_H
#define GLOW_LIB_QUANTIZATION_NODES_CONSTANTMAKER_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/SymbolTable.h"
#include <span>

namespace glow {

/// Where the next nodes are made, and the value for which they are.
struct InsertionPlace {
  mlir::OpBuilder builder;
  mlir::Location location;
  std::string name;

  /// Before a node. The name is that of the value, or of the storage that is
  /// read.
  InsertionPlace(mlir::Operation *node, mlir::Value value);

  /// The location of a node, with the name of the value and a suffix.
  mlir::Location named(llvm::StringRef suffix);
};

/// Declares constants of a module, and reads them.
class ConstantMaker {
public:
  mlir::Value make(InsertionPlace &place, llvm::StringRef suffix,
                   ElementKind kind, mlir::ArrayRef<int64_t> shape,
                   std::string bytes);
  mlir::Value floats(InsertionPlace &place, llvm::StringRef suffix,
                     mlir::ArrayRef<int64_t> shape,
                     std::span<const float> values);

  /// The elements of a constant that was made.
  static mlir::ElementsAttr elementsOf(mlir::Value constant);

private:
  mlir::SymbolTableCollection symbols;
};

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_CONSTANTMAKER_H
