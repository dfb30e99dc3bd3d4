//===- Format.h - how attributes of nodes are written ---------*- C++ -*-===//
//
// The custom<...> directives that defs/Types.td names: `strides [1, 1]`,
// `group 1`, `mode "edge"`, `to f32`.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_FORMAT_H
#define GLOW_GRAPH_FORMAT_H

#include "glow/Graph/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

namespace glow {

#define GLOW_FORMAT(name, attribute)                                           \
  mlir::ParseResult parse##name(mlir::OpAsmParser &parser,                     \
                                mlir::attribute &value);                       \
  void print##name(mlir::OpAsmPrinter &printer, mlir::Operation *op,           \
                   mlir::attribute value);
GLOW_FORMAT(Int, IntegerAttr)
GLOW_FORMAT(Flag, BoolAttr)
GLOW_FORMAT(Real, FloatAttr)
GLOW_FORMAT(Text, StringAttr)
GLOW_FORMAT(Ints, DenseI64ArrayAttr)
GLOW_FORMAT(Reals, DenseF64ArrayAttr)
GLOW_FORMAT(Kind, TypeAttr)
#undef GLOW_FORMAT
mlir::ParseResult parseFormula(mlir::OpAsmParser &parser, FormulaAttr &value);
void printFormula(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  FormulaAttr value);

/// Checks that a read or a save names storage of its type, and a predicate
/// storage that has a bool for each index of dimension 0. `symbols` are those of
/// the module around it.
mlir::LogicalResult verifyStorageUse(mlir::Operation *op,
                                     const mlir::SymbolTable &symbols);

} // namespace glow

#endif // GLOW_GRAPH_FORMAT_H
