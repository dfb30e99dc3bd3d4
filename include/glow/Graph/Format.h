//===- Format.h - how nodes are written -----------------------*- C++ -*-===//
//
//   %conv1 = glow.conv %x, %filter, none strides [1, 1] group 1
//       : (tensor<1x3x8x8xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x6x6xf32>
//
// Operands stand in the order of the record, and so do the attributes, each
// after its name. An absent operand is `none`, or is left out where all behind
// it are; a variadic one is in brackets where another may be absent. What the
// result is called is kept as the name of the node's location.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_FORMAT_H
#define GLOW_GRAPH_FORMAT_H

#include "glow/Graph/AttributeForm.h"
#include "mlir/IR/OpImplementation.h"

namespace glow {

/// Reads and prints a value of an attribute: `[1, 1]`, `1`, `"edge"`, `f32`.
mlir::ParseResult parseValue(mlir::OpAsmParser &parser, AttributeForm form,
                             mlir::Attribute &value);
void printValue(mlir::OpAsmPrinter &printer, mlir::Attribute value);

/// Reads and prints a node as its NodeInfo says, behind its name.
mlir::ParseResult parseNode(mlir::OpAsmParser &parser,
                            mlir::OperationState &state);
void printNode(mlir::OpAsmPrinter &printer, mlir::Operation *node);

struct NodeInfo;
/// How many values each operand of a node's record has.
llvm::SmallVector<int32_t> sizesOfOperands(const NodeInfo &info,
                                           mlir::Operation *node);

/// The name in a location: the model's, or that of the value in text; empty if
/// it has none.
llvm::StringRef nameIn(mlir::Location location);
/// Gives the location of what is read the name of its result; a number is none.
void keepName(mlir::OpAsmParser &parser, mlir::OperationState &state);
/// Names the results by the name of the location, else by `otherwise`.
void nameResults(mlir::Operation *op, mlir::OpAsmSetValueNameFn setName,
                 llvm::StringRef otherwise = "");

} // namespace glow

#endif // GLOW_GRAPH_FORMAT_H
