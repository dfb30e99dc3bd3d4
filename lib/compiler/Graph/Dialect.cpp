//===- Dialect.cpp - the dialect of nodes and their storage ---------------===//
// SPDX-License-Identifier: MIT
//
// Nodes come from several libraries, perhaps one of a vendor: each registers a
// list before the dialect is created. The dialect rejects unknown attributes,
// since no other check would report a misspelled name.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/Dialect.h"
#include "glow/Base/MemorySize.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/HalfFactors.h"
#include "glow/Graph/LastReader.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Graph/Scan.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/Tile.h"
#include "glow/Values/Initial.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include <vector>

using namespace mlir;
using namespace glow;

#include "glow/Graph/Dialect.cpp.inc"

static ParseResult parseRole(OpAsmParser &parser, StringAttr &role) {
  StringRef word;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return mlir::failure();
  if (!choiceNamed<PlaceholderRole>(word)) {
    auto error = parser.emitError(at)
                 << "role is '" << word << "', but must be ";
    llvm::interleave(
        wordsOf(PlaceholderRole()), [&](const char *known) { error << known; },
        [&] { error << " or "; });
    return error;
  }
  role = parser.getBuilder().getStringAttr(word);
  return success();
}

static void printRole(OpAsmPrinter &printer, Operation *, StringAttr role) {
  printer << role.getValue();
}

/// The elements that a description of a weight has.
static FailureOr<ElementsAttr> initialElements(OpAsmParser &parser, SMLoc place,
                                               const std::string &text,
                                               uint64_t seed, int64_t fanIn,
                                               Type given) {
  auto type = llvm::dyn_cast<RankedTensorType>(given);
  std::optional<ElementKind> kind = type && type.hasStaticShape()
                                        ? kindOf(type.getElementType())
                                        : std::nullopt;
  if (!kind)
    return parser.emitError(place)
           << given << " is not a tensor of static shape with a known element "
           << "kind";
  const glow::TensorType wanted{
      *kind, Ints(type.getShape().begin(), type.getShape().end())};
  if (wanted.bytes() > defaultMemoryLimit())
    return parser.emitError(place)
           << sizeText(wanted.bytes()) << " are needed for elements of "
           << given << "; the limit is " << sizeText(defaultMemoryLimit());
  Result<glow::Tensor> made = initialTensor(wanted, text, seed, fanIn);
  if (!made)
    return parser.emitError(place) << made.status().message();
  auto owner = std::make_shared<glow::Tensor>(made.take());
  const ArrayRef<char> bytes(static_cast<const char *>(owner->data()),
                             size_t(wanted.bytes()));
  // Equal elements are one of the text.
  const size_t width = byteSize(*kind);
  if (bytes.size() > width && bytes.drop_front(width) == bytes.drop_back(width))
    return ElementsAttr(
        DenseElementsAttr::getFromRawBuffer(type, bytes.take_front(width)));
  return elementsOf(type, {bytes, owner}, "initial");
}

/// VALUE, or `initial` "TEXT" [`seed` INT] [`fan_in` INT] `:` TYPE.
static ParseResult parseConstantValue(OpAsmParser &parser,
                                      ElementsAttr &value) {
  const SMLoc place = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("initial")))
    return parser.parseAttribute(value);
  std::string text;
  uint64_t seed = 0;
  int64_t fanIn = 0;
  Type type;
  if (parser.parseString(&text) ||
      (succeeded(parser.parseOptionalKeyword("seed")) &&
       parser.parseInteger(seed)) ||
      (succeeded(parser.parseOptionalKeyword("fan_in")) &&
       parser.parseInteger(fanIn)) ||
      parser.parseColonType(type))
    return mlir::failure();
  FailureOr<ElementsAttr> elements =
      initialElements(parser, place, text, seed, fanIn, type);
  if (failed(elements))
    return mlir::failure();
  value = *elements;
  return success();
}

static void printConstantValue(OpAsmPrinter &printer, Operation *,
                               ElementsAttr value) {
  printer << value;
}

#define GET_ATTRDEF_CLASSES
#include "glow/Graph/Attributes.cpp.inc"

#define GET_OP_CLASSES
#include "glow/Graph/Storage.cpp.inc"

