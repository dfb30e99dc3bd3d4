//===- Format.cpp - how attributes of nodes are written -------------------===//

#include "glow/Graph/Format.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

ParseResult glow::parseInt(OpAsmParser &parser, IntegerAttr &value) {
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  value = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}
void glow::printInt(OpAsmPrinter &printer, Operation *, IntegerAttr value) {
  printer << value.getInt();
}

ParseResult glow::parseFlag(OpAsmParser &parser, BoolAttr &value) {
  StringRef word;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  if (word != "true" && word != "false")
    return parser.emitError(at, "expected true or false");
  value = parser.getBuilder().getBoolAttr(word == "true");
  return success();
}
void glow::printFlag(OpAsmPrinter &printer, Operation *, BoolAttr value) {
  printer << (value.getValue() ? "true" : "false");
}

ParseResult glow::parseReal(OpAsmParser &parser, FloatAttr &value) {
  return parser.parseAttribute(value, parser.getBuilder().getF64Type());
}
void glow::printReal(OpAsmPrinter &printer, Operation *, FloatAttr value) {
  printer.printAttributeWithoutType(value);
}

ParseResult glow::parseText(OpAsmParser &parser, StringAttr &value) {
  // Not as an attribute, which would take the node's `:` for its own type.
  std::string text;
  if (parser.parseString(&text))
    return failure();
  value = parser.getBuilder().getStringAttr(text);
  return success();
}
void glow::printText(OpAsmPrinter &printer, Operation *, StringAttr value) {
  printer.printAttributeWithoutType(value);
}

ParseResult glow::parseFormula(OpAsmParser &parser, FormulaAttr &value) {
  return FormulaAttr::parseText(parser, value);
}
void glow::printFormula(OpAsmPrinter &printer, Operation *, FormulaAttr value) {
  value.printText(printer);
}

ParseResult glow::parseInts(OpAsmParser &parser, DenseI64ArrayAttr &value) {
  SmallVector<int64_t> numbers;
  auto parseOne = [&]() -> ParseResult {
    return parser.parseInteger(numbers.emplace_back());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne))
    return failure();
  value = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}
void glow::printInts(OpAsmPrinter &printer, Operation *,
                     DenseI64ArrayAttr value) {
  printer << "[";
  llvm::interleaveComma(value.asArrayRef(), printer.getStream());
  printer << "]";
}

ParseResult glow::parseReals(OpAsmParser &parser, DenseF64ArrayAttr &value) {
  SmallVector<double> numbers;
  auto parseOne = [&]() -> ParseResult {
    FloatAttr number;
    if (parser.parseAttribute(number, parser.getBuilder().getF64Type()))
      return failure();
    numbers.push_back(number.getValueAsDouble());
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseOne))
    return failure();
  value = parser.getBuilder().getDenseF64ArrayAttr(numbers);
  return success();
}
void glow::printReals(OpAsmPrinter &printer, Operation *op,
                      DenseF64ArrayAttr value) {
  Builder builder(op->getContext());
  printer << "[";
  llvm::interleaveComma(value.asArrayRef(), printer, [&](double number) {
    printer.printAttributeWithoutType(builder.getF64FloatAttr(number));
  });
  printer << "]";
}

ParseResult glow::parseKind(OpAsmParser &parser, TypeAttr &value) {
  Type type;
  if (parser.parseType(type))
    return failure();
  value = TypeAttr::get(type);
  return success();
}
void glow::printKind(OpAsmPrinter &printer, Operation *, TypeAttr value) {
  printer << value.getValue();
}
