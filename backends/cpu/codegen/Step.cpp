//===- Step.cpp - from an instruction to its code -------------------------===//

#include "Step.h"
#include "glow/IR/Access.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

int cpu::Instr::find(StringRef operand) const {
  auto buffers = ir::buffersOf(op, operand);
  return buffers.empty() ? -1 : int(buffers[0]->getOperandNumber());
}
size_t cpu::Instr::count(StringRef operand) const {
  return ir::buffersOf(op, operand).size();
}

static RankedTensorType typeOf(Operation *op, unsigned buffer) {
  return cast<ir::BufferType>(op->getOperand(buffer).getType()).getTensor();
}

Ints cpu::Instr::shape(unsigned buffer) const {
  return Ints(typeOf(op, buffer).getShape());
}
int64_t cpu::Instr::bytes(unsigned buffer) const {
  auto type = cast<ir::BufferType>(op->getOperand(buffer).getType());
  return int64_t(type.bytes());
}
bool cpu::Instr::isFloat(unsigned buffer) const {
  return typeOf(op, buffer).getElementType().isF32();
}
int64_t cpu::Instr::elementBytes(unsigned buffer) const {
  return int64_t(ir::elementBytes(typeOf(op, buffer).getElementType()));
}
bool cpu::Instr::known(unsigned buffer) const {
  return isConstant(op->getOperand(buffer));
}
unsigned cpu::Instr::buffers() const { return op->getNumOperands(); }

int64_t cpu::Instr::integer(StringRef attribute) const {
  return op->getAttrOfType<IntegerAttr>(attribute).getInt();
}
bool cpu::Instr::flag(StringRef attribute) const {
  return op->getAttrOfType<BoolAttr>(attribute).getValue();
}
double cpu::Instr::real(StringRef attribute) const {
  return op->getAttrOfType<FloatAttr>(attribute).getValueAsDouble();
}
Ints cpu::Instr::integers(StringRef attribute) const {
  return Ints(op->getAttrOfType<DenseI64ArrayAttr>(attribute).asArrayRef());
}
StringRef cpu::Instr::text(StringRef attribute) const {
  return op->getAttrOfType<StringAttr>(attribute).getValue();
}

std::optional<Reach> cpu::reachOf(const Ints &extra, const Ints &out,
                                  size_t channel, bool blocked) {
  if (extra == out)
    return Reach::Same;
  if (llvm::all_of(extra, [](int64_t size) { return size == 1; }))
    return Reach::Single;
  if (extra.size() != out.size())
    return std::nullopt;
  for (size_t i = 0; i < extra.size(); ++i) {
    bool isChannel = i == channel || (blocked && i + 1 == extra.size());
    if (extra[i] != (isChannel ? out[i] : 1))
      return std::nullopt;
  }
  return Reach::Channel;
}

std::optional<Epilogue> cpu::epilogueOf(const Instr &instr, const Ints &out,
                                        size_t channel, bool blocked) {
  Epilogue epilogue;
  epilogue.bias = instr.find("bias") >= 0;
  size_t extras = instr.count("extras");
  Result<Formula> formula =
      Formula::parse(instr.text("formula").str(), extras + 1);
  if (!formula)
    return std::nullopt;
  epilogue.formula = formula.take();
  for (size_t i = 0; i < extras; ++i) {
    unsigned buffer = unsigned(instr.find("extras")) + unsigned(i);
    auto reach = reachOf(instr.shape(buffer), out, channel, blocked);
    if (!reach || !instr.isFloat(buffer))
      return std::nullopt;
    epilogue.extras.push_back(*reach);
  }
  return epilogue;
}

SmallVector<llvm::Value *> cpu::extrasAt(Emitter &code, const Instr &instr,
                                         const Epilogue &epilogue,
                                         llvm::Value *out,
                                         llvm::Value *channel) {
  SmallVector<llvm::Value *> places;
  for (auto [i, reach] : llvm::enumerate(epilogue.extras)) {
    auto *extra = code.buffer(unsigned(instr.find("extras")) + unsigned(i));
    places.push_back(reach == Reach::Same      ? code.at(extra, out)
                     : reach == Reach::Channel ? code.at(extra, channel)
                                               : extra);
  }
  return places;
}
