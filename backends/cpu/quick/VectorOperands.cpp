//===- VectorOperands.cpp - operands of vector instructions ---------------===//
// SPDX-License-Identifier: MIT
//
// A vector of sixteen elements is in one register or, if registers are half as
// wide, in two parts; each instruction is selected once for each part. A value
// is in its assigned register, in its spill slot, or a constant. A load with a
// single user is folded into the user as a memory operand.
//
// An instruction may need a scratch register beside its operands. If none is
// free, selection fails and begins again with one more register kept free.
//
//===----------------------------------------------------------------------===//

#include "Encodings.h"
#include "Select.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

unsigned Selector::scratchVector(unsigned index) {
  if (index < kept)
    return vectorRegisters(wide) - 1 - index;
  BitVector free = freeVectors();
  int reg = free.find_first();
  for (; index > kept && reg >= 0; --index)
    reg = free.find_next(unsigned(reg));
  if (reg < 0)
    failed = needsScratch = true;
  return unsigned(std::max(reg, 0));
}

/// The registers of vectors that no value has where this instruction reads and
/// writes.
BitVector Selector::freeVectors() const {
  BitVector free(vectorRegisters(wide) - kept, true);
  for (const Unit &unit : units.units)
    if (unit.kind == Kind::Vector && unit.reg >= 0 && unit.from <= now + 1 &&
        unit.to >= now)
      free.reset(unsigned(unit.reg));
  return free;
}

unsigned Selector::registerOf(const Value *value, unsigned part) const {
  int unit = units.of(value, part);
  return units.of(value) < 0 ? ~0u : unsigned(units.units[size_t(unit)].reg);
}

unsigned Selector::vectorTarget(const Value *value, unsigned part) const {
  unsigned reg = registerOf(value, part);
  return reg == ~0u ? vectorRegisters(wide) - 1 : reg;
}
void Selector::vectorWritten(const Value *value, unsigned part, unsigned reg) {
  if (registerOf(value, part) == ~0u)
    code.store(homes.lookup(units.of(value, part)), reg);
}

Memory Selector::partOf(Memory place, unsigned part, unsigned bytes) const {
  place.offset += int64_t(part) * bytes;
  return place;
}

Source Selector::bits(uint32_t value) {
  std::string bytes;
  for (unsigned i = 0; i < (wide ? 1u : 8u); ++i)
    bytes.append(reinterpret_cast<const char *>(&value), 4);
  return Source(code.constant(bytes), /*repeated=*/wide);
}

uint32_t quick::bitsOf(const Constant &element) {
  if (auto *number = dyn_cast<ConstantFP>(&element))
    return uint32_t(number->getValueAPF().bitcastToAPInt().getZExtValue());
  if (auto *number = dyn_cast<ConstantInt>(&element))
    return uint32_t(number->getZExtValue());
  return 0; // undefined
}

Source Selector::constantSource(const Constant &constant, unsigned part) {
  if (Constant *element = constant.getSplatValue())
    return bits(bitsOf(*element));
  std::string bytes;
  for (unsigned i = 0; i < 16 / parts; ++i) {
    Constant *element = constant.getAggregateElement(part * 8 + i);
    failed |= !element;
    uint32_t value = element ? bitsOf(*element) : 0;
    bytes.append(reinterpret_cast<const char *>(&value), 4);
  }
  return Source(code.constant(bytes));
}

void Selector::loadConstant(unsigned target, const Constant &constant,
                            unsigned part) {
  if (constant.isNullValue() || isa<UndefValue>(constant))
    code.zero(target);
  else
    code.load(target, constantSource(constant, part));
}

unsigned Selector::readVector(const Value *value, unsigned part,
                              unsigned scratch) {
  if (units.of(value) >= 0) {
    unsigned reg = registerOf(value, part);
    if (reg == ~0u)
      code.load(reg = scratchVector(scratch),
                Source(homes.lookup(units.of(value, part))));
    return reg;
  }
  unsigned reg = scratchVector(scratch);
  auto *constant = dyn_cast<Constant>(value);
  if (!constant || !isVector(value->getType()))
    failed = true;
  else
    loadConstant(reg, *constant, part);
  return reg;
}

