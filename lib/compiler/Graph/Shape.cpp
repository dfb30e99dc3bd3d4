//===- Shape.cpp - reading operand types by their signatures --------------===//
// SPDX-License-Identifier: MIT
//
// Functions that ClassGen's code calls to match a type with its signature, size
// by size. Each function reports errors in the words of the record, with the
// operand's name.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/Shape.h"
#include "glow/Graph/Build.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace glow;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::Twine;

std::string glow::valueText(int64_t value) { return std::to_string(value); }
std::string glow::valueText(bool value) { return value ? "true" : "false"; }
std::string glow::valueText(StringRef value) {
  return ("'" + value + "'").str();
}
std::string glow::valueText(mlir::Type kind) { return kindName(kind); }

std::string glow::valueText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

std::string glow::valueText(const Size &size) { return size.length().text(); }

template <typename List> static std::string listText(const List &values) {
  std::string text = "[";
  for (const auto &value : values)
    text += (text.size() > 1 ? ", " : "") + valueText(value);
  return text + "]";
}
std::string glow::valueText(const Ints &values) { return listText(values); }
std::string glow::valueText(const Reals &values) { return listText(values); }
std::string glow::valueText(const Sizes &sizes) { return listText(sizes); }

mlir::Type glow::storageOf(mlir::Type element) {
  auto quantised = llvm::dyn_cast<mlir::quant::QuantizedType>(element);
  if (!quantised)
    return element;
  // A quantised type stores its sign separately from its storage type.
  mlir::Type storage = quantised.getStorageType();
  if (quantised.isSigned() || !storage.isSignlessInteger())
    return storage;
  return mlir::IntegerType::get(element.getContext(),
                                storage.getIntOrFloatBitWidth(),
                                mlir::IntegerType::Unsigned);
}

bool glow::isQuantized(mlir::Type element) {
  return llvm::isa<mlir::quant::QuantizedType>(element);
}

mlir::Type glow::expressedOf(mlir::Type element) {
  if (auto quantised = llvm::dyn_cast<mlir::quant::QuantizedType>(element))
    return quantised.getExpressedType();
  return element;
}

mlir::Type glow::kindNamed(mlir::MLIRContext *context, StringRef name) {
  using namespace mlir;
  if (name == "bool")
    return IntegerType::get(context, 1);
  unsigned width = 0;
  if (name.starts_with("i") && !name.drop_front().getAsInteger(10, width))
    return IntegerType::get(context, width);
  if (name.starts_with("u") && !name.drop_front().getAsInteger(10, width))
    return IntegerType::get(context, width, IntegerType::Unsigned);
  return llvm::StringSwitch<mlir::Type>(name)
      .Case("f32", Float32Type::get(context))
      .Case("f16", Float16Type::get(context))
      .Case("bf16", BFloat16Type::get(context))
      .Case("f64", Float64Type::get(context))
      .Case("f8E4M3FN", Float8E4M3FNType::get(context))
      .Case("f8E4M3FNUZ", Float8E4M3FNUZType::get(context))
      .Case("f8E5M2", Float8E5M2Type::get(context))
      .Case("f8E5M2FNUZ", Float8E5M2FNUZType::get(context))
      .Case("f4E2M1FN", Float4E2M1FNType::get(context))
      .Case("f8E8M0FNU", Float8E8M0FNUType::get(context))
      .Case("f6E2M3FN", Float6E2M3FNType::get(context))
      .Case("f6E3M2FN", Float6E3M2FNType::get(context))
      .Default(mlir::Type());
}

std::string glow::kindName(mlir::Type element) {
  if (element.isInteger(1))
    return "bool";
  if (element.isUnsignedInteger())
    return "u" + std::to_string(element.getIntOrFloatBitWidth());
  if (element.isSignlessInteger())
    return "i" + std::to_string(element.getIntOrFloatBitWidth());
  // The printer would ask every dialect for aliases, which is slow.
  if (StringRef name = element.getAbstractType().getName();
      llvm::isa<mlir::FloatType>(element) && name.consume_front("builtin."))
    return name.str();
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return text;
}

/// The bits of a number's magnitude, and whether it has a sign.
static std::pair<unsigned, bool> precisionOf(mlir::Type kind) {
  if (auto real = llvm::dyn_cast<mlir::FloatType>(kind))
    return {real.getFPMantissaWidth(), true};
  unsigned width = kind.getIntOrFloatBitWidth();
  bool sign = width > 1 && !kind.isUnsignedInteger();
  return {width - sign, sign};
}

