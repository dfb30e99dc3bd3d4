//===- Structure.cpp - functions and buffers of instructions --------------===//
// SPDX-License-Identifier: MIT
//
// The verifiers here spare a backend four checks. Every operation has a record,
// the number of buffers agrees with it, nothing writes a constant, and a buffer
// within another ends inside it. A file may be written by hand, so the
// verifiers report errors instead of asserting.
//
//===----------------------------------------------------------------------===//

#include "glow/IR/Structure.h"
#include "glow/IR/Access.h"
#include "glow/IR/Bindings.h"
#include "glow/IR/MemorySpace.h"
#include "glow/IR/Names.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace glow::ir;

#define GET_OP_CLASSES
#include "glow/IR/Structure.cpp.inc"

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The kinds of bindings as they stand in the attribute, in the enum's order.
static constexpr StringLiteral bindingKinds[] = {"constant", "mutable",
                                                 "output"};

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getStorageAttrName(state.name), builder.getArrayAttr({}));
  state.addAttribute(getKindsAttrName(state.name), builder.getArrayAttr({}));
  state.addRegion()->emplaceBlock();
}

void glow::ir::addBindings(FuncOp function,
                           ArrayRef<BindingDeclaration> bindings) {
  MLIRContext *context = function.getContext();
  SmallVector<Attribute> storage(function.getStorage().getValue());
  SmallVector<Attribute> kinds(function.getKinds().getValue());
  for (const BindingDeclaration &binding : bindings) {
    StringRef text = bindingKinds[static_cast<size_t>(binding.kind)];
    storage.push_back(FlatSymbolRefAttr::get(context, binding.storage));
    kinds.push_back(StringAttr::get(context, text));
    function.block().addArgument(binding.type, binding.location);
  }
  function.setStorageAttr(ArrayAttr::get(context, storage));
  function.setKindsAttr(ArrayAttr::get(context, kinds));
}

BlockArgument FuncOp::addBinding(Location location, BufferType type,
                                 BindingKind kind, StringRef storage) {
  addBindings(*this, BindingDeclaration{location, type, kind, storage});
  return bindings().back();
}

BindingKind FuncOp::kindOf(BlockArgument binding) {
  StringRef text =
      cast<StringAttr>(getKinds()[binding.getArgNumber()]).strref();
  return static_cast<BindingKind>(llvm::find(bindingKinds, text) -
                                  bindingKinds);
}

StringRef FuncOp::storageOf(BlockArgument binding) {
  return cast<FlatSymbolRefAttr>(getStorage()[binding.getArgNumber()])
      .getValue();
}

void FuncOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  for (BlockArgument binding : region.getArguments())
    setName(binding, nameOf(binding));
}

/// Each buffer is in the memory that the instruction requires.
static LogicalResult verifyMemories(Operation *instr) {
  unsigned next = 0;
  for (auto [operand, count] :
       llvm::zip(infoOf(instr)->operands, segmentsOf(instr))) {
    for (Value buffer : instr->getOperands().slice(next, unsigned(count)))
      if (memoryOf(buffer) != operand.memory)
        return instr->emitOpError("has '")
               << operand.name << "' in " << describeMemory(operand.memory)
               << ", but '" << nameOf(buffer) << "' is in "
               << describeMemory(memoryOf(buffer)) << " [memory-of-operand]";
    next += unsigned(count);
  }
  return success();
}

/// The box that an instruction touches lies within the buffer.
static LogicalResult verifyBox(Operation *instr) {
  for (OpOperand &operand : instr->getOpOperands()) {
    std::optional<Box> box = boxOf(operand);
    if (!box)
      continue;
    ArrayRef<int64_t> shape =
        cast<BufferType>(operand.get().getType()).getShape();
    bool isInside =
        box->starts.size() == shape.size() && box->sizes.size() == shape.size();
    for (size_t i = 0; isInside && i < shape.size(); ++i)
      // Compared in this order, no sum can overflow.
      isInside = box->starts[i] >= 0 && box->sizes[i] >= 1 &&
                 box->starts[i] <= shape[i] &&
                 box->sizes[i] <= shape[i] - box->starts[i];
    if (isInside)
      continue;
    InFlightDiagnostic error = instr->emitOpError("touches ");
    llvm::interleaveComma(box->sizes, error << "[");
    llvm::interleaveComma(box->starts, error << "] elements from [");
    llvm::interleaveComma(shape, error << "] on of '" << nameOf(operand.get())
                                       << "', which has [");
    return error << "] [box-inside]";
  }
  return success();
}

/// Every operation of the body has a text form: it is an instruction of a
/// record.
static LogicalResult verifyInstr(FuncOp function, Operation *instr) {
  if (!isInstr(instr))
    return success();
  if (!infoOf(instr))
    return instr->emitOpError("is no instruction, but stands in '")
           << function.getSymName() << "'";
  if (segmentsOf(instr).empty() && instr->getNumOperands() != 0)
    return instr->emitOpError("has ")
           << instr->getNumOperands()
           << " buffers, which is not what its record says";
  auto report = [&](const Twine &message) { instr->emitOpError(message); };
  if (failed(infoOf(instr)->verify(instr, report)) ||
      failed(verifyMemories(instr)) || failed(verifyBox(instr)))
    return failure();
  for (const Access &access : accessesOf(instr).buffers) {
    auto binding = dyn_cast<BlockArgument>(access.buffer());
    if (binding && access.writes &&
        function.kindOf(binding) == BindingKind::Constant)
      return instr->emitOpError("writes '")
             << nameOf(binding) << "', which is constant";
  }
  return success();
}