Source Selector::source(const Value *value, unsigned part) {
  if (folds.contains(value)) {
    if (auto *load = dyn_cast<LoadInst>(value))
      return partOf(place(load->getPointerOperand()), part, partBytes());
    auto *load = dyn_cast_or_null<LoadInst>(splatOf(value));
    failed |= !load;
    return failed ? Source(0u)
                  : Source(place(load->getPointerOperand()), /*repeated=*/true);
  }
  if (auto *constant = dyn_cast<Constant>(value))
    return constantSource(*constant, part);
  unsigned reg = registerOf(value, part);
  return reg == ~0u ? Source(homes.lookup(units.of(value, part))) : Source(reg);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::string quick::maskBytes(uint16_t elements, unsigned part) {
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i)
    bytes.append(4, elements >> (part * 8 + i) & 1 ? '\xff' : '\0');
  return bytes;
}

bool Selector::emitMaskedLoad(const IntrinsicInst &load, unsigned part) {
  auto elements = maskOf(*load.getArgOperand(load.arg_size() - 2));
  auto *otherwise = dyn_cast<Constant>(load.getArgOperand(load.arg_size() - 1));
  if (!elements || !otherwise)
    return false;
  bool isZero = otherwise->isNullValue() || isa<UndefValue>(otherwise);
  if (!isZero && *elements != 0xffff)
    return false;
  // Elements outside of the mask are not accessed: they may lie behind the end
  // of a tensor.
  unsigned reg = vectorTarget(&load, part);
  Memory memory = partOf(place(load.getArgOperand(0)), part, partBytes());
  if (*elements == 0xffff) {
    code.load(reg, Source(memory));
  } else if (wide) {
    code.setMask(scratchMask, *elements, Rdx);
    code.loadMasked(encodings::load, reg, memory, scratchMask);
  } else {
    code.load(scratchVector(0),
              Source(code.constant(maskBytes(*elements, part))));
    code.vector(encodings::loadWhere, reg, scratchVector(0), Source(memory));
  }
  vectorWritten(&load, part, reg);
  return true;
}

void Selector::emitFirstStore(const Value &vector, const Value &pointer) {
  unsigned reg = readVector(&vector, 0, 0);
  code.vector(encodings::storeFirst, reg, Source(place(&pointer)));
}

bool Selector::emitVectorStore(const Value &value, const Value &pointer,
                               const Value *mask, unsigned part) {
  std::optional<uint16_t> elements = mask ? maskOf(*mask) : uint16_t(0xffff);
  if (!elements)
    return false;
  auto *bytes = dyn_cast<TruncInst>(&value);
  if (bytes && folds.contains(bytes)) {
    if (!isVector(bytes->getOperand(0)->getType()) ||
        (!wide && !isOfHalves(*elements)))
      return false;
    if (!wide && !(*elements >> (part * 8) & 1))
      return true;
    const Value *words = bytes->getOperand(0);
    bool isLimited = folds.contains(words);
    if (isLimited)
      words = cast<IntrinsicInst>(words)->getArgOperand(0);
    unsigned reg = readVector(words, part, 0);
    if (!wide) {
      code.vector(encodings::andBits, scratchVector(0), reg, bits(0xff));
      code.storeBytes(partOf(place(&pointer), part, partBytes() / 4),
                      scratchVector(0), scratchVector(1));
      return true;
    }
    if (*elements != 0xffff)
      code.setMask(scratchMask, *elements, Rdx);
    // Mask register 0 means all elements.
    code.storeMasked(isLimited ? encodings::narrowLimited : encodings::narrow,
                     place(&pointer), reg,
                     *elements == 0xffff ? 0 : scratchMask);
    return true;
  }
  if (!isVector(value.getType()))
    return false;
  unsigned reg = readVector(&value, part, 0);
  Memory memory = partOf(place(&pointer), part, partBytes());
  if (*elements == 0xffff) {
    code.store(memory, reg);
  } else if (wide) {
    code.setMask(scratchMask, *elements, Rdx);
    code.storeMasked(encodings::store, memory, reg, scratchMask);
  } else {
    unsigned known = scratchVector(reg == scratchVector(0));
    code.load(known, Source(code.constant(maskBytes(*elements, part))));
    code.vector(encodings::storeWhere, reg, known, Source(memory));
  }
  return true;
}
