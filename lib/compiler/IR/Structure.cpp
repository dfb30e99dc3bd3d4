//===- Structure.cpp - functions and buffers of instructions --------------===//

#include "glow/IR/Structure.h"
#include "glow/IR/Access.h"
#include "glow/IR/Names.h"
#include "glow/IR/Weights.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace glow::ir;

#define GET_OP_CLASSES
#include "glow/IR/Structure.cpp.inc"

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The kinds of weights as they stand in the attribute, in the enum's order.
static constexpr StringLiteral weightKinds[] = {"constant", "mutable",
                                                "output"};

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getStorageAttrName(state.name), builder.getArrayAttr({}));
  state.addAttribute(getKindsAttrName(state.name), builder.getArrayAttr({}));
  state.addRegion()->emplaceBlock();
}

void glow::ir::addWeights(FuncOp function, ArrayRef<Weight> weights) {
  MLIRContext *context = function.getContext();
  SmallVector<Attribute> storage(function.getStorage().getValue());
  SmallVector<Attribute> kinds(function.getKinds().getValue());
  for (const Weight &weight : weights) {
    StringRef text = weightKinds[static_cast<size_t>(weight.kind)];
    storage.push_back(FlatSymbolRefAttr::get(context, weight.storage));
    kinds.push_back(StringAttr::get(context, text));
    function.block().addArgument(weight.type, weight.location);
  }
  function.setStorageAttr(ArrayAttr::get(context, storage));
  function.setKindsAttr(ArrayAttr::get(context, kinds));
}

BlockArgument FuncOp::addWeight(Location location, BufferType type,
                                WeightKind kind, StringRef storage) {
  addWeights(*this, Weight{location, type, kind, storage});
  return weights().back();
}

WeightKind FuncOp::kindOf(BlockArgument weight) {
  StringRef text = cast<StringAttr>(getKinds()[weight.getArgNumber()]).strref();
  return static_cast<WeightKind>(llvm::find(weightKinds, text) - weightKinds);
}

StringRef FuncOp::storageOf(BlockArgument weight) {
  return cast<FlatSymbolRefAttr>(getStorage()[weight.getArgNumber()])
      .getValue();
}

void FuncOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  for (BlockArgument weight : region.getArguments())
    setName(weight, nameOf(weight));
}

/// Every operation of the body is one that the text of a function can say.
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
  if (failed(infoOf(instr)->verify(instr, report)))
    return failure();
  for (const Access &access : accessesOf(instr).buffers) {
    auto weight = dyn_cast<BlockArgument>(access.buffer());
    if (weight && access.writes &&
        function.kindOf(weight) == WeightKind::Constant)
      return instr->emitOpError("writes '")
             << nameOf(weight) << "', which is constant";
  }
  return success();
}

LogicalResult FuncOp::verify() {
  size_t count = weights().size();
  if (getStorage().size() != count || getKinds().size() != count)
    return emitOpError("has ")
           << count << " weights, but names " << getStorage().size()
           << " storages and " << getKinds().size() << " kinds";
  for (Attribute kind : getKinds())
    if (!llvm::is_contained(weightKinds, cast<StringAttr>(kind).getValue()))
      return emitOpError("has a weight of kind ")
             << kind << ", but should have constant, mutable or output ones";
  for (BlockArgument weight : weights())
    if (!isa<BufferType>(weight.getType()))
      return emitOpError("has a weight of type ")
             << weight.getType() << ", but should have buffers";
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

static LogicalResult verifyPart(AllocOp alloc) {
  if (alloc.getReused())
    return alloc.emitOpError("reuses a buffer and lies within one; it should "
                             "do one of both");
  if (!alloc.getFrom())
    return alloc.emitOpError("lies within '")
           << nameOf(alloc.getWhole()) << "', but does not say from which byte";
  if (!alloc.getWhole().getDefiningOp<AllocOp>())
    return alloc.emitOpError("lies within '")
           << nameOf(alloc.getWhole()) << "', which is a weight";
  auto whole = cast<BufferType>(alloc.getWhole().getType());
  uint64_t from = *alloc.getFrom(), bytes = alloc.type().bytes();
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
           << nameOf(getReused()) << "', which is a weight";
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
           << nameOf(getBuffer()) << "', which is a weight";
  return success();
}
