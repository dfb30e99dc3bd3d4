//===- ModuleStorage.cpp - the module that import fills -------------------===//
// SPDX-License-Identifier: MIT

#include "ModuleStorage.h"
#include "file/Tensors.h"
#include "glow/Base/MemorySize.h"
#include "glow/Graph/ControlFlow.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

ElementsAttr glow::elementsNamed(StringRef name, RankedTensorType type,
                                 TensorBytes bytes) {
  constexpr int64_t few = 16;
  if (type.getNumElements() > few)
    return elementsOf(type, std::move(bytes), name);
  // A raw buffer would have booleans as bits.
  if (type.getElementType().isInteger(1))
    return DenseElementsAttr::get(
        type, ArrayRef(reinterpret_cast<const bool *>(bytes.bytes.data()),
                       bytes.bytes.size()));
  return DenseElementsAttr::getFromRawBuffer(type, bytes.bytes);
}

std::string glow::typeText(Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  std::optional<ElementKind> kind = kindOf(tensor.getElementType());
  return kind ? typeText(*kind, tensor.getShape()) : "of no element kind";
}

ModuleStorage::ModuleStorage(MLIRContext &context, StringRef path,
                             const ModelInterface &interface, uint64_t limit)
    : storageBuilder(&context), bodyBuilder(&context),
      fileLocation(FileLineColLoc::get(&context, path, 0, 0)),
      module(ModuleOp::create(fileLocation)),
      limit(limit ? limit : defaultMemoryLimit()) {
  storageBuilder.setInsertionPointToStart(module->getBody());
  // An initializer may be an output as well; the output keeps the name.
  for (const ModelPort &output : interface.outputs)
    names.insert(output.name);
  for (const ModelPort &input : interface.inputs)
    names.insert(input.name);
  function = FuncOp::create(storageBuilder, fileLocation, uniqueName("main"));
  bodyBuilder.setInsertionPointToStart(&function.getBody().front());
}

OpBuilder &ModuleStorage::builder() {
  bodyBuilder.setInsertionPointToEnd(&function.getBody().front());
  return bodyBuilder;
}

Location ModuleStorage::named(StringRef name) const {
  return NameLoc::get(StringAttr::get(fileLocation.getContext(), name),
                      fileLocation);
}

