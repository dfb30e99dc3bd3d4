//===- BufferText.cpp - types of buffers in the text of a function --------===//
// SPDX-License-Identifier: MIT

#include "Text.h"
#include "glow/Graph/FormulaAttr.h"
#include "glow/IR/BufferLengths.h"
#include "glow/IR/Names.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace glow::ir;

std::vector<glow::Length> glow::ir::lengthsOf(BufferType type) {
  auto lengths =
      dyn_cast_or_null<glow::LengthsAttr>(type.getTensor().getEncoding());
  return lengths ? lengths.lengths() : std::vector<glow::Length>();
}

//===----------------------------------------------------------------------===//
// Element kinds
//===----------------------------------------------------------------------===//

static std::vector<StringRef> kindNames() {
  return {"float",     "float16",    "bfloat16", "double",     "i8",
          "i16",       "i32",        "i64",      "u8",         "u16",
          "u32",       "u64",        "bool",     "i4",         "u4",
          "f8E4M3FN",  "f8E4M3FNUZ", "f8E5M2",   "f8E5M2FNUZ", "f4E2M1FN",
          "f8E8M0FNU", "i2",         "u2",       "f6E2M3FN",   "f6E3M2FN"};
}

static Type elementNamed(StringRef name, MLIRContext *context) {
  Builder builder(context);
  unsigned width = 0;
  if (name == "float")
    return builder.getF32Type();
  if (name == "float16")
    return builder.getF16Type();
  if (name == "bfloat16")
    return builder.getBF16Type();
  if (name == "double")
    return builder.getF64Type();
  if (name == "bool")
    return builder.getI1Type();
  if (name == "f8E4M3FN")
    return Float8E4M3FNType::get(context);
  if (name == "f8E4M3FNUZ")
    return Float8E4M3FNUZType::get(context);
  if (name == "f8E5M2")
    return Float8E5M2Type::get(context);
  if (name == "f8E5M2FNUZ")
    return Float8E5M2FNUZType::get(context);
  if (name == "f4E2M1FN")
    return Float4E2M1FNType::get(context);
  if (name == "f8E8M0FNU")
    return Float8E8M0FNUType::get(context);
  if (name == "f6E2M3FN")
    return Float6E2M3FNType::get(context);
  if (name == "f6E3M2FN")
    return Float6E3M2FNType::get(context);
  if (name.size() > 1 && !name.drop_front().getAsInteger(10, width))
    return name.front() == 'u' ? builder.getIntegerType(width, false)
                               : builder.getIntegerType(width);
  return {};
}

/// The name of an element kind, or none if it has no name here.
static StringRef nameOfKind(Type element) {
  static const std::vector<StringRef> names = kindNames();
  for (StringRef name : names)
    if (elementNamed(name, element.getContext()) == element)
      return name;
  return {};
}

//===----------------------------------------------------------------------===//
// Quantised elements
//===----------------------------------------------------------------------===//

static quant::UniformQuantizedType
quantized(Type storage, double scale, int64_t zeroPoint,
          llvm::function_ref<InFlightDiagnostic()> emitError) {
  bool isSigned = storage.isSignlessInteger();
  unsigned width = storage.getIntOrFloatBitWidth();
  using quant::QuantizedType;
  return quant::UniformQuantizedType::getChecked(
      emitError, isSigned ? quant::QuantizationFlags::Signed : 0,
      IntegerType::get(storage.getContext(), width),
      Float32Type::get(storage.getContext()), scale, zeroPoint,
      QuantizedType::getDefaultMinimumForInteger(isSigned, width),
      QuantizedType::getDefaultMaximumForInteger(isSigned, width));
}

