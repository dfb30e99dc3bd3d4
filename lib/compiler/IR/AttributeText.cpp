//===- AttributeText.cpp - attributes in the text of a function -----------===//
// SPDX-License-Identifier: MIT
//
// A value is written without its type, which the record states. The parser
// reads any attribute, so that a message can name its form, and then converts
// it to the form of the record.
//
//===----------------------------------------------------------------------===//

#include "glow/IR/AttributeText.h"
#include "Text.h"
#include "glow/Graph/FormulaAttr.h"
#include "glow/IR/Access.h"
#include "glow/IR/Names.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace glow;
using namespace glow::ir;

StringRef glow::ir::describe(AttributeForm form) {
  switch (form) {
  case AttributeForm::Int:
    return "an integer";
  case AttributeForm::Flag:
    return "true or false";
  case AttributeForm::Real:
    return "a real number";
  case AttributeForm::Text:
    return "a text in quotes";
  case AttributeForm::Ints:
    return "a list of integers";
  case AttributeForm::Reals:
    return "a list of real numbers";
  case AttributeForm::Kind:
    return "an element kind";
  case AttributeForm::Formula:
    return "a formula in quotes";
  }
  llvm_unreachable("a form has a description");
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static std::optional<int64_t> toInt(Attribute value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer || !integer.getType().isSignlessInteger(64))
    return std::nullopt;
  return integer.getInt();
}

static std::optional<double> toReal(Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValueAsDouble();
  if (std::optional<int64_t> integer = toInt(value))
    return static_cast<double>(*integer);
  return std::nullopt;
}

/// The elements of a list; nullopt if an element has another form.
template <typename Element>
static std::optional<SmallVector<Element>>
toList(ArrayAttr list, std::optional<Element> (*convert)(Attribute)) {
  if (!list)
    return std::nullopt;
  SmallVector<Element> elements;
  for (Attribute value : list) {
    std::optional<Element> element = convert(value);
    if (!element)
      return std::nullopt;
    elements.push_back(*element);
  }
  return elements;
}

/// The attribute in the form of the record; null if it cannot be converted.
static Attribute convert(Builder builder, AttributeForm form, Attribute value) {
  auto list = dyn_cast<ArrayAttr>(value);
  switch (form) {
  case AttributeForm::Int:
    return toInt(value) ? value : Attribute();
  case AttributeForm::Flag:
    return dyn_cast<BoolAttr>(value);
  case AttributeForm::Text:
    return dyn_cast<StringAttr>(value);
  case AttributeForm::Kind:
    return dyn_cast<TypeAttr>(value);
  case AttributeForm::Formula:
    return dyn_cast<FormulaAttr>(value);
  case AttributeForm::Real:
    if (std::optional<double> real = toReal(value))
      return builder.getF64FloatAttr(*real);
    return {};
  case AttributeForm::Ints:
    if (auto elements = toList<int64_t>(list, toInt))
      return builder.getDenseI64ArrayAttr(*elements);
    return isa<DenseI64ArrayAttr, LengthsAttr>(value) ? value : Attribute();
  case AttributeForm::Reals:
    if (auto elements = toList<double>(list, toReal))
      return builder.getDenseF64ArrayAttr(*elements);
    return dyn_cast<DenseF64ArrayAttr>(value);
  }
  llvm_unreachable("a form has a value");
}

static const AttributeInfo *find(const InstrInfo &info, StringRef name) {
  for (const AttributeInfo &attribute : info.attributes)
    if (name == attribute.name)
      return &attribute;
  return nullptr;
}

static ParseResult refuseUnknown(OpAsmParser &parser, const InstrInfo &info,
                                 SMLoc where, StringRef name) {
  InFlightDiagnostic error = refuse(parser, where);
  error << "'" << info.mnemonic << "' has no attribute '" << name << "'";
  std::vector<StringRef> names;
  for (const AttributeInfo &attribute : info.attributes)
    names.push_back(attribute.name);
  if (StringRef suggestion = nearest(name, names); !suggestion.empty())
    error << ", did you mean '" << suggestion << "'";
  return error;
}

