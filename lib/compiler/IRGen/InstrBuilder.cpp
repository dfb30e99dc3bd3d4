//===- InstrBuilder.cpp - one instruction at a time -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Build.h"
#include "glow/Graph/HalfFactors.h"
#include "glow/IR/Access.h"
#include "glow/IRGen/IRGen.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace glow;

using Generate = LogicalResult (*)(Operation *, InstrBuilder &);

static llvm::StringMap<Generate> &generators() {
  static llvm::StringMap<Generate> table;
  return table;
}

void glow::registerIRGen(std::span<const IRGenEntry> entries) {
  for (const IRGenEntry &entry : entries)
    generators().try_emplace(entry.node, entry.generate);
}

LogicalResult glow::generateInstr(Operation *node, InstrBuilder &instr) {
  auto found = generators().find(node->getName().getStringRef());
  if (found == generators().end())
    return node->emitError()
           << "no instruction is made of '" << node->getName() << "'";
  instr.beginNode(node);
  return found->second(node, instr);
}

void InstrBuilder::beginNode(Operation *node) {
  location = node->getLoc();
  inherited.clear();
  for (StringRef name :
       {GlowDialect::predicate, GlowDialect::exact, halfFactors})
    if (Attribute value = node->getAttr(name))
      inherited.push_back(builder.getNamedAttr(name, value));
}

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

SmallVector<Value> InstrBuilder::begin(ValueRange results) {
  SmallVector<Value> begun;
  for (Value result : results) {
    auto type =
        ir::BufferType::get(llvm::cast<RankedTensorType>(result.getType()));
    begun.push_back(ir::AllocOp::create(builder, result.getLoc(), type));
    buffers[result] = begun.back();
  }
  return begun;
}

SmallVector<Value> InstrBuilder::allocate(StringRef name, Type tensor,
                                          StringRef memory) {
  if (!tensor)
    return {};
  auto type = ir::BufferType::get(
      builder.getContext(), llvm::cast<RankedTensorType>(tensor),
      memory.empty() ? StringAttr() : builder.getStringAttr(memory));
  auto named = NameLoc::get(builder.getStringAttr(name), *location);
  return {ir::AllocOp::create(builder, named, type)};
}

SmallVector<Value> InstrBuilder::buffersOf(ValueRange values) const {
  SmallVector<Value> found;
  for (Value value : values)
    if (value)
      found.push_back(buffer(value));
  return found;
}

void InstrBuilder::use(ArrayRef<SmallVector<Value>> given) {
  segments.push_back(0);
  for (ArrayRef<Value> some : given) {
    llvm::append_range(operands, some);
    segments.back() += int32_t(some.size());
  }
}

void InstrBuilder::write(Value result) { use(begin(result)); }
void InstrBuilder::write(ResultRange results) { use(begin(results)); }
void InstrBuilder::read(Value operand) { use(buffersOf(operand)); }
void InstrBuilder::read(OperandRange values) { use(buffersOf(values)); }

void InstrBuilder::update(Value result, Value beginning) {
  write(result);
  OperationState copy(*location, ir::CopyInstr::getOperationName(),
                      {buffer(result), buffer(beginning)}, {}, {});
  builder.create(copy);
}

void InstrBuilder::attribute(StringRef name, Attribute value) {
  attributes.push_back(builder.getNamedAttr(name, value));
}
void InstrBuilder::attribute(StringRef name, int64_t value) {
  attribute(name, Attribute(builder.getI64IntegerAttr(value)));
}
void InstrBuilder::attribute(StringRef name, bool value) {
  attribute(name, Attribute(builder.getBoolAttr(value)));
}
void InstrBuilder::attribute(StringRef name, double value) {
  attribute(name, Attribute(builder.getF64FloatAttr(value)));
}
void InstrBuilder::attribute(StringRef name, const std::string &value) {
  attribute(name, Attribute(builder.getStringAttr(value)));
}
void InstrBuilder::attribute(StringRef name, const Size &value) {
  attribute(name, attributeOf(builder.getContext(), value));
}
void InstrBuilder::attribute(StringRef name, const Sizes &value) {
  attribute(name, attributeOf(builder.getContext(), value));
}
void InstrBuilder::attribute(StringRef name, const Reals &value) {
  attribute(name, Attribute(builder.getDenseF64ArrayAttr(value)));
}
void InstrBuilder::attribute(StringRef name, Type value) {
  attribute(name, Attribute(TypeAttr::get(value)));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

LogicalResult InstrBuilder::copy(ArrayRef<Value> to, ArrayRef<Value> from) {
  use(SmallVector<Value>(to));
  use(SmallVector<Value>(from));
  return create(ir::CopyInstr::getOperationName());
}

LogicalResult InstrBuilder::addScratch(Operation *instr, unsigned first) {
  auto report = [&](const llvm::Twine &message) {
    instr->emitOpError(message);
  };
  const ir::InstrInfo *info = ir::infoOf(instr);
  SmallVector<Type> types;
  if (failed(info->scratch(instr, report, types)))
    return failure();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(instr);
  auto names = info->operands.last(types.size());
  for (size_t i = 0; i < types.size(); ++i)
    instr->setOperand(
        first + unsigned(i),
        allocate(names[i].name, types[i], names[i].memory).front());
  return success();
}

LogicalResult InstrBuilder::create(StringRef instruction) {
  const ir::InstrInfo *info = ir::findInstr(instruction.split('.').second);
  unsigned varying = 0, given = operands.size();
  for (const ir::OperandInfo &operand : info->operands) {
    varying += operand.count != Count::One;
    // Another operand fills in for scratch until the scratch types are computed
    // from the operands.
    if (operand.qualifier == ir::Qualifier::Scratch)
      use(SmallVector<Value>(1, operands.front()));
  }
  if (varying > 1)
    attribute("operandSegmentSizes",
              Attribute(builder.getDenseI32ArrayAttr(segments)));
  llvm::append_range(attributes, inherited);
  OperationState state(*location, instruction, operands, {}, attributes);
  Operation *instr = builder.create(state);
  operands.clear();
  segments.clear();
  attributes.clear();
  return info->scratch ? addScratch(instr, given) : success();
}