/// The storage kind of a quantised element whose remaining parameters follow
/// from scale and offset; null for other elements.
static Type plainStorage(quant::UniformQuantizedType element) {
  Builder builder(element.getContext());
  unsigned width = element.getStorageTypeIntegralWidth();
  Type storage = element.isSigned() ? builder.getIntegerType(width)
                                    : builder.getIntegerType(width, false);
  auto fail = [&] { return emitError(builder.getUnknownLoc()); };
  bool plain = element == quantized(storage, element.getScale(),
                                    element.getZeroPoint(), fail);
  return plain && !nameOfKind(storage).empty() ? storage : Type();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The kind and the scaling: `float` and "", or `i8` and `S:1.000000e-01 O:3`.
static std::pair<StringRef, std::string> partsOf(Type element) {
  auto scaled = dyn_cast<quant::UniformQuantizedType>(element);
  if (!scaled)
    return {nameOfKind(element), ""};
  Type storage = plainStorage(scaled);
  if (!storage)
    return {};
  std::string text = "S:";
  llvm::raw_string_ostream stream(text);
  Builder builder(element.getContext());
  builder.getF64FloatAttr(scaled.getScale()).print(stream, true);
  stream << " O:" << scaled.getZeroPoint();
  return {nameOfKind(storage), text};
}

std::string glow::ir::textOf(BufferType type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto [kind, scaling] = partsOf(type.getElementType());
  if (kind.empty()) {
    stream << type;
    return text;
  }
  SmallVector<std::string> parts;
  if (!scaling.empty())
    parts.push_back(scaling);
  if (!type.getShape().empty()) {
    llvm::raw_string_ostream shape(parts.emplace_back());
    llvm::interleave(type.getShape(), shape, " x ");
  }
  if (auto lengths =
          dyn_cast_or_null<glow::LengthsAttr>(type.getTensor().getEncoding()))
    parts.push_back("\"" + lengths.getText().str() + "\"");
  if (type.getSpace())
    parts.push_back(type.getSpace().str());
  stream << kind << "<" << llvm::join(parts, ", ") << ">";
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// The parameters between the brackets, in this order; each may be absent.
struct Parameters {
  std::optional<std::pair<double, int64_t>> scaling;
  SmallVector<int64_t> shape;
  glow::LengthsAttr lengths;
  StringAttr space;
};
} // namespace

/// Reads the rest of `S:0.1 O:3` after the S.
static ParseResult parseScaling(OpAsmParser &parser, Parameters &parameters) {
  std::pair<double, int64_t> scaling;
  if (parser.parseColon() || parser.parseFloat(scaling.first) ||
      parser.parseKeyword("O") || parser.parseColon() ||
      parser.parseInteger(scaling.second))
    return failure();
  parameters.scaling = scaling;
  return success();
}

static ParseResult parseParameters(OpAsmParser &parser,
                                   Parameters &parameters) {
  if (parser.parseLess())
    return failure();
  if (succeeded(parser.parseOptionalGreater()))
    return success();
  do {
    StringRef word;
    if (*parser.getCurrentLocation().getPointer() == '"') {
      if (glow::LengthsAttr::parseText(parser, parameters.lengths))
        return failure();
      continue;
    }
    if (succeeded(parser.parseOptionalKeyword(&word))) {
      bool first = !parameters.scaling && parameters.shape.empty();
      if (word == "S" && first) {
        if (parseScaling(parser, parameters))
          return failure();
        continue;
      }
      parameters.space = parser.getBuilder().getStringAttr(word);
      break; // comes last
    }
    if (parser.parseDimensionList(parameters.shape, /*allowDynamic=*/false,
                                  /*withTrailingX=*/false))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseGreater();
}

ParseResult glow::ir::parseBuffer(OpAsmParser &parser, BufferType &type) {
  SMLoc start = parser.getCurrentLocation();
  auto emitError = [&] { return refuse(parser, start); };
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return parser.parseType(type);
  if (!llvm::is_contained(kindNames(), name)) {
    InFlightDiagnostic error = emitError()
                               << "'" << name << "' is no element kind";
    StringRef suggestion = nearest(name, kindNames());
    return suggestion.empty()
               ? error
               : error << ", did you mean '" << suggestion << "'";
  }
  Type element = elementNamed(name, parser.getContext());

  Parameters parameters;
  if (parseParameters(parser, parameters))
    return failure();
  if (parameters.scaling) {
    if (!isa<IntegerType>(element) || element.isInteger(1))
      return emitError() << "'" << name
                         << "' has a scale, but only i8 to u32 "
                            "are quantised";
    auto [scale, zeroPoint] = *parameters.scaling;
    element = quantized(element, scale, zeroPoint, emitError);
    if (!element)
      return failure();
  }
  auto tensor = RankedTensorType::getChecked(emitError, parameters.shape,
                                             element, parameters.lengths);
  if (!tensor)
    return failure();
  type = BufferType::getChecked(emitError, parser.getContext(), tensor,
                                parameters.space);
  return success(type != nullptr);
}