/// Reads `group = 1`.
static ParseResult parseEntry(OpAsmParser &parser, const InstrInfo &info,
                              NamedAttrList &attributes) {
  SMLoc where = parser.getCurrentLocation();
  StringRef name;
  Attribute value;
  if (parser.parseKeyword(&name))
    return failure();
  const AttributeInfo *declared = find(info, name);
  if (!declared && !name.contains('.'))
    return refuseUnknown(parser, info, where, name);
  if (attributes.get(name))
    return refuse(parser, where) << "attribute '" << name << "' of '"
                                 << info.mnemonic << "' is given twice";
  if (parser.parseEqual())
    return failure();
  SMLoc start = parser.getCurrentLocation();
  if (declared && declared->form == AttributeForm::Formula) {
    FormulaAttr formula;
    if (FormulaAttr::parseText(parser, formula))
      return failure();
    value = formula;
  } else if (declared && declared->form == AttributeForm::Ints &&
             *start.getPointer() == '"') {
    LengthsAttr lengths;
    if (LengthsAttr::parseText(parser, lengths))
      return failure();
    value = lengths;
  } else if (parser.parseAttribute(value)) {
    return failure();
  }
  if (declared) {
    Attribute written = value;
    value = convert(parser.getBuilder(), declared->form, value);
    if (!value)
      return refuse(parser, start)
             << "attribute '" << name << "' of '" << info.mnemonic << "' is "
             << written << ", but should be " << describe(declared->form);
  }
  attributes.append(name, value);
  return success();
}

ParseResult glow::ir::parseAttributes(OpAsmParser &parser,
                                      const InstrInfo &info, SMLoc where,
                                      NamedAttrList &attributes) {
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalBraces, [&] {
        return parseEntry(parser, info, attributes);
      }))
    return failure();
  for (const AttributeInfo &attribute : info.attributes)
    if (!attributes.get(attribute.name))
      return refuse(parser, where)
             << "'" << info.mnemonic << "' needs the attribute '"
             << attribute.name << "', " << describe(attribute.form);
  return success();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printReal(OpAsmPrinter &printer, FloatAttr real) {
  // Infinities and NaNs print as bits, which need a type to be read as a
  // number.
  if (real.getValue().isFinite())
    printer.printAttributeWithoutType(real);
  else
    printer.printAttribute(real);
}

static void printValue(OpAsmPrinter &printer, Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return printReal(printer, real);
  if (auto integers = dyn_cast<DenseI64ArrayAttr>(value)) {
    printer << "[";
    llvm::interleaveComma(integers.asArrayRef(), printer);
    printer << "]";
    return;
  }
  if (auto reals = dyn_cast<DenseF64ArrayAttr>(value)) {
    printer << "[";
    Builder builder(value.getContext());
    llvm::interleaveComma(reals.asArrayRef(), printer, [&](double real) {
      printReal(printer, builder.getF64FloatAttr(real));
    });
    printer << "]";
    return;
  }
  if (auto formula = dyn_cast<FormulaAttr>(value))
    return formula.printText(printer);
  if (auto lengths = dyn_cast<LengthsAttr>(value))
    return lengths.printText(printer);
  printer.printAttributeWithoutType(value);
}

void glow::ir::printAttributes(OpAsmPrinter &printer, const InstrInfo &info,
                               Operation *instr) {
  bool first = true;
  auto begin = [&](StringRef name) {
    printer << (first ? " {" : ", ") << name << " = ";
    first = false;
  };
  for (const AttributeInfo &attribute : info.attributes) {
    if (Attribute value = instr->getAttr(attribute.name)) {
      begin(attribute.name);
      printValue(printer, value);
    }
  }
  for (NamedAttribute attribute : instr->getDiscardableAttrs()) {
    if (find(info, attribute.getName()))
      continue;
    begin(attribute.getName());
    printer << attribute.getValue();
  }
  if (!first)
    printer << "}";
}