bool expr::holdsAll(mlir::Type narrow, mlir::Type wide) {
  if (narrow == wide)
    return true;
  if (!narrow.isIntOrFloat() || !wide.isIntOrFloat())
    return false;
  auto [bits, sign] = precisionOf(narrow);
  auto [wideBits, wideSign] = precisionOf(wide);
  if (expr::isFloat(narrow) && !expr::isFloat(wide))
    return false;
  // Of two floats, the exponent must fit too: f16 is not held by bf16.
  if (expr::isFloat(narrow) &&
      narrow.getIntOrFloatBitWidth() >= wide.getIntOrFloatBitWidth())
    return false;
  return bits <= wideBits && (!sign || wideSign);
}

double expr::largestOf(mlir::Type kind) {
  auto real = llvm::dyn_cast<mlir::FloatType>(storageOf(kind));
  if (!real)
    return 0;
  llvm::APFloat largest = llvm::APFloat::getLargest(real.getFloatSemantics());
  bool isInexact;
  largest.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return largest.convertToDouble();
}

double expr::lowestOf(mlir::Type kind) {
  if (isFloat(kind))
    return -std::numeric_limits<double>::infinity();
  auto [bits, sign] = precisionOf(storageOf(kind));
  return sign ? -std::ldexp(1.0, int(bits)) : 0.0;
}

static bool areWithin(const Reals &sizes, mlir::Type kind, double least) {
  if (!expr::isFloat(kind))
    return true;
  if (sizes.empty())
    return expr::bitsOf(kind) >= 32;
  return llvm::all_of(sizes, [&](double size) {
    size = std::abs(size); // NaN is in no range
    return size == 0 || (size >= least && size <= expr::largestOf(kind));
  });
}

bool expr::areNormal(const Reals &sizes, mlir::Type kind) {
  auto real = llvm::dyn_cast<mlir::FloatType>(storageOf(kind));
  if (!real)
    return true;
  int exponent = llvm::APFloat::semanticsMinExponent(real.getFloatSemantics());
  return areWithin(sizes, kind, std::ldexp(1.0, exponent));
}

bool expr::areFinite(const Reals &sizes, mlir::Type kind) {
  return areWithin(sizes, kind, 0);
}

OperandReader::OperandReader(Report report, std::string label,
                             StringRef signature, mlir::Type type)
    : report(report), label(std::move(label)), signature(signature.str()),
      type(llvm::cast<mlir::RankedTensorType>(type)),
      sizes(sizesOf(this->type)) {}

bool glow::isKindAmong(mlir::Type element,
                       std::initializer_list<StringRef> names) {
  return llvm::is_contained(names, kindName(storageOf(element)));
}

bool OperandReader::kind(mlir::Type &variable, StringRef name,
                         llvm::ArrayRef<StringRef> allowed) {
  mlir::Type element = type.getElementType();
  if (!variable) {
    variable = element;
    if (allowed.empty() ||
        llvm::is_contained(allowed, kindName(storageOf(element))))
      return true;
    report(label + " has element kind " + kindName(element) +
           ", but must have " + (allowed.size() > 1 ? "one of " : "") +
           llvm::join(allowed, ", "));
    return false;
  }
  // Quantised types that differ only in scale are of one kind: no shape depends
  // on a scale.
  if (storageOf(variable) == storageOf(element))
    return true;
  report(label + " has element kind " + kindName(element) + ", but " + name +
         " is " + kindName(variable));
  return false;
}

bool OperandReader::wrongRank() {
  report(label + " has rank " + Twine(type.getRank()) + ", but must be " +
         signature);
  return false;
}

bool OperandReader::next(Size &size) {
  if (position >= type.getRank())
    return wrongRank();
  size = sizes[size_t(position++)];
  return true;
}

bool OperandReader::same(const Size &size, StringRef text) {
  Size found;
  if (!next(found))
    return false;
  if (found == size)
    return true;
  // A literal is its own value, so the message does not repeat it.
  bool literal = !text.empty() && llvm::isDigit(text[0]);
  report(label + " dimension " + Twine(position - 1) + " is " +
         valueText(found) + ", but " +
         (literal ? "must be " + text : text + " is " + valueText(size)));
  return false;
}

