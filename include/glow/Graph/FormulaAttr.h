//===- FormulaAttr.h - formulas as attributes -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// `#glow.formula<"mul(x0, x1); relu(t0)">`. The text form of nodes and
// instructions shows only the quoted text. The formula is parsed once, when the
// attribute is created.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_FORMULAATTR_H
#define GLOW_GRAPH_FORMULAATTR_H

#include "glow/Base/Ints.h"
#include "glow/Graph/Formula.h"
#include "glow/Program/Length.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"

namespace glow::detail {

struct FormulaAttrStorage : mlir::AttributeStorage {
  using KeyTy = llvm::StringRef;

  explicit FormulaAttrStorage(llvm::StringRef text);
  bool operator==(llvm::StringRef key) const { return key == text; }
  static llvm::hash_code hashKey(llvm::StringRef key) {
    return llvm::hash_value(key);
  }
  static FormulaAttrStorage *construct(mlir::AttributeStorageAllocator &memory,
                                       llvm::StringRef key) {
    return new (memory.allocate<FormulaAttrStorage>()) FormulaAttrStorage(key);
  }

  std::string text;
  Formula formula;
  std::string wrong;
};

/// The text is parsed once, when the attribute is created.
struct LengthsAttrStorage : mlir::AttributeStorage {
  using KeyTy = llvm::StringRef;

  explicit LengthsAttrStorage(llvm::StringRef text);
  bool operator==(llvm::StringRef key) const { return key == text; }
  static llvm::hash_code hashKey(llvm::StringRef key) {
    return llvm::hash_value(key);
  }
  static LengthsAttrStorage *construct(mlir::AttributeStorageAllocator &memory,
                                       llvm::StringRef key) {
    return new (memory.allocate<LengthsAttrStorage>()) LengthsAttrStorage(key);
  }

  std::string text;
  std::vector<Length> lengths;
  Ints extents;
  std::string wrong;
};

} // namespace glow::detail

#define GET_ATTRDEF_CLASSES
#include "glow/Graph/Attributes.h.inc"

#endif // GLOW_GRAPH_FORMULAATTR_H
