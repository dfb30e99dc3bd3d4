//===- Text.h - parts of the text of a function -----------------*- C++ -*-===//

#ifndef GLOW_LIB_IR_TEXT_H
#define GLOW_LIB_IR_TEXT_H

#include "glow/IR/InstrInfo.h"
#include "glow/IR/Structure.h"
#include "mlir/IR/Diagnostics.h"

namespace glow::ir {

/// Begins an error at a place in the text, without the words that the parser
/// puts before its own.
inline mlir::InFlightDiagnostic refuse(mlir::OpAsmParser &parser,
                                       llvm::SMLoc where) {
  return mlir::emitError(parser.getEncodedSourceLoc(where));
}

/// Reads `float<8 x 28 x 1>` and the other forms of textOf(BufferType).
mlir::ParseResult parseBuffer(mlir::OpAsmParser &parser, BufferType &type);

/// Reads ` {group = 1, strides = [1, 1]}` against the record, which all must be
/// there but for those with a dot in the name. `where` is blamed for those that
/// are not.
mlir::ParseResult parseAttributes(mlir::OpAsmParser &parser,
                                  const InstrInfo &info, llvm::SMLoc where,
                                  mlir::NamedAttrList &attributes);

/// Prints what parseAttributes reads, in the order of the record.
void printAttributes(mlir::OpAsmPrinter &printer, const InstrInfo &info,
                     mlir::Operation *instr);

} // namespace glow::ir

#endif // GLOW_LIB_IR_TEXT_H
