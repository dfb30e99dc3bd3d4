//===- Choices.cpp - comparisons and selects ------------------------------===//
// SPDX-License-Identifier: MIT
//
// With wide registers a mask is a mask register with a bit for each element.
// With narrow registers it is a vector whose elements are all ones or all
// zeros. A comparison with a single select as its user is emitted with the
// select.
//
//===----------------------------------------------------------------------===//

#include "Encodings.h"
#include "Select.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

/// The immediate of the equivalent comparison instruction that never signals.
static uint8_t predicateOf(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::FCMP_OEQ:
    return 0x00;
  case CmpInst::FCMP_OLT:
    return 0x11;
  case CmpInst::FCMP_OLE:
    return 0x12;
  case CmpInst::FCMP_UNO:
    return 0x03;
  case CmpInst::FCMP_UNE:
    return 0x04;
  case CmpInst::FCMP_UGE:
    return 0x15;
  case CmpInst::FCMP_UGT:
    return 0x16;
  case CmpInst::FCMP_ORD:
    return 0x07;
  case CmpInst::FCMP_UEQ:
    return 0x08;
  case CmpInst::FCMP_ULT:
    return 0x19;
  case CmpInst::FCMP_ULE:
    return 0x1a;
  case CmpInst::FCMP_ONE:
    return 0x0c;
  case CmpInst::FCMP_OGE:
    return 0x1d;
  case CmpInst::FCMP_OGT:
    return 0x1e;
  case CmpInst::FCMP_TRUE:
    return 0x0f;
  default:
    return 0x0b; // always false
  }
}

void Selector::emitComparison(unsigned mask, const FCmpInst &compare,
                              unsigned part) {
  unsigned first = readVector(compare.getOperand(0), part, 0);
  code.compare(mask, first, source(compare.getOperand(1), part),
               predicateOf(compare.getPredicate()));
}

/// The minimum or maximum instruction that a select is equivalent to: it gives
/// the second operand if either is NaN.
static std::optional<std::pair<Encoding, bool>>
limitOf(const SelectInst &select) {
  auto *compare = dyn_cast<FCmpInst>(select.getCondition());
  if (!compare)
    return std::nullopt;
  const Value *taken = select.getTrueValue(), *other = select.getFalseValue();
  CmpInst::Predicate predicate = compare->getPredicate();
  // a <= b or unordered ? a : b is a > b ? b : a, which is what MINPS and MAXPS
  // compute: the second operand where either is NaN or both are zeros.
  if (predicate == CmpInst::FCMP_ULE || predicate == CmpInst::FCMP_UGE) {
    std::swap(taken, other);
    predicate = compare->getInversePredicate();
  }
  bool isLess = predicate == CmpInst::FCMP_OLT;
  if (!isLess && predicate != CmpInst::FCMP_OGT)
    return std::nullopt;
  bool isDirect =
      taken == compare->getOperand(0) && other == compare->getOperand(1);
  bool isSwapped =
      taken == compare->getOperand(1) && other == compare->getOperand(0);
  if (!isDirect && !isSwapped)
    return std::nullopt;
  return std::pair(isLess == isDirect ? encodings::smaller : encodings::larger,
                   isSwapped);
}

bool Selector::emitChoice(const SelectInst &select, unsigned part) {
  if (!isMask(select.getCondition()->getType()))
    return false;
  if (auto limit = limitOf(select)) {
    auto *compare = cast<FCmpInst>(select.getCondition());
    const Value *first = compare->getOperand(0),
                *second = compare->getOperand(1);
    if (limit->second)
      std::swap(first, second);
    emitBinary(limit->first, select, first, second, part);
    return true;
  }
  const Value *condition = select.getCondition();
  if (auto known = maskOf(*condition))
    return emitKnownChoice(select, *known, part), true;
  unsigned reg = vectorTarget(&select, part);
  bool isHere = folds.contains(condition);
  if (wide) {
    unsigned mask = isHere ? scratchMask : registerOf(condition, 0);
    if (isHere)
      emitComparison(mask, *cast<FCmpInst>(condition), part);
    unsigned otherwise = readVector(select.getFalseValue(), part, 0);
    code.blend(reg, mask, otherwise, source(select.getTrueValue(), part));
  } else {
    unsigned mask = scratchVector(0);
    if (isHere)
      emitComparison(mask, *cast<FCmpInst>(condition), part);
    else
      mask = readVector(condition, part, 0);
    unsigned otherwise =
        readVector(select.getFalseValue(), part, mask == scratchVector(0));
    // The register of the mask is the upper half of the last byte.
    code.vector(encodings::chooseWhere, reg, otherwise,
                source(select.getTrueValue(), part), uint8_t(mask << 4));
  }
  vectorWritten(&select, part, reg);
  return true;
}

void Selector::emitKnownChoice(const SelectInst &select, uint16_t elements,
                               unsigned part) {
  unsigned reg = vectorTarget(&select, part);
  unsigned otherwise = readVector(select.getFalseValue(), part, 0);
  if (wide) {
    code.setMask(scratchMask, elements, Rdx);
    code.blend(reg, scratchMask, otherwise,
               source(select.getTrueValue(), part));
  } else {
    unsigned mask = scratchVector(otherwise == scratchVector(0));
    code.load(mask, Source(code.constant(maskBytes(elements, part))));
    code.vector(encodings::chooseWhere, reg, otherwise,
                source(select.getTrueValue(), part), uint8_t(mask << 4));
  }
  vectorWritten(&select, part, reg);
}

bool Selector::emitMask(const Instruction &mask, unsigned part) {
  if (auto *operation = dyn_cast<BinaryOperator>(&mask))
    return emitMaskLogic(*operation, part);
  auto *compare = dyn_cast<FCmpInst>(&mask);
  if (!compare)
    return false;
  unsigned reg = wide ? registerOf(&mask, 0) : vectorTarget(&mask, part);
  emitComparison(reg, *compare, part);
  if (!wide)
    vectorWritten(&mask, part, reg);
  return true;
}

bool Selector::emitMaskLogic(const BinaryOperator &operation, unsigned part) {
  const Value *first = operation.getOperand(0),
              *second = operation.getOperand(1);
  if (isa<Constant>(first) || isa<Constant>(second))
    return false;
  auto choose = [&](auto ifAnd, auto ifOr, auto ifXor) {
    return operation.getOpcode() == Instruction::And  ? ifAnd
           : operation.getOpcode() == Instruction::Or ? ifOr
                                                      : ifXor;
  };
  if (wide) {
    code.combine(choose(uint8_t(0x41), uint8_t(0x45), uint8_t(0x47)),
                 registerOf(&operation, 0), registerOf(first, 0),
                 registerOf(second, 0));
    return true;
  }
  emitBinary(choose(encodings::andBits, encodings::orBits, encodings::xorBits),
             operation, first, second, part);
  return true;
}