LogicalResult FuncOp::verify() {
  size_t count = bindings().size();
  if (getStorage().size() != count || getKinds().size() != count)
    return emitOpError("has ")
           << count << " bindings, but names " << getStorage().size()
           << " storages and " << getKinds().size() << " kinds";
  for (Attribute kind : getKinds())
    if (!llvm::is_contained(bindingKinds, cast<StringAttr>(kind).getValue()))
      return emitOpError("has a binding of kind ")
             << kind << ", but should have constant, mutable or output ones";
  for (BlockArgument binding : bindings())
    if (!isa<BufferType>(binding.getType()))
      return emitOpError("has a binding of type ")
             << binding.getType() << ", but should have buffers";
  for (NamedAttribute memory : getMemoryBytesAttr()
                                   ? getMemoryBytesAttr().getValue()
                                   : ArrayRef<NamedAttribute>()) {
    auto bytes = dyn_cast<IntegerAttr>(memory.getValue());
    if (!bytes || !bytes.getType().isInteger(64) || bytes.getInt() < 0)
      return emitOpError("uses ") << memory.getValue() << " of memory '"
                                  << memory.getName().getValue()
                                  << "', but should use a number of bytes";
  }
  for (NamedAttribute sum : getCyclesAttr() ? getCyclesAttr().getValue()
                                            : ArrayRef<NamedAttribute>()) {
    auto cycles = dyn_cast<IntegerAttr>(sum.getValue());
    if (!cycles || !cycles.getType().isInteger(64) || cycles.getInt() < 0)
      return emitOpError("has ")
             << sum.getValue() << " for cycles '" << sum.getName().getValue()
             << "', but should have a number of them";
  }
  return success();
}

LogicalResult FuncOp::verifyRegions() {
  for (Operation &instr : block())
    if (failed(verifyInstr(*this, &instr)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

void AllocOp::build(OpBuilder &builder, OperationState &state,
                    BufferType type) {
  state.addTypes(type);
}

void AllocOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getBuffer(), nameOf(getBuffer()));
}

bool AllocOp::isAlone() {
  return !getReused() && !getWhole() &&
         llvm::none_of(getBuffer().getUsers(), llvm::IsaPred<AllocOp>);
}

void AllocOp::leaveOther() {
  getReusedMutable().clear();
  getWholeMutable().clear();
  removeFromAttr();
}

std::pair<Value, uint64_t> AllocOp::outermost() {
  Value buffer = getBuffer();
  uint64_t from = 0;
  for (AllocOp alloc = *this; alloc && alloc.getWhole();) {
    from += *alloc.getFrom();
    buffer = alloc.getWhole();
    alloc = buffer.getDefiningOp<AllocOp>();
  }
  return {buffer, from};
}

/// Whether the binding has the same elements in every run.
static bool isConstant(Value buffer) {
  auto binding = dyn_cast<BlockArgument>(buffer);
  auto function =
      binding ? dyn_cast<FuncOp>(binding.getOwner()->getParentOp()) : FuncOp();
  return function && function.kindOf(binding) == BindingKind::Constant;
}

static LogicalResult verifyPart(AllocOp alloc) {
  if (alloc.getReused())
    return alloc.emitOpError("reuses a buffer and lies within one; it should "
                             "do one of both");
  if (!alloc.getFrom())
    return alloc.emitOpError("lies within '")
           << nameOf(alloc.getWhole()) << "', but does not say from which byte";
  if (isConstant(alloc.getWhole()))
    return alloc.emitOpError("lies within '")
           << nameOf(alloc.getWhole()) << "', which is constant";
  auto whole = cast<BufferType>(alloc.getWhole().getType());
  uint64_t from = *alloc.getFrom(), bytes = alloc.type().bytes();
  // Compared in this order, no sum can overflow.
  if (from > whole.bytes() || bytes > whole.bytes() - from ||
      whole.getSpace() != alloc.type().getSpace())
    return alloc.emitOpError("of ")
           << bytes << " bytes lies within '" << nameOf(alloc.getWhole())
           << "' of " << whole.bytes() << " bytes from "
           << static_cast<int64_t>(from)
           << " on; it should end there, and be in the same memory";
  return success();
}

LogicalResult AllocOp::verify() {
  if (getOffset() && static_cast<int64_t>(*getOffset()) < 0)
    return emitOpError("is at ") << static_cast<int64_t>(*getOffset())
                                 << ", but should be at 0 or more";
  if (getWhole())
    return verifyPart(*this);
  if (getFrom())
    return emitOpError("begins at a byte of no other buffer; it should say "
                       "within which");
  if (!getReused())
    return success();
  if (!getReused().getDefiningOp<AllocOp>())
    return emitOpError("reuses '")
           << nameOf(getReused()) << "', which is a binding";
  auto other = cast<BufferType>(getReused().getType());
  if (other.bytes() != type().bytes() || other.getSpace() != type().getSpace())
    return emitOpError("of ")
           << type().bytes() << " bytes reuses '" << nameOf(getReused())
           << "' of " << other.bytes()
           << " bytes; both should be as large and in the same memory";
  return success();
}

LogicalResult DeallocOp::verify() {
  if (isa<BlockArgument>(getBuffer()))
    return emitOpError("frees '")
           << nameOf(getBuffer()) << "', which is a binding";
  return success();
}
