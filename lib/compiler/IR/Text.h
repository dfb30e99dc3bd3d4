//===- Text.h - parts of the text of a function -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IR_TEXT_H
#define GLOW_LIB_IR_TEXT_H

#include "glow/IR/InstrInfo.h"
#include "glow/IR/Structure.h"
#include "mlir/IR/Diagnostics.h"

namespace glow::ir {

/// Begins an error at a location in the text, without the parser's usual
/// prefix.
inline mlir::InFlightDiagnostic refuse(mlir::OpAsmParser &parser,
                                       llvm::SMLoc where) {
  return mlir::emitError(parser.getEncodedSourceLoc(where));
}

/// Reads `float<8 x 28 x 1>` and the other forms of textOf(BufferType).
mlir::ParseResult parseBuffer(mlir::OpAsmParser &parser, BufferType &type);

/// Reads ` {group = 1, strides = [1, 1]}` as the record's attributes. All of
/// them must be present except those with a dot in the name. Missing ones are
/// reported at `where`.
mlir::ParseResult parseAttributes(mlir::OpAsmParser &parser,
                                  const InstrInfo &info, llvm::SMLoc where,
                                  mlir::NamedAttrList &attributes);

/// Prints attributes in the form that parseAttributes reads, in record order.
void printAttributes(mlir::OpAsmPrinter &printer, const InstrInfo &info,
                     mlir::Operation *instr);

} // namespace glow::ir

#endif // GLOW_LIB_IR_TEXT_H