StringAttr ModuleStorage::uniqueName(StringRef wanted) {
  std::string name = wanted.str();
  while (!names.insert(name).second)
    name = (wanted + "_" + llvm::Twine(++counts[wanted])).str();
  return storageBuilder.getStringAttr(name);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Status ModuleStorage::grow(StringRef name, ElementKind kind, const Ints &shape,
                           uint64_t bytes) {
  // Both are below 2^63.
  if (taken + bytes > limit)
    return failure(Code::OutOfMemory, "the tensors of the model need ",
                   sizeText(taken + bytes), " or more, of which '", name.str(),
                   "', ", typeText(kind, shape), ", needs ", sizeText(bytes),
                   "; the limit is ", sizeText(limit),
                   ": give another memory-limit");
  taken += bytes;
  return Status();
}

Status ModuleStorage::admit(StringRef name, ElementKind kind,
                            const Ints &shape) {
  Result<uint64_t> bytes = checkedBytes(kind, shape);
  if (!bytes)
    return bytes.status().prefixed("'" + name.str() + "' ");
  return grow(name, kind, shape, *bytes);
}

/// The shape of the least sizes: runs refuse greater ones that do not fit. A
/// size that a node computes is known too late for that, so that the greatest
/// one counts.
Ints ModuleStorage::leastShape(RankedTensorType type) const {
  Ints shape(type.getShape());
  if (auto open = llvm::dyn_cast_or_null<LengthsAttr>(type.getEncoding()))
    for (auto [size, length] : llvm::zip_equal(shape, open.lengths())) {
      bool isGiven = true;
      length.visitVariables([&](const SizeVariable &one) {
        isGiven &= givenSizes.contains(one.name);
      });
      if (isGiven)
        size = length.range().low;
    }
  return shape;
}

Status ModuleStorage::admitPort(StringRef name, RankedTensorType type) {
  const ElementKind kind = *kindOf(type.getElementType());
  if (Status status = checkedBytes(kind, Ints(type.getShape())).status();
      !status.ok())
    return status.prefixed("'" + name.str() + "' ");
  return admit(name, kind, leastShape(type));
}

Status ModuleStorage::admitResult(Value value) const {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  std::optional<ElementKind> kind = kindOf(type.getElementType());
  if (!kind || !type.hasStaticShape())
    return failure(Code::Internal, "its output has no static type");
  Result<uint64_t> bytes = checkedBytes(*kind, Ints(type.getShape()));
  if (bytes)
    bytes = checkedBytes(*kind, leastShape(type));
  if (!bytes)
    return bytes.status().prefixed("its output ");
  if (taken + *bytes > limit)
    return failure(Code::OutOfMemory, "its output is ",
                   typeText(*kind, type.getShape()),
                   ", with which the tensors "
                   "of the model need ",
                   sizeText(taken + *bytes), " or more; the limit is ",
                   sizeText(limit), ": give another memory-limit");
  return Status();
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

Value ModuleStorage::read(Location location, StringAttr storage, Type type) {
  return ReadOp::create(builder(), location, type,
                        FlatSymbolRefAttr::get(storage));
}

/// The names of an input's dimensions; null when no dimension has a name.
ArrayAttr ModuleStorage::dimensionNames(const ModelPort &port, size_t rank) {
  if (port.dimensions.size() != rank ||
      llvm::all_of(port.dimensions, [](auto &name) { return name.empty(); }))
    return {};
  llvm::SmallVector<StringRef> texts(port.dimensions.begin(),
                                     port.dimensions.end());
  return storageBuilder.getStrArrayAttr(texts);
}

Status ModuleStorage::setValues(const std::vector<Constant> &values) {
  for (const Constant &value : values)
    if (Status status = setValue(value.name, value); !status.ok())
      return status;
  return Status();
}

Status ModuleStorage::setValue(StringRef input, const Constant &value) {
  Result<uint64_t> bytes = checkedBytes(value.type.kind, value.type.shape);
  if (!bytes)
    return bytes.status().prefixed("the value of input '" + input.str() + "' ");
  auto type = RankedTensorType::get(
      value.type.shape, typeOf(storageBuilder.getContext(), value.type.kind));
  ArrayRef data(static_cast<const char *>(value.data), *bytes);
  givens[input] = elementsNamed(input, type, {data, value.owner});
  return Status();
}

Result<Value> ModuleStorage::addStageInput(StringRef name,
                                           const TensorType &type) {
  return addInput({uniqueName(name).str(), type.kind, true, type.shape, {}, {}},
                  type.shape);
}

Result<Value> ModuleStorage::addInput(const ModelPort &port,
                                      const Sizes &shape) {
  auto type = llvm::cast<RankedTensorType>(
      rankedTensorOf(shape, typeOf(storageBuilder.getContext(), *port.kind)));
  for (const Size &size : shape)
    size.length().visitVariables(
        [&](const SizeVariable &one) { givenSizes.insert(one.name); });
  if (Status status = admitPort(port.name, type); !status.ok())
    return status;
  storageBuilder.setInsertionPoint(function);
  StringAttr name = storageBuilder.getStringAttr(port.name);
  Location location = named(port.name);
  lastPort = PlaceholderOp::create(storageBuilder, location, name, type,
                                   PlaceholderRole::Input,
                                   dimensionNames(port, shape.size()));
  ports[port.name] = lastPort;
  return read(location, name, type);
}

Status ModuleStorage::addOutput(const ModelPort &port, Value value,
                                bool isReadElsewhere) {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  const Ints shape(type.getShape());
  if (Status status = admitPort(port.name, type); !status.ok())
    return status;
  if (lastPort)
    storageBuilder.setInsertionPointAfter(lastPort);
  else
    storageBuilder.setInsertionPointToStart(module->getBody());
  // The name may be taken: an input that the model returns has it already, and
  // in a stage any symbol may.
  StringAttr name = storageBuilder.getStringAttr(port.name);
  if (ports.contains(name) || constants.contains(name) ||
      name == function.getSymName())
    name = uniqueName(port.name);
  lastPort = PlaceholderOp::create(
      storageBuilder, named(port.name), name, type, PlaceholderRole::Output,
      dimensionNames(port, shape.size()),
      name == port.name ? StringAttr()
                        : storageBuilder.getStringAttr(port.name));
  if (isReadElsewhere)
    lastPort->setAttr(GlowDialect::exact, storageBuilder.getUnitAttr());
  SaveOp::create(builder(), named(port.name), value,
                 FlatSymbolRefAttr::get(name));
  return Status();
}

Value ModuleStorage::addConstant(StringRef wanted, ElementsAttr value) {
  StringAttr name = uniqueName(wanted);
  storageBuilder.setInsertionPoint(function);
  ConstantOp::create(storageBuilder, named(wanted), name, value);
  constants[name] = value;
  return read(named(wanted), name, value.getType());
}

FuncOp ModuleStorage::addFunction(StringRef wanted, Location location) {
  storageBuilder.setInsertionPointAfter(function);
  auto added = FuncOp::create(storageBuilder, location, uniqueName(wanted));
  return added;
}

StringAttr ModuleStorage::addPort(StringRef wanted, Type type) {
  StringAttr name = uniqueName(wanted);
  storageBuilder.setInsertionPoint(function);
  PlaceholderOp::create(storageBuilder, named(wanted), name, type,
                        PlaceholderRole::Between);
  return name;
}

ElementsAttr ModuleStorage::constantRead(Operation *op) const {
  auto read = llvm::dyn_cast<ReadOp>(op);
  return read ? constants.lookup(read.getStorage()) : ElementsAttr();
}

ElementsAttr ModuleStorage::givenRead(Operation *op) const {
  auto read = llvm::dyn_cast<ReadOp>(op);
  ElementsAttr given = read ? givens.lookup(read.getStorage()) : ElementsAttr();
  // A given value of another type is not the value that a run will bind.
  return given && given.getType() == read.getType() ? given : ElementsAttr();
}

bool ModuleStorage::looksThrough(Operation *op) const {
  constexpr int64_t few = 16;
  ElementsAttr given = lookThrough ? givenRead(op) : ElementsAttr();
  return given && given.getElementType().isInteger() &&
         given.getNumElements() <= few;
}

bool ModuleStorage::isAssumed(StringRef input) const {
  PlaceholderOp port = ports.lookup(input);
  return port && port.getAssumedAttr();
}

void ModuleStorage::assume(Operation *op) {
  StringRef name = llvm::cast<ReadOp>(op).getStorage();
  ports.lookup(name).setAssumedAttr(givens.at(name));
}

/// Erases the operations of one kind whose storage no function reads, if
/// `condition` holds.
template <typename Op, typename Condition>
static void eraseUnread(ModuleOp module, Condition condition) {
  llvm::StringSet<> used;
  module.walk([&](ReadOp read) { used.insert(read.getStorage()); });
  for (Op op : llvm::make_early_inc_range(module.getOps<Op>()))
    if (!used.contains(op.getSymName()) && condition(op))
      op.erase();
}

OwningOpRef<ModuleOp> ModuleStorage::finish() {
  // Users come after their operands, so one sweep from the end is enough.
  for (FuncOp one : module->getOps<FuncOp>())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(one.block())))
      if (op.use_empty() && (llvm::isa<ReadOp>(op) || isPure(&op)))
        op.erase();
  eraseUncalled(*module);
  eraseUnread<ConstantOp>(*module, [](ConstantOp) { return true; });
  return std::move(module);
}

OwningOpRef<ModuleOp> ModuleStorage::finishStage() {
  OwningOpRef<ModuleOp> result = finish();
  eraseUnread<PlaceholderOp>(*result, [](PlaceholderOp port) {
    return port.getRole() == PlaceholderRole::Input;
  });
  return result;
}
