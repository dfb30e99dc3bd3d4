//===- Format.h - text format of nodes --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
//   %conv1 = glow.conv %x, %filter, none strides [1, 1] group 1
//       : (tensor<1x3x8x8xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x6x6xf32>
//
// Operands are in the order of the record, and so are the attributes, each
// after its name. An absent operand is `none`; absent operands at the end are
// omitted. A variadic operand is in brackets if another operand may be absent.
// The location of the node keeps the name of its result.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_FORMAT_H
#define GLOW_GRAPH_FORMAT_H

#include "glow/Graph/AttributeForm.h"
#include "mlir/IR/OpImplementation.h"

namespace glow {

/// Parses and prints an attribute value: `[1, 1]`, `1`, `"edge"`, `f32`.
mlir::ParseResult parseValue(mlir::OpAsmParser &parser, AttributeForm form,
                             mlir::Attribute &value);
void printValue(mlir::OpAsmPrinter &printer, mlir::Attribute value);

/// Parses and prints a node, after its name, in the format of its NodeInfo.
mlir::ParseResult parseNode(mlir::OpAsmParser &parser,
                            mlir::OperationState &state);
void printNode(mlir::OpAsmPrinter &printer, mlir::Operation *node);

struct NodeInfo;
/// Number of values of each operand of a node's record.
llvm::SmallVector<int32_t> sizesOfOperands(const NodeInfo &info,
                                           mlir::Operation *node);

/// The name in a location: that of the model, or that of the value in text.
/// Empty if the location has no name.
llvm::StringRef nameIn(mlir::Location location);
/// Puts the name of the first result of the parsed operation into its location.
/// A name of digits is ignored.
void keepName(mlir::OpAsmParser &parser, mlir::OperationState &state);
/// Names the first result by the location's name, else by `otherwise`.
void nameResults(mlir::Operation *op, mlir::OpAsmSetValueNameFn setName,
                 llvm::StringRef otherwise = "");

} // namespace glow

#endif // GLOW_GRAPH_FORMAT_H
