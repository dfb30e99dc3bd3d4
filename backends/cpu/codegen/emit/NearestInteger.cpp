//===- NearestInteger.cpp - floats as the nearest integers ----------------===//
// SPDX-License-Identifier: MIT

#include "NearestInteger.h"
#include "llvm/IR/IntrinsicsARM.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// In the range of 1.5 * 2^23, the last bit of a float is 1: a sum with it is
/// rounded to an integer, which its low bits are. Limits are those of the bits,
/// since comparisons of floats are calls.
static Value *nearestBySum(Emitter &code, Value *real) {
  constexpr float whole = 0x1.8p23f, limit = 0x1p21f;
  auto bitsOf = [&](float number) {
    return code.getInt32(std::bit_cast<uint32_t>(number));
  };
  Value *bits = code.CreateBitCast(real, code.getInt32Ty());
  Value *size = code.CreateAnd(bits, code.getInt32(0x7fffffff));
  Value *sign = code.CreateAnd(bits, code.getInt32(0x80000000));
  Value *kept =
      code.CreateBinaryIntrinsic(Intrinsic::umin, size, bitsOf(limit));
  kept = code.CreateBitCast(code.CreateOr(kept, sign), code.getFloatTy());
  Value *sum =
      code.CreateFAdd(kept, ConstantFP::get(code.getFloatTy(), double(whole)));
  Value *nearest =
      code.CreateSub(code.CreateBitCast(sum, code.getInt32Ty()), bitsOf(whole));
  Value *isNan = code.CreateICmpUGT(size, code.getInt32(0x7f800000));
  return code.CreateSelect(isNan, code.getInt32(0), nearest);
}

Value *cpu::nearestInteger(Emitter &code, Value *real) {
  auto *integers = FixedVectorType::get(code.getInt32Ty(), 1);
  Target::Nearest way = code.module.target.nearest;
  if (code.module.isText) // without a function of libm
    way = Target::Nearest::Sum;
  if (way == Target::Nearest::Rounding) {
    Value *rounded = code.CreateUnaryIntrinsic(Intrinsic::roundeven, real);
    return code.CreateIntrinsic(Intrinsic::fptosi_sat,
                                {integers, real->getType()}, {rounded});
  }
  Value *number = code.CreateExtractElement(real, uint64_t(0));
  Value *nearest = way == Target::Nearest::Conversion
                       ? code.CreateBitCast(code.CreateIntrinsic(
                                                Intrinsic::arm_vcvtr,
                                                {code.getFloatTy()}, {number}),
                                            code.getInt32Ty())
                       : nearestBySum(code, number);
  return code.CreateBitCast(nearest, integers);
}
