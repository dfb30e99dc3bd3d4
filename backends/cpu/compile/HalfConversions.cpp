//===- HalfConversions.cpp - f16 by integers ------------------------------===//
// SPDX-License-Identifier: MIT
//
// A float of 16 bits has a sign, 5 bits of exponent and 10 of fraction; its
// fraction begins at bit 13 of an f32, and its exponents are 112 lower. Numbers
// below the smallest normal f16 are converted by a sum of floats whose last bit
// counts 2^-24, which rounds halves to even as the processor does.
//
//===----------------------------------------------------------------------===//

#include "HalfConversions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace {

/// The type with elements of another one.
Type *like(Type *type, Type *element) {
  auto *vector = dyn_cast<VectorType>(type);
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

class Converter {
public:
  explicit Converter(Instruction &before) : code(&before) {}

  /// f16 to f32, exactly; a signaling NaN becomes quiet.
  Value *toFloat(Value *half) {
    Value *bits = code.CreateBitCast(half, of(half, code.getInt16Ty()));
    bits = code.CreateZExt(bits, of(half, code.getInt32Ty()));
    Value *sign = code.CreateShl(code.CreateAnd(bits, 0x8000), 16);
    Value *size = code.CreateShl(code.CreateAnd(bits, 0x7fff), 13);
    Value *normal = code.CreateAdd(size, number(size, 112u << 23));
    Value *small = asFloat(code.CreateAdd(size, number(size, 113u << 23)));
    small = asBits(
        code.CreateFSub(small, ConstantFP::get(small->getType(), 0x1p-14)));
    Value *large = code.CreateAdd(size, number(size, 224u << 23));
    Value *quiet = code.CreateOr(large, number(size, 1u << 22));
    Value *infinity = number(size, 0x7c00u << 13);
    Value *result = code.CreateSelect(
        code.CreateICmpULT(size, number(size, 0x0400u << 13)), small, normal);
    result =
        code.CreateSelect(code.CreateICmpEQ(size, infinity), large, result);
    result =
        code.CreateSelect(code.CreateICmpUGT(size, infinity), quiet, result);
    return asFloat(code.CreateOr(result, sign));
  }

  /// f32 to the nearest f16, halves to even.
  Value *toHalf(Value *real) {
    Value *bits = asBits(real);
    Value *sign = code.CreateAnd(code.CreateLShr(bits, 16), 0x8000);
    Value *size = code.CreateAnd(bits, 0x7fffffff);
    Value *odd = code.CreateAnd(code.CreateLShr(size, 13), 1);
    // Minus 112 exponents, and half of the last bit that stays.
    Value *normal = code.CreateLShr(
        code.CreateAdd(code.CreateAdd(size, number(size, 0xc8000fff)), odd),
        13);
    Value *small = asFloat(size);
    small = code.CreateFAdd(small, ConstantFP::get(small->getType(), 0.5));
    small = code.CreateSub(asBits(small), number(size, 126u << 23));
    Value *quiet = code.CreateOr(
        code.CreateAnd(code.CreateLShr(size, 13), 0x3ff), number(size, 0x7e00));
    Value *result = code.CreateSelect(
        code.CreateICmpULT(size, number(size, 113u << 23)), small, normal);
    result =
        code.CreateSelect(code.CreateICmpUGE(size, number(size, 143u << 23)),
                          number(size, 0x7c00), result);
    result = code.CreateSelect(
        code.CreateICmpUGT(size, number(size, 255u << 23)), quiet, result);
    result = code.CreateTrunc(code.CreateOr(result, sign),
                              of(real, code.getInt16Ty()));
    return code.CreateBitCast(result, of(real, code.getHalfTy()));
  }

  IRBuilder<> code;

private:
  static Type *of(Value *value, Type *element) {
    return like(value->getType(), element);
  }
  Value *asBits(Value *value) {
    return code.CreateBitCast(value, of(value, code.getInt32Ty()));
  }
  Value *asFloat(Value *value) {
    return code.CreateBitCast(value, of(value, code.getFloatTy()));
  }
  static Constant *number(Value *beside, uint32_t value) {
    return ConstantInt::get(beside->getType(), value);
  }
};

} // namespace

static bool isHalf(Type *type) { return type->getScalarType()->isHalfTy(); }
static bool isFloat(Type *type) { return type->getScalarType()->isFloatTy(); }

/// The replacement of a conversion; null for other instructions.
static Value *converted(Instruction &instruction) {
  auto *cast = dyn_cast<CastInst>(&instruction);
  if (!cast)
    return nullptr;
  Converter converter(instruction);
  Value *from = cast->getOperand(0);
  Type *to = cast->getType();
  switch (cast->getOpcode()) {
  case Instruction::FPExt:
    if (!isHalf(from->getType()))
      return nullptr;
    return converter.code.CreateFPExt(converter.toFloat(from), to);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    if (!isHalf(from->getType()))
      return nullptr;
    return converter.code.CreateCast(cast->getOpcode(), converter.toFloat(from),
                                     to);
  case Instruction::FPTrunc:
    return isHalf(to) && isFloat(from->getType()) ? converter.toHalf(from)
                                                  : nullptr;
  default:
    return nullptr;
  }
}

void glow::cpu::convertHalvesByIntegers(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (Value *value = converted(instruction)) {
        instruction.replaceAllUsesWith(value);
        instruction.eraseFromParent();
      }
}
