//===- InstrBuilder.cpp - one instruction at a time -----------------------===//

#include "glow/IR/InstrInfo.h"
#include "glow/IRGen/IRGen.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace glow;

static llvm::StringMap<void (*)(Operation *, InstrBuilder &)> &generators() {
  static llvm::StringMap<void (*)(Operation *, InstrBuilder &)> table;
  return table;
}

void glow::registerIRGen(std::span<const IRGenEntry> entries) {
  for (const IRGenEntry &entry : entries)
    generators().try_emplace(entry.node, entry.generate);
}

LogicalResult glow::generateInstr(Operation *node, InstrBuilder &instr) {
  auto found = generators().find(node->getName().getStringRef());
  if (found == generators().end())
    return failure();
  instr.setLocation(node->getLoc());
  if (Attribute predicate = node->getAttr(GlowDialect::predicate))
    instr.attribute(GlowDialect::predicate, predicate);
  found->second(node, instr);
  return success();
}

void InstrBuilder::write(Value result) {
  auto type =
      ir::BufferType::get(llvm::cast<RankedTensorType>(result.getType()));
  Value buffer = ir::AllocOp::create(builder, result.getLoc(), type);
  buffers[result] = buffer;
  operands.push_back(buffer);
  segments.push_back(1);
}

void InstrBuilder::write(ResultRange results) {
  for (Value result : results)
    write(result);
  segments.resize(segments.size() - results.size());
  segments.push_back(results.size());
}

void InstrBuilder::update(Value result, Value beginning) {
  write(result);
  OperationState copy(*location, ir::CopyInstr::getOperationName(),
                      {buffer(result), buffer(beginning)}, {}, {});
  builder.create(copy);
}

void InstrBuilder::read(Value operand) {
  if (operand)
    operands.push_back(buffer(operand));
  segments.push_back(operand ? 1 : 0);
}

void InstrBuilder::read(OperandRange values) {
  for (Value value : values)
    operands.push_back(buffer(value));
  segments.push_back(values.size());
}

void InstrBuilder::attribute(StringRef name, Attribute value) {
  attributes.push_back(builder.getNamedAttr(name, value));
}

void InstrBuilder::create(StringRef instruction) {
  const ir::InstrInfo *info = ir::findInstr(instruction.split('.').second);
  unsigned varying = 0;
  for (const ir::OperandInfo &operand : info->operands)
    varying += operand.count != ir::Count::One;
  if (varying > 1)
    attribute("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
  OperationState state(*location, instruction, operands, {}, attributes);
  builder.create(state);
  operands.clear();
  segments.clear();
  attributes.clear();
}
