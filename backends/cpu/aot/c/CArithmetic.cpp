//===- CArithmetic.cpp - sums and products of integers in C ---------------===//
// SPDX-License-Identifier: MIT

#include "CLoops.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Casts a text to 64 bits if the instruction has that type.
std::string LoopPrinter::widened(const Instruction &i,
                                 const std::string &text) const {
  return i.getType()->isIntegerTy(64)
             ? "(" + names.signedType(i.getType()) + ")" + enclosed(text)
             : text;
}

/// Prints sums that do not overflow as signed arithmetic.
bool LoopPrinter::visitArithmetic(BinaryOperator &i) {
  const char *symbol = i.getOpcode() == Instruction::Add    ? " + "
                       : i.getOpcode() == Instruction::Sub  ? " - "
                       : i.getOpcode() == Instruction::Mul  ? " * "
                       : i.getOpcode() == Instruction::SDiv ? " / "
                       : i.getOpcode() == Instruction::SRem ? " % "
                                                            : nullptr;
  if (!isNumber(i.getType()))
    return false;
  Value *a = i.getOperand(0), *b = i.getOperand(1);
  auto *amount = dyn_cast<ConstantInt>(b);
  bool wraps = isa<OverflowingBinaryOperator>(i) && !i.hasNoSignedWrap();
  if (symbol && !wraps) {
    auto *number = dyn_cast<ConstantInt>(b);
    bool isLess = number && number->isNegative() &&
                  i.getOpcode() == Instruction::Add &&
                  !number->getValue().isMinSignedValue();
    define(i,
           signedText(a) +
               (isLess ? " - " + std::to_string(-number->getSExtValue())
                       : symbol + signedText(b)),
           true);
    return true;
  }
  if (i.getOpcode() == Instruction::Shl && amount && !wraps &&
      amount->getZExtValue() < 31) {
    define(i,
           signedText(a) + " * " +
               std::to_string(int64_t(1) << amount->getZExtValue()),
           true);
    return true;
  }
  return false;
}