static std::vector<void (*)(GlowDialect &)> &nodeLists() {
  static std::vector<void (*)(GlowDialect &)> lists;
  return lists;
}

static std::vector<void (*)(DialectRegistry &)> &attachments() {
  static std::vector<void (*)(DialectRegistry &)> all;
  return all;
}

void glow::registerAttachment(void (*attach)(DialectRegistry &)) {
  attachments().push_back(attach);
}

void glow::addAttachments(DialectRegistry &registry) {
  for (auto attach : attachments())
    attach(registry);
}

void glow::registerNodes(void (*add)(GlowDialect &)) {
  nodeLists().push_back(add);
}

void GlowDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "glow/Graph/Storage.cpp.inc"
      >();
  addOperations<IfOp, LoopOp, ScanOp>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "glow/Graph/Attributes.cpp.inc"
      >();
  for (auto add : nodeLists())
    add(*this);
}

/// Checks the attribute that names the device or backend of a function, or of
/// the functions that a module holds.
static LogicalResult verifyPlace(Operation *op, Attribute place,
                                 StringRef what) {
  if (op->getName().stripDialect() != "func" && !llvm::isa<ModuleOp>(op))
    return op->emitOpError()
           << "has a " << what << ", but is neither a function nor a module";
  if (!llvm::isa<StringAttr>(place))
    return op->emitOpError() << "has the " << what << " " << place
                             << ", but it should be a name in quotes";
  return success();
}

FailureOr<int64_t> glow::tileSize(Operation *node, StringRef cut) {
  auto sizes = node->getAttrOfType<DictionaryAttr>(tileSizes);
  auto size = sizes ? sizes.getAs<IntegerAttr>(cut) : IntegerAttr();
  if (!size || !size.getType().isInteger(64) || size.getInt() < 1)
    return node->emitError()
           << "'" << node->getName() << "' is done in tiles, and should have '"
           << tileSizes << "' with a size '" << cut
           << "' of 1 or more, as tile-nodes gives it";
  return size.getInt();
}

LogicalResult GlowDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if ((attribute.getName() == lastReader || attribute.getName() == scalar) &&
      llvm::isa<ModuleOp>(op))
    return success();
  if (attribute.getName() == sizeConditions && llvm::isa<ModuleOp>(op) &&
      areConditions(attribute.getValue()))
    return success();
  if ((attribute.getName() == appendsTo || attribute.getName() == gradientOf ||
       attribute.getName() == nextOf) &&
      llvm::isa<StringAttr>(attribute.getValue()) &&
      llvm::isa<PlaceholderOp>(op))
    return success();
  if (attribute.getName() == stays && findNode(op->getName().getStringRef()))
    return success();
  if (attribute.getName() == tileSizes &&
      llvm::isa<DictionaryAttr>(attribute.getValue()) &&
      findNode(op->getName().getStringRef()))
    return success();
  if (attribute.getName() == givenBack &&
      llvm::isa<ArrayAttr>(attribute.getValue()) &&
      findNode(op->getName().getStringRef()))
    return success();
  if (attribute.getName() == exact &&
      llvm::isa<UnitAttr>(attribute.getValue()) &&
      (llvm::isa<PlaceholderOp, ScanOp>(op) ||
       findNode(op->getName().getStringRef()) ||
       op->getName().getDialectNamespace() == "glowir"))
    return success();
  if (attribute.getName() == halfFactors &&
      llvm::isa<UnitAttr>(attribute.getValue()) &&
      (findNode(op->getName().getStringRef()) ||
       op->getName().getDialectNamespace() == "glowir"))
    return success();
  if (attribute.getName() == ofDevice)
    return verifyPlace(op, attribute.getValue(), "device");
  if (attribute.getName() == ofBackend)
    return verifyPlace(op, attribute.getValue(), "backend");
  if (attribute.getName() != predicate)
    return op->emitOpError()
           << "has the attribute '" << attribute.getName().strref()
           << "', which means nothing";
  if (!findNode(op->getName().getStringRef()) &&
      op->getName().getDialectNamespace() != "glowir")
    return op->emitOpError() << "has a predicate, but is neither a node nor an "
                                "instruction";
  if (!llvm::isa<FlatSymbolRefAttr>(attribute.getValue()))
    return op->emitOpError() << "has the predicate " << attribute.getValue()
                             << ", but it should name a storage, as @mask";
  return success();
}

