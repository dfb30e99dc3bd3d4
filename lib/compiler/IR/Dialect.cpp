//===- Dialect.cpp - the instruction dialect and its buffer type ----------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/FormulaAttr.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/Verify.h"
#include "glow/IR/ControlFlow.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Scan.h"
#include "glow/IR/Structure.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace glow::ir;

#include "glow/IR/Dialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "glow/IR/StructureTypes.cpp.inc"

#include "glow/IR/StructureTable.cpp.inc"

static std::vector<void (*)(GlowIRDialect &)> &instrLists() {
  static std::vector<void (*)(GlowIRDialect &)> lists;
  return lists;
}

void glow::ir::registerInstrOps(void (*add)(GlowIRDialect &)) {
  instrLists().push_back(add);
}

void GlowIRDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "glow/IR/StructureTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "glow/IR/Structure.cpp.inc"
      >();
  registerInstrs(instrTable);
  registerInstrs(controlFlowInstrs());
  addOperations<ScanInstr>();
  registerInstrs(scanInstr());
  for (auto add : instrLists())
    add(*this);
}

uint64_t glow::ir::elementBytes(Type element) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    element = quantized.getStorageType();
  if (!element.isIntOrFloat())
    return 0;
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// The size of a buffer in bytes; nullopt if it exceeds a signed 64-bit
/// integer, the type of offsets.
static std::optional<uint64_t> sizeOf(RankedTensorType tensor) {
  int64_t bytes = elementBytes(tensor.getElementType());
  for (int64_t size : tensor.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

SmallVector<Type> glow::ir::tensorsOf(ValueRange buffers) {
  return llvm::map_to_vector(buffers, tensorOf);
}

uint64_t BufferType::bytes() const { return *sizeOf(getTensor()); }

LogicalResult
BufferType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   RankedTensorType tensor, StringAttr space) {
  if (!tensor.hasStaticShape())
    return emitError() << "a buffer of " << tensor
                       << " has no size; every dimension should be a number";
  if (tensor.getEncoding() && !isa<glow::LengthsAttr>(tensor.getEncoding()))
    return emitError() << "a buffer of " << tensor
                       << " has an encoding, but is dense and row-major";
  if (!kindOf(tensor.getElementType()))
    return emitError() << "elements of a buffer are " << tensor.getElementType()
                       << ", but should be numbers";
  if (!sizeOf(tensor))
    return emitError() << "a buffer of " << tensor
                       << " has more than 2^63 bytes";
  return success();
}

// !glowir.buf<4x8xf32, "[N, 8], N = 1..4", local>
Type BufferType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  StringAttr space;
  glow::LengthsAttr lengths;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return {};
  bool hasMore = succeeded(parser.parseOptionalComma());
  if (hasMore && *parser.getCurrentLocation().getPointer() == '"') {
    if (glow::LengthsAttr::parseText(parser, lengths))
      return {};
    hasMore = succeeded(parser.parseOptionalComma());
  }
  if (hasMore) {
    StringRef name;
    if (parser.parseKeyword(&name))
      return {};
    space = parser.getBuilder().getStringAttr(name);
  }
  if (parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(start); };
  auto tensor =
      RankedTensorType::getChecked(emitError, shape, element, lengths);
  if (!tensor)
    return {};
  return BufferType::getChecked(emitError, parser.getContext(), tensor, space);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t size : getShape())
    printer << size << "x";
  printer << getElementType();
  if (auto lengths =
          dyn_cast_or_null<glow::LengthsAttr>(getTensor().getEncoding())) {
    printer << ", ";
    lengths.printText(printer);
  }
  if (getSpace())
    printer << ", " << getSpace().getValue();
  printer << ">";
}
