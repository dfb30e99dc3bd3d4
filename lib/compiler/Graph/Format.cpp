//===- Format.cpp - text form of attributes -------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Format.h"
#include "glow/Graph/FormulaAttr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace glow;

static ParseResult parseFlag(OpAsmParser &parser, Attribute &value) {
  StringRef word;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  if (word != "true" && word != "false")
    return parser.emitError(at, "expected true or false");
  value = parser.getBuilder().getBoolAttr(word == "true");
  return success();
}

static ParseResult parseReal(OpAsmParser &parser, FloatAttr &value) {
  return parser.parseAttribute(value, parser.getBuilder().getF64Type());
}

/// Reads a list in brackets; `parseOne` reads each element.
template <typename Number>
static ParseResult
parseList(OpAsmParser &parser, SmallVectorImpl<Number> &numbers,
          llvm::function_ref<ParseResult(Number &)> parseOne) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
    return parseOne(numbers.emplace_back());
  });
}

ParseResult glow::parseValue(OpAsmParser &parser, AttributeForm form,
                             Attribute &value) {
  Builder &builder = parser.getBuilder();
  switch (form) {
  case AttributeForm::Int: {
    int64_t number = 0;
    ParseResult read = parser.parseInteger(number);
    value = builder.getI64IntegerAttr(number);
    return read;
  }
  case AttributeForm::Flag:
    return parseFlag(parser, value);
  case AttributeForm::Real: {
    FloatAttr number;
    ParseResult read = parseReal(parser, number);
    value = number;
    return read;
  }
  case AttributeForm::Text: {
    // Not parsed as an attribute, which would take the node's `:` for its own
    // type.
    std::string text;
    ParseResult read = parser.parseString(&text);
    value = builder.getStringAttr(text);
    return read;
  }
  case AttributeForm::Ints: {
    // A list of lengths is a text.
    if (parser.getCurrentLocation().getPointer()[0] == '"') {
      LengthsAttr lengths;
      ParseResult read = LengthsAttr::parseText(parser, lengths);
      value = lengths;
      return read;
    }
    SmallVector<int64_t> numbers;
    ParseResult read = parseList<int64_t>(parser, numbers, [&](int64_t &one) {
      return parser.parseInteger(one);
    });
    value = builder.getDenseI64ArrayAttr(numbers);
    return read;
  }
  case AttributeForm::Reals: {
    SmallVector<double> numbers;
    ParseResult read =
        parseList<double>(parser, numbers, [&](double &one) -> ParseResult {
          FloatAttr number;
          if (parseReal(parser, number))
            return failure();
          one = number.getValueAsDouble();
          return success();
        });
    value = builder.getDenseF64ArrayAttr(numbers);
    return read;
  }
  case AttributeForm::Kind: {
    Type type;
    if (parser.parseType(type))
      return failure();
    value = TypeAttr::get(type);
    return success();
  }
  case AttributeForm::Formula: {
    FormulaAttr formula;
    ParseResult read = FormulaAttr::parseText(parser, formula);
    value = formula;
    return read;
  }
  }
  llvm_unreachable("a form has a value");
}

void glow::printValue(OpAsmPrinter &printer, Attribute value) {
  auto printList = [&](auto elements, auto printOne) {
    printer << "[";
    llvm::interleaveComma(elements, printer, printOne);
    printer << "]";
  };
  llvm::TypeSwitch<Attribute>(value)
      .Case([&](DenseI64ArrayAttr list) {
        printList(list.asArrayRef(), [&](int64_t one) { printer << one; });
      })
      .Case([&](DenseF64ArrayAttr list) {
        Builder builder(value.getContext());
        printList(list.asArrayRef(), [&](double one) {
          printer.printAttributeWithoutType(builder.getF64FloatAttr(one));
        });
      })
      .Case([&](FormulaAttr formula) { formula.printText(printer); })
      .Case([&](LengthsAttr lengths) { lengths.printText(printer); })
      .Default(
          [&](Attribute other) { printer.printAttributeWithoutType(other); });
}