static LogicalResult checkType(Operation *op, Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || !kindOf(tensor.getElementType()))
    return op->emitOpError()
           << "type " << type
           << " is not a tensor of static shape with a known element kind";
  return success();
}

LogicalResult PlaceholderOp::verify() {
  if (failed(checkType(*this, getType())))
    return mlir::failure();
  size_t rank = llvm::cast<RankedTensorType>(getType()).getRank();
  if (getDimensions() && getDimensions()->size() != rank)
    return emitOpError() << getDimensions()->size()
                         << " dimensions have names, but the rank is " << rank;
  return success();
}

LogicalResult ConstantOp::verify() {
  return checkType(*this, getValue().getType());
}

/// The type of the storage, null after an error.
static Type storageType(Operation *op, FlatSymbolRefAttr name,
                        const SymbolTable &symbols) {
  Operation *storage = symbols.lookup(name.getValue());
  if (auto placeholder = llvm::dyn_cast_or_null<PlaceholderOp>(storage))
    return placeholder.getType();
  if (auto constant = llvm::dyn_cast_or_null<ConstantOp>(storage))
    return constant.getValue().getType();
  op->emitOpError() << "no storage of the module is named " << name;
  return {};
}

//===----------------------------------------------------------------------===//
// Reads and saves
//===----------------------------------------------------------------------===//

// glow.read @x : tensor<2xf32>
ParseResult ReadOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr storage;
  Type type;
  if (parser.parseSymbolName(storage) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return mlir::failure();
  state.addAttribute("storage", FlatSymbolRefAttr::get(storage));
  state.addTypes(type);
  keepName(parser, state);
  return success();
}

void ReadOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getStorage());
  printer.printOptionalAttrDict(
      llvm::to_vector((*this)->getDiscardableAttrs()));
  printer << " : " << getType();
}

void ReadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(*this, setName, getStorage());
}

// GraphCheck verifies the operation with its module, when every storage exists.
LogicalResult ReadOp::verify() { return success(); }
LogicalResult SaveOp::verify() { return success(); }

static LogicalResult verifyPredicate(Operation *op,
                                     const SymbolTable &symbols) {
  FlatSymbolRefAttr name = storageNamed(op);
  if (!name)
    return success();
  auto type =
      llvm::cast_or_null<RankedTensorType>(storageType(op, name, symbols));
  if (!type)
    return mlir::failure();
  for (Type result : op->getResultTypes()) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(result);
    ArrayRef<int64_t> shape = tensor ? tensor.getShape() : ArrayRef<int64_t>();
    if (shape.empty() || type.getShape() != shape.take_front() ||
        !type.getElementType().isInteger(1))
      return op->emitOpError()
             << "has a predicate of type " << type << ", but its result is of "
             << result << ": it should have a bool for each index of "
             << "dimension 0";
  }
  return success();
}

FlatSymbolRefAttr glow::storageNamed(Operation *op) {
  if (auto read = llvm::dyn_cast<ReadOp>(op))
    return read.getStorageAttr();
  if (auto save = llvm::dyn_cast<SaveOp>(op))
    return save.getStorageAttr();
  return llvm::dyn_cast_or_null<FlatSymbolRefAttr>(
      op->getDiscardableAttr(GlowDialect::predicate));
}

LogicalResult glow::verifyStorageUse(Operation *op,
                                     const SymbolTable &symbols) {
  Type used;
  if (auto read = llvm::dyn_cast<ReadOp>(op))
    used = read.getOut().getType();
  else if (auto save = llvm::dyn_cast<SaveOp>(op))
    used = save.getIn().getType();
  else
    return verifyPredicate(op, symbols);
  FlatSymbolRefAttr name = storageNamed(op);
  Type type = storageType(op, name, symbols);
  if (!type)
    return mlir::failure();
  if (type != used)
    return op->emitOpError()
           << "is of type " << used << ", but " << name << " is of " << type;
  if (llvm::isa<SaveOp>(op) &&
      llvm::isa<ConstantOp>(symbols.lookup(name.getValue())))
    return op->emitOpError() << "writes the constant " << name;
  return success();
}
