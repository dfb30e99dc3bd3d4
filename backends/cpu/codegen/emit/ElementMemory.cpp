//===- ElementMemory.cpp - elements as they lie in memory -----------------===//
// SPDX-License-Identifier: MIT
//
// Numbers of at most 8 bits are converted by tables. Base/Small.h fills the
// tables and is the only definition of these formats.
//
//===----------------------------------------------------------------------===//

#include "ElementMemory.h"
#include "NearestInteger.h"
#include "glow/Base/VisitKind.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type *cpu::memoryType(Emitter &code, ElementKind kind) {
  switch (kind) {
  case ElementKind::F32:
    return code.getFloatTy();
  case ElementKind::F64:
    return code.getDoubleTy();
  case ElementKind::F16:
    return code.getHalfTy();
  default:
    return code.getIntNTy(unsigned(byteSize(kind)) * 8);
  }
}

/// The element type, or a vector of it if `value` is a vector.
static Type *like(Value *value, Type *element) {
  if (auto *vector = dyn_cast<FixedVectorType>(value->getType()))
    return FixedVectorType::get(element, vector->getNumElements());
  return element;
}
static bool isReal(Value *value) {
  return value->getType()->isFPOrFPVectorTy();
}
/// An integer constant of the type of another value.
static Value *number(Value *beside, uint64_t value) {
  return ConstantInt::get(beside->getType(), value);
}
static bool isSmallInteger(ElementKind kind) {
  return isSmall(kind) && !isFloat(kind);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The constant of that name, which is made on first use.
static GlobalVariable *tableOf(Emitter &code, const Twine &name,
                               function_ref<Constant *()> make) {
  Module &ir = *code.module.ir;
  std::string text = name.str();
  if (GlobalVariable *known = ir.getNamedGlobal(text))
    return known;
  Constant *values = make();
  return new GlobalVariable(ir, values->getType(), /*isConstant=*/true,
                            GlobalValue::InternalLinkage, values, text);
}

/// The table of the values of all 256 bytes.
static GlobalVariable *valuesOf(Emitter &code, ElementKind kind) {
  return tableOf(code, "values_" + name(kind), [&] {
    std::vector<float> values;
    visitKind(kind, [&]<typename T>(std::type_identity<T>) {
      if constexpr (isBits<T>)
        for (unsigned bits = 0; bits < 256; ++bits)
          values.push_back(float(fromBits<T>(bits)));
    });
    return ConstantDataArray::get(code.getContext(), values);
  });
}

/// The table with the byte for each upper half of a float.
static GlobalVariable *bytesOf(Emitter &code, ElementKind kind) {
  return tableOf(code, "bytes_" + name(kind), [&] {
    std::vector<uint8_t> bytes;
    visitKind(kind, [&]<typename T>(std::type_identity<T>) {
      if constexpr (isBits<T>)
        for (unsigned upper = 0; upper < 65536; ++upper)
          bytes.push_back(
              uint8_t(T(float(BFloat16::fromBits(uint16_t(upper)))).bits));
    });
    return ConstantDataArray::get(code.getContext(), bytes);
  });
}

/// The elements of a table at the indices `places`.
static Value *lookUp(Emitter &code, GlobalVariable *table, Value *places) {
  Type *element = cast<ArrayType>(table->getValueType())->getElementType();
  Align align(element->getPrimitiveSizeInBits() / 8);
  Value *at = code.CreateGEP(
      element, table, code.CreateZExt(places, like(places, code.getInt64Ty())));
  if (!places->getType()->isVectorTy())
    return code.CreateAlignedLoad(element, at, align);
  return code.CreateMaskedGather(like(places, element), at, align);
}

//===----------------------------------------------------------------------===//
// From memory
//===----------------------------------------------------------------------===//

static bool isUnsignedInMemory(ElementKind kind) {
  return !isFloat(kind) && !isSigned(kind);
}

/// An integer of any kind as one of a wider type.
static Value *widened(Emitter &code, Value *value, ElementKind kind,
                      Type *wanted) {
  if (isSmallInteger(kind) && isSigned(kind)) {
    value = code.CreateZExt(value, wanted);
    uint64_t rest = wanted->getScalarSizeInBits() - bitWidth(kind);
    return code.CreateAShr(code.CreateShl(value, number(value, rest)),
                           number(value, rest));
  }
  return isUnsignedInMemory(kind) ? code.CreateZExtOrTrunc(value, wanted)
                                  : code.CreateSExtOrTrunc(value, wanted);
}

/// A float of any kind, as f32 or f64.
static Value *asReal(Emitter &code, Value *loaded, ElementKind kind) {
  if (isSmall(kind))
    return lookUp(code, valuesOf(code, kind), loaded);
  if (kind != ElementKind::BF16)
    return loaded;
  Value *bits = code.CreateZExt(loaded, like(loaded, code.getInt32Ty()));
  bits = code.CreateShl(bits, number(bits, 16));
  return code.CreateBitCast(bits, like(bits, code.getFloatTy()));
}

Value *cpu::fromMemory(Emitter &code, Value *loaded, ElementKind kind,
                       Type *wanted) {
  wanted = like(loaded, wanted);
  bool wantsReal = wanted->isFPOrFPVectorTy();
  if (isFloat(kind)) {
    Value *value = asReal(code, loaded, kind);
    return wantsReal ? code.CreateFPCast(value, wanted)
                     : code.CreateFPToSI(value, wanted);
  }
  Type *wide = wanted;
  if (wantsReal)
    wide = like(loaded,
                bitWidth(kind) <= 16 ? code.getInt32Ty() : code.getInt64Ty());
  Value *value = widened(code, loaded, kind, wide);
  if (!wantsReal)
    return value;
  return kind == ElementKind::U64 ? code.CreateUIToFP(value, wanted)
                                  : code.CreateSIToFP(value, wanted);
}

//===----------------------------------------------------------------------===//
// Floats to memory
//===----------------------------------------------------------------------===//

/// Rounds to odd, as detail::roundToOdd of Base/Half.h: rounding the result
/// again gives the same as rounding once.
static Value *roundToOdd(Emitter &code, Value *value) {
  Value *near = code.CreateFPTrunc(value, like(value, code.getFloatTy()));
  Value *back = code.CreateFPExt(near, value->getType());
  Value *bits = code.CreateBitCast(near, like(value, code.getInt32Ty()));
  Value *isOdd =
      code.CreateICmpNE(code.CreateAnd(bits, number(bits, 1)), number(bits, 0));
  // Unordered: NaN counts as exact.
  Value *isExact = code.CreateFCmpUEQ(back, value);
  auto size = [&](Value *of) {
    return code.CreateUnaryIntrinsic(Intrinsic::fabs, of);
  };
  Value *isAway = code.CreateFCmpOGT(size(back), size(value));
  Value *neighbour =
      code.CreateSelect(isAway, code.CreateSub(bits, number(bits, 1)),
                        code.CreateAdd(bits, number(bits, 1)));
  bits = code.CreateSelect(code.CreateOr(isExact, isOdd), bits, neighbour);
  return code.CreateBitCast(bits, near->getType());
}

/// bf16 is the upper half of f32, rounded to the nearest, halves to even.
static Value *toBFloat(Emitter &code, Value *value) {
  Value *bits = code.CreateBitCast(value, like(value, code.getInt32Ty()));
  Value *odd =
      code.CreateAnd(code.CreateLShr(bits, number(bits, 16)), number(bits, 1));
  Value *rounded =
      code.CreateAdd(bits, code.CreateAdd(odd, number(bits, 0x7fff)));
  // Rounding could turn NaN into infinity.
  Value *isNan = code.CreateFCmpUNO(value, value);
  Value *quiet = code.CreateOr(bits, number(bits, 0x400000));
  Value *upper = code.CreateLShr(code.CreateSelect(isNan, quiet, rounded),
                                 number(bits, 16));
  return code.CreateTrunc(upper, like(value, code.getInt16Ty()));
}

/// Converts by the upper half of f32, whose last bit is set if any lower bit
/// is: it has at least two bits more than a small float.
static Value *toSmallFloat(Emitter &code, Value *value, ElementKind kind) {
  Value *bits = code.CreateBitCast(value, like(value, code.getInt32Ty()));
  Value *rest = code.CreateICmpNE(code.CreateAnd(bits, number(bits, 0xffff)),
                                  number(bits, 0));
  Value *upper = code.CreateOr(code.CreateLShr(bits, number(bits, 16)),
                               code.CreateZExt(rest, bits->getType()));
  return lookUp(code, bytesOf(code, kind), upper);
}

static Value *toFloat(Emitter &code, Value *value, ElementKind kind) {
  Type *wide = like(value, code.getFloatTy());
  if (kind == ElementKind::F32 || kind == ElementKind::F64)
    return code.CreateFPCast(value, like(value, memoryType(code, kind)));
  if (value->getType() != wide)
    value = roundToOdd(code, value);
  if (kind == ElementKind::F16)
    return code.CreateFPTrunc(value, like(value, code.getHalfTy()));
  return kind == ElementKind::BF16 ? toBFloat(code, value)
                                   : toSmallFloat(code, value, kind);
}

/// Converts an integer to a float; narrow floats by way of f64, with one
/// rounding.
static Value *integerToFloat(Emitter &code, Value *value, ElementKind kind,
                             bool isUnsigned) {
  Type *wide = like(value, kind == ElementKind::F32 ? code.getFloatTy()
                                                    : code.getDoubleTy());
  value = isUnsigned ? code.CreateUIToFP(value, wide)
                     : code.CreateSIToFP(value, wide);
  return toFloat(code, value, kind);
}

//===----------------------------------------------------------------------===//
// Integers to memory
//===----------------------------------------------------------------------===//

static Value *nearestSigned(Emitter &code, Value *value, Type *element) {
  Type *wide = like(value, element);
  return code.CreateIntrinsic(Intrinsic::fptosi_sat, {wide, value->getType()},
                              {value});
}

/// Converts a real number to an unsigned 64-bit integer; numbers from 2^63 on
/// are converted after subtracting 2^63.
static Value *nearestUnsigned(Emitter &code, Value *value) {
  Value *half = ConstantFP::get(value->getType(), 0x1p63);
  Value *isUpper = code.CreateFCmpOGE(value, half);
  Value *lower = nearestSigned(code, value, code.getInt64Ty());
  lower = code.CreateBinaryIntrinsic(Intrinsic::smax, lower, number(lower, 0));
  Value *upper =
      nearestSigned(code, code.CreateFSub(value, half), code.getInt64Ty());
  upper = code.CreateXor(upper, number(upper, uint64_t(1) << 63));
  return code.CreateSelect(isUpper, upper, lower);
}

/// A number before rounding, and the zero point, a byte, that was added after
/// rounding.
struct Rounded {
  Value *before = nullptr;
  int64_t zero = 0;
};
static std::optional<Rounded> roundedIn(Value *value) {
  using namespace PatternMatch;
  Rounded result;
  Value *sum;
  const APFloat *zero;
  if (match(value, m_FAdd(m_Value(sum), m_APFloat(zero)))) {
    APSInt few(17, /*isUnsigned=*/false);
    bool isExact;
    if (zero->convertToInteger(few, APFloat::rmTowardZero, &isExact) !=
        APFloat::opOK)
      return std::nullopt;
    result.zero = few.getSExtValue();
    value = sum;
  }
  if (!match(value, m_Intrinsic<Intrinsic::roundeven>(m_Value(result.before))))
    return std::nullopt;
  return result;
}

/// The nearest unsigned byte, by way of integers. The processor's conversion
/// rounds as `roundeven`, and gives the least integer for small numbers and
/// NaN.
static Value *roundedByte(Emitter &code, const Rounded &rounded) {
  Type *reals = rounded.before->getType();
  Value *limit = ConstantFP::get(reals, 0x1p20);
  Value *kept = code.CreateSelect(code.CreateFCmpOLT(limit, rounded.before),
                                  limit, rounded.before);
  Value *whole = code.CreateIntrinsic(
      Intrinsic::lrint, {like(kept, code.getInt32Ty()), reals}, {kept});
  if (rounded.zero)
    whole = code.CreateAdd(whole, number(whole, uint64_t(rounded.zero)));
  whole = code.CreateBinaryIntrinsic(Intrinsic::smax, whole, number(whole, 0));
  return code.CreateBinaryIntrinsic(Intrinsic::umin, whole, number(whole, 255));
}

/// An integer between two, which are in i32.
static Value *clamped(Emitter &code, Value *whole, int64_t least,
                      int64_t most) {
  whole = code.CreateBinaryIntrinsic(Intrinsic::smax, whole,
                                     number(whole, uint64_t(least)));
  return code.CreateBinaryIntrinsic(Intrinsic::smin, whole,
                                    number(whole, uint64_t(most)));
}

/// The nearest of at most 16 bits without vectors, by integers: limits of reals
/// are calls there, or several instructions.
static Value *scalarOfFew(Emitter &code, Value *value, ElementKind kind) {
  unsigned bits = bitWidth(kind) - isSigned(kind);
  int64_t most = (int64_t(1) << bits) - 1;
  int64_t least = isSigned(kind) ? -most - 1 : 0;
  std::optional<Rounded> rounded = roundedIn(value);
  if (!rounded)
    return clamped(code, nearestSigned(code, value, code.getInt32Ty()), least,
                   most);
  Value *before = rounded->before;
  Value *whole = nearestInteger(code, before);
  RecursivelyDeleteTriviallyDeadInstructions(value);
  if (rounded->zero == 0)
    return clamped(code, whole, least, most);
  constexpr int64_t limit = 1 << 20; // from which a zero leads to no other end
  whole = clamped(code, whole, -limit, limit - 1);
  whole = code.CreateAdd(whole, number(whole, uint64_t(rounded->zero)));
  return code.CreateSelect(code.CreateFCmpORD(before, before),
                           clamped(code, whole, least, most),
                           Constant::getNullValue(whole->getType()));
}

/// The nearest integer of few bits, which every real kind represents exactly.
static Value *nearestOfFew(Emitter &code, Value *value, ElementKind kind) {
  if (code.lanes == 1 && value->getType() == code.vector)
    return scalarOfFew(code, value, kind);
  if (kind == ElementKind::U8 && code.module.target.has("avx512f") &&
      value->getType() == code.vector)
    if (std::optional<Rounded> rounded = roundedIn(value);
        rounded && rounded->zero >= 0 && rounded->zero <= UINT8_MAX) {
      Value *byte = roundedByte(code, *rounded);
      RecursivelyDeleteTriviallyDeadInstructions(value);
      return byte;
    }
  unsigned bits = bitWidth(kind) - isSigned(kind);
  double most = double((1 << bits) - 1), least = isSigned(kind) ? -most - 1 : 0;
  auto real = [&](double number) {
    return ConstantFP::get(value->getType(), number);
  };
  Value *kept =
      code.CreateMinNum(code.CreateMaxNum(value, real(least)), real(most));
  Type *wide = like(value, code.getInt32Ty());
  Value *whole = code.CreateFPToSI(kept, wide);
  if (!isSigned(kind)) // the larger of NaN and 0 is 0
    return whole;
  return code.CreateSelect(code.CreateFCmpORD(value, value), whole,
                           Constant::getNullValue(wide));
}

/// The nearest integer of a kind that is not wider than i64.
static Value *nearest(Emitter &code, Value *value, ElementKind kind) {
  if (bitWidth(kind) <= 16)
    return nearestOfFew(code, value, kind);
  if (kind == ElementKind::U64)
    return nearestUnsigned(code, value);
  value = nearestSigned(code, value, code.getInt64Ty());
  unsigned bits = bitWidth(kind) - isSigned(kind);
  int64_t most = bits == 63 ? INT64_MAX : (int64_t(1) << bits) - 1;
  int64_t least = isSigned(kind) ? -most - 1 : 0;
  value = code.CreateBinaryIntrinsic(Intrinsic::smin, value,
                                     number(value, uint64_t(most)));
  return code.CreateBinaryIntrinsic(Intrinsic::smax, value,
                                    number(value, uint64_t(least)));
}

/// The bits of an element; the unused bits of a small integer are 0.
static Value *lowBits(Emitter &code, Value *value, ElementKind kind) {
  value = code.CreateZExtOrTrunc(value, like(value, memoryType(code, kind)));
  if (!isSmallInteger(kind))
    return value;
  return code.CreateAnd(value, number(value, (1u << bitWidth(kind)) - 1));
}

Value *cpu::isNotZero(Emitter &code, Value *value) {
  if (auto *wide = dyn_cast<CastInst>(value);
      wide && isa<ZExtInst, SExtInst>(wide))
    value = wide->getOperand(0);
  if (value->getType()->isIntOrIntVectorTy(1))
    return value;
  Value *zero = Constant::getNullValue(value->getType());
  return isReal(value) ? code.CreateFCmpUNE(value, zero)
                       : code.CreateICmpNE(value, zero);
}

Value *cpu::toMemory(Emitter &code, Value *value, ElementKind kind,
                     bool isUnsigned, Beyond beyond) {
  if (kind == ElementKind::Bool) {
    return code.CreateZExt(isNotZero(code, value),
                           like(value, code.getInt8Ty()));
  }
  if (isFloat(kind))
    return isReal(value) ? toFloat(code, value, kind)
                         : integerToFloat(code, value, kind, isUnsigned);
  if (isReal(value))
    value = beyond == Beyond::Nearest || kind == ElementKind::U64
                ? nearest(code, value, kind)
                : nearestSigned(code, value, code.getInt64Ty());
  // A computed i32 is wide enough, except for elements of 64 bits.
  if (value->getType()->getScalarSizeInBits() < byteSize(kind) * 8)
    value = code.CreateSExt(value, like(value, memoryType(code, kind)));
  return lowBits(code, value, kind);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static Constant *firstLanes(Emitter &code, int64_t count) {
  SmallVector<Constant *> mask;
  for (int64_t i = 0; i < code.lanes; ++i)
    mask.push_back(code.getInt1(i < count));
  return ConstantVector::get(mask);
}

Value *cpu::loadElements(Emitter &code, Type *element, Value *from,
                         int64_t count, Align align) {
  auto *type = FixedVectorType::get(element, unsigned(code.lanes));
  if (count == code.lanes)
    return code.CreateAlignedLoad(type, from, align);
  return code.CreateMaskedLoad(type, from, align, firstLanes(code, count),
                               Constant::getNullValue(type));
}

Value *cpu::loadReals(Emitter &code, Value *pointer, Value *place,
                      ElementKind kind, int64_t count) {
  Type *element = memoryType(code, kind);
  Value *loaded =
      loadElements(code, element, code.CreateGEP(element, pointer, place),
                   count, Align(byteSize(kind)));
  return fromMemory(code, loaded, kind, code.getFloatTy());
}

Value *cpu::loadReal(Emitter &code, Value *pointer, ElementKind kind) {
  Value *loaded = code.CreateAlignedLoad(memoryType(code, kind), pointer,
                                         Align(byteSize(kind)));
  return code.splat(fromMemory(code, loaded, kind, code.getFloatTy()));
}

void cpu::storeElements(Emitter &code, Value *vector, Value *pointer,
                        Value *place, int64_t count) {
  Type *element = cast<FixedVectorType>(vector->getType())->getElementType();
  storeElements(code, vector, code.CreateGEP(element, pointer, place), count,
                Align(element->getPrimitiveSizeInBits() / 8));
}

void cpu::storeElements(Emitter &code, Value *vector, Value *to, int64_t count,
                        Align align) {
  if (count == code.lanes)
    code.CreateAlignedStore(vector, to, align);
  else
    code.CreateMaskedStore(vector, to, align, firstLanes(code, count));
}