bool OperandReader::rest(Sizes &rest, int64_t after, int64_t fewest,
                         int64_t most) {
  int64_t count = type.getRank() - position - after;
  if (count < fewest || count > most)
    return wrongRank();
  return take(rest, count);
}

bool OperandReader::skip(int64_t after) {
  Sizes skipped;
  return rest(skipped, after);
}

bool OperandReader::take(Sizes &taken, int64_t count) {
  if (count < 0 || count > type.getRank() - position) {
    report(label + " has rank " + Twine(type.getRank()) + ", so that axis " +
           Twine(count) + " is out of range");
    return false;
  }
  taken.assign(sizes.begin() + position, sizes.begin() + position + count);
  position += count;
  return true;
}

bool OperandReader::sameRest(const Sizes &rest, StringRef text) {
  Sizes found;
  if (expr::size(rest) > type.getRank() - position)
    return wrongRank();
  if (!take(found, expr::size(rest)))
    return false;
  if (found == rest)
    return true;
  report(label + " has sizes " + valueText(found) + ", but " + text + " is " +
         valueText(rest));
  return false;
}

bool OperandReader::end() { return position == type.getRank() || wrongRank(); }

Sizes glow::sizesOf(mlir::Attribute list) {
  auto lengths = llvm::dyn_cast_or_null<LengthsAttr>(list);
  if (!lengths)
    return list ? Sizes(Ints(
                      llvm::cast<mlir::DenseI64ArrayAttr>(list).asArrayRef()))
                : Sizes();
  Sizes result;
  for (const Length &length : lengths.lengths())
    result.push_back(Size(length));
  return result;
}

Sizes glow::sizesOf(mlir::RankedTensorType type) {
  mlir::Attribute lengths = type.getEncoding();
  return lengths ? sizesOf(lengths) : Sizes(Ints(type.getShape()));
}

llvm::ArrayRef<int64_t> glow::numbersOf(mlir::Attribute list) {
  auto lengths = llvm::dyn_cast_or_null<LengthsAttr>(list);
  if (!lengths)
    return llvm::cast<mlir::DenseI64ArrayAttr>(list).asArrayRef();
  for (const Length &length : lengths.lengths())
    (void)int64_t(Size(length));
  return lengths.extents();
}

mlir::RankedTensorType glow::rankedTensorOf(const Sizes &sizes,
                                            mlir::Type kind) {
  mlir::Attribute lengths;
  if (!sizes.areFixed())
    lengths = attributeOf(kind.getContext(), sizes);
  return mlir::RankedTensorType::get(sizes.extents(), kind, lengths);
}

LogicalResult glow::checkSizes(Report report) {
  if (!expr::hasOverflowed())
    return llvm::success();
  report("a size that its signature computes does not fit into 64 bits");
  return llvm::failure();
}

/// Whether the number of a tensor's bytes fits 64 bits.
static bool isCountable(const Ints &shape, mlir::Type kind) {
  Ints bytes = shape;
  bytes.push_back(std::max<int64_t>(expr::bitsOf(kind) / 8, 1));
  return checkedProduct(bytes).has_value();
}

mlir::Type glow::resultType(Report report, StringRef name, mlir::Type kind,
                            llvm::function_ref<Sizes()> sizes) {
  if (!kind) {
    report("result '" + name + "' has no element kind");
    return {};
  }
  expr::hasOverflowed() = false;
  const Sizes shape = sizes();
  if (expr::hasOverflowed()) {
    report("result '" + name +
           "' would have a size that does not fit into 64 bits");
    return {};
  }
  if (expr::size(shape) > highestRank) {
    report("result '" + name + "' would have rank " + Twine(expr::size(shape)) +
           ", but at most " + Twine(highestRank) + " is possible");
    return {};
  }
  for (auto [axis, size] : llvm::enumerate(shape))
    if (!(size >= 0)) {
      report("result '" + name + "' dimension " + Twine(axis) + " would be " +
             valueText(size));
      return {};
    }
  // Checked here for every result, so later counts of elements or bytes need no
  // check.
  if (!isCountable(shape.extents(), kind)) {
    report("result '" + name + "' of shape " + valueText(shape) +
           " would have more bytes than an integer can count");
    return {};
  }
  return rankedTensorOf(shape, kind);
}
