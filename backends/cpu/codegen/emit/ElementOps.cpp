//===- ElementOps.cpp - arithmetic of vectors of elements -----------------===//
// SPDX-License-Identifier: MIT

#include "ElementOps.h"
#include "ElementMemory.h"
#include "common/Library.h"
#include "glow/Base/Scalar.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Form;
using loops::Op;

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

FixedVectorType *ElementOps::vectorOf(Type *of) const {
  return FixedVectorType::get(of, unsigned(code.lanes));
}
Value *ElementOps::spread(Value *value) {
  if (value->getType()->isVectorTy())
    return value;
  if (!value->getType()->isIntegerTy(1) || isa<Constant>(value))
    return code.CreateVectorSplat(unsigned(code.lanes), value);
  // A select of constants: LLVM would broadcast an i1 lane by lane.
  auto all = [&](bool holds) {
    return ConstantVector::getSplat(
        ElementCount::getFixed(unsigned(code.lanes)), code.getInt1(holds));
  };
  return code.CreateSelect(value, all(true), all(false));
}
std::pair<Value *, Value *> ElementOps::alike(Value *a, Value *b) {
  if (a->getType()->isVectorTy() || b->getType()->isVectorTy())
    return {spread(a), spread(b)};
  return {a, b};
}

Value *ElementOps::number(double value) {
  if (isReal())
    return spread(ConstantFP::get(element, value));
  uint64_t bits = isUnsigned() && value > 0
                      ? scalar::as<uint64_t>(value)
                      : uint64_t(scalar::as<int64_t>(value));
  return spread(ConstantInt::get(element, bits));
}
Value *ElementOps::place(int64_t value) { return spread(code.integer(value)); }

//===----------------------------------------------------------------------===//
// Booleans
//===----------------------------------------------------------------------===//

/// Compares elements, or indices.
Value *ElementOps::compare(Op op, bool ofElements, Value *a, Value *b) {
  bool isReal = a->getType()->isFPOrFPVectorTy();
  bool noSign = ofElements && isUnsigned();
  switch (op) {
  case Op::Less:
    return isReal ? code.CreateFCmpOLT(a, b)
                  : code.CreateICmp(
                        noSign ? CmpInst::ICMP_ULT : CmpInst::ICMP_SLT, a, b);
  case Op::LessEqual:
    return isReal ? code.CreateFCmpOLE(a, b)
                  : code.CreateICmp(
                        noSign ? CmpInst::ICMP_ULE : CmpInst::ICMP_SLE, a, b);
  default:
    return isReal ? code.CreateFCmpOEQ(a, b) : code.CreateICmpEQ(a, b);
  }
}

/// Narrows an integer that was loaded from less than 32 bits to 32 bits, for
/// which processors have vectors.
static Value *narrowed(Emitter &code, Value *x) {
  auto *wide = dyn_cast<CastInst>(x);
  if (!wide || !isa<ZExtInst, SExtInst>(wide) ||
      wide->getSrcTy()->getScalarSizeInBits() >= 32 ||
      wide->getSrcTy()->isIntOrIntVectorTy(1))
    return x;
  auto *type =
      VectorType::get(code.getInt32Ty(), cast<VectorType>(wide->getType()));
  return code.CreateCast(wide->getOpcode(), wide->getOperand(0), type);
}

/// Converts an index or a boolean to an element, or an element to a boolean.
Value *ElementOps::convert(const loops::Node &node, Value *x) {
  if (node.form == Form::Boolean)
    return isNotZero(code, x);
  bool isBoolean = node.operands[0]->form == Form::Boolean;
  Type *type = x->getType()->isVectorTy() ? vectorOf(element) : element;
  if (isReal() && x->getType()->isVectorTy())
    x = narrowed(code, x);
  if (isReal())
    x = isBoolean ? code.CreateUIToFP(x, type) : code.CreateSIToFP(x, type);
  else if (isBoolean)
    x = code.CreateZExt(x, type);
  return spread(x);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value *ElementOps::divide(Value *a, Value *b) {
  if (isReal())
    return code.CreateFDiv(a, b);
  Type *type = a->getType();
  Value *zero = Constant::getNullValue(type);
  if (isUnsigned()) {
    Value *byNone = code.CreateICmpEQ(b, zero);
    Value *safe = code.CreateSelect(byNone, ConstantInt::get(type, 1), b);
    return code.CreateSelect(byNone, zero, code.CreateUDiv(a, safe));
  }
  Value *minusOne = code.CreateICmpEQ(b, ConstantInt::getAllOnesValue(type));
  Value *byZero = code.CreateICmpEQ(b, zero);
  // Division by 0 is undefined, and division by -1 may overflow.
  Value *safe = code.CreateSelect(code.CreateOr(minusOne, byZero),
                                  ConstantInt::get(type, 1), b);
  Value *quotient = code.CreateSDiv(a, safe);
  quotient = code.CreateSelect(minusOne, code.CreateNeg(a), quotient);
  return code.CreateSelect(byZero, zero, quotient);
}

Value *ElementOps::leads(Value *a, Value *b, bool isMax) {
  if (isReal())
    return isMax ? code.CreateFCmpOGT(a, b) : code.CreateFCmpOLT(a, b);
  // For a minimum, `a` leads if it is less than `b`.
  return compare(Op::Less, /*ofElements=*/true, isMax ? b : a, isMax ? a : b);
}

/// The maximum or minimum. A constant is compared first: `a > b ? a : b` is one
/// instruction, which gives b if either is NaN.
Value *ElementOps::best(Value *a, Value *b, bool isMax) {
  if (!isReal())
    return code.CreateSelect(leads(a, b, isMax), a, b);
  if (isa<Constant>(b))
    std::swap(a, b);
  Value *best = code.CreateSelect(leads(a, b, isMax), a, b);
  return code.CreateSelect(code.CreateFCmpUNO(a, a), a, best);
}

/// The 16-bit integer that an element was converted from; null if there is
/// none.
static Value *bitsOf(Emitter &code, Value *x) {
  Value *one = getSplatValue(x);
  auto *made = dyn_cast<CastInst>(one ? one : x);
  if (!made || !isa<SIToFPInst, UIToFPInst>(made))
    return nullptr;
  Value *number = made->getOperand(0);
  KnownBits known = computeKnownBits(number, code.module.ir->getDataLayout());
  return known.countMaxActiveBits() <= 16 ? number : nullptr;
}

/// The float with these bits, if the operands are known integers; else null.
Value *ElementOps::ofBits(StringRef function, ArrayRef<Value *> x) {
  if (!element->isFloatTy() || (function != "halfOf" && function != "singleOf"))
    return nullptr;
  SmallVector<Value *> bits;
  for (Value *operand : x)
    bits.push_back(bitsOf(code, operand));
  if (is_contained(bits, nullptr) ||
      bits.front()->getType() != bits.back()->getType())
    return nullptr;
  auto like = [&](Type *type) {
    return bits[0]->getType()->isVectorTy() ? vectorOf(type) : type;
  };
  auto as = [&](Value *number, Type *type) {
    return code.CreateZExtOrTrunc(number, like(type));
  };
  if (function == "halfOf")
    return spread(fromMemory(code,
                             code.CreateBitCast(as(bits[0], code.getInt16Ty()),
                                                like(code.getHalfTy())),
                             ElementKind::F16, element));
  Value *upper = code.CreateShl(as(bits[1], code.getInt32Ty()), 16);
  Value *all = code.CreateOr(as(bits[0], code.getInt32Ty()), upper);
  return spread(code.CreateBitCast(all, like(element)));
}

/// The LLVM intrinsic of a scalar function, if there is one.
static Intrinsic::ID intrinsicOf(StringRef function) {
  return StringSwitch<Intrinsic::ID>(function)
      .Case("abs", Intrinsic::fabs)
      .Case("ceil", Intrinsic::ceil)
      .Case("floor", Intrinsic::floor)
      .Case("round", Intrinsic::roundeven)
      .Case("sqrt", Intrinsic::sqrt)
      .Default(Intrinsic::not_intrinsic);
}

/// Calls a function of the library; vectors larger than any register are passed
/// by address.
Value *ElementOps::call(StringRef function, ArrayRef<Value *> x) {
  if (function == "max" || function == "min")
    return best(x[0], x[1], function == "max");
  if (Value *known = ofBits(function, x))
    return known;
  if (auto intrinsic = intrinsicOf(function); isReal() && intrinsic)
    return code.CreateUnaryIntrinsic(intrinsic, x[0]);
  FixedVectorType *type = vectorOf(element);
  ElementKind kind = element->isFloatTy()    ? ElementKind::F32
                     : element->isDoubleTy() ? ElementKind::F64
                     : isUnsigned()          ? ElementKind::U64
                                             : ElementKind::I64;
  bool wide = kind != ElementKind::F32;
  SmallVector<Value *> arguments;
  auto address = [&] {
    BasicBlock &entry = code.function->getEntryBlock();
    return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  };
  if (wide)
    arguments.push_back(address());
  for (Value *operand : x) {
    arguments.push_back(wide ? address() : operand);
    if (wide)
      code.CreateStore(operand, arguments.back());
  }
  Value *given =
      code.callLibrary(scalarFunction(function, kind),
                       wide ? code.getVoidTy() : cast<Type>(type), arguments);
  return wide ? code.CreateLoad(type, arguments.front()) : given;
}

Value *ElementOps::onePlusExpOfMinus(Value *x) {
  Value *given = spread(x);
  return code.callLibrary("glow_one_plus_exp_of_minus", given->getType(),
                          given);
}

Value *ElementOps::negate(Value *x) {
  return isReal() ? code.CreateFNeg(x) : code.CreateNeg(x);
}

/// Forces rounding of a value, so that a product is not fused with its sum.
Value *ElementOps::rounded(Value *x) {
  auto *negated = dyn_cast<UnaryOperator>(x);
  auto *product =
      dyn_cast<BinaryOperator>(negated ? negated->getOperand(0) : x);
  return product && product->getOpcode() == Instruction::FMul
             ? code.CreateArithmeticFence(x, x->getType())
             : x;
}
Value *ElementOps::summand(Value *x) { return roundsProducts ? rounded(x) : x; }

/// Computes a formula of fused nodes. The text is known to be valid.
Value *ElementOps::formula(StringRef text, ArrayRef<Value *> x) {
  SmallVector<Value *> operands;
  for (Value *operand : x)
    operands.push_back(spread(operand));
  return rounded(emitFormula(code, *Formula::parse(text), operands));
}

Value *ElementOps::arithmetic(Op op, ArrayRef<Value *> x) {
  switch (op) {
  case Op::Add:
    return isReal() ? code.CreateFAdd(summand(x[0]), summand(x[1]))
                    : code.CreateAdd(x[0], x[1]);
  case Op::Subtract:
    return isReal() ? code.CreateFSub(summand(x[0]), summand(x[1]))
                    : code.CreateSub(x[0], x[1]);
  case Op::Multiply:
    return isReal() ? code.CreateFMul(x[0], x[1]) : code.CreateMul(x[0], x[1]);
  case Op::Divide:
    return divide(x[0], x[1]);
  case Op::Negate:
    return negate(x[0]);
  default:
    return call("fmod", x);
  }
}

/// Whether both comparisons hold. Of 0 <= v and v < n, where n is a number that
/// is not negative, one comparison without signs is as much.
static Value *bothOf(IRBuilder<> &code, Value *a, Value *b) {
  using namespace PatternMatch;
  Value *v = nullptr;
  const APInt *end = nullptr;
  const bool isInside =
      match(a, m_SpecificICmp(CmpInst::ICMP_SLE, m_Zero(), m_Value(v))) &&
      match(b,
            m_SpecificICmp(CmpInst::ICMP_SLT, m_Specific(v), m_APInt(end))) &&
      end->isNonNegative();
  return isInside ? code.CreateICmpULT(v, cast<ICmpInst>(b)->getOperand(1))
                  : code.CreateAnd(a, b);
}

Value *ElementOps::apply(const loops::Node &node, ArrayRef<Value *> x) {
  switch (node.op) {
  case Op::Number:
    return node.form == Form::Boolean ? code.getInt1(node.integer)
                                      : number(node.real);
  case Op::Less:
  case Op::LessEqual:
  case Op::Equal: {
    auto [a, b] = alike(x[0], x[1]);
    return compare(node.op, node.operands[0]->form == Form::Element, a, b);
  }
  case Op::Both:
  case Op::Either: {
    auto [a, b] = alike(x[0], x[1]);
    return node.op == Op::Both ? bothOf(code, a, b) : code.CreateOr(a, b);
  }
  case Op::Not:
    return code.CreateNot(x[0]);
  case Op::Select: {
    auto [yes, no] = alike(x[1], x[2]);
    bool isVector = x[0]->getType()->isVectorTy();
    return code.CreateSelect(x[0], isVector ? spread(yes) : yes,
                             isVector ? spread(no) : no);
  }
  case Op::Convert:
    return convert(node, x[0]);
  case Op::Call:
    return call(node.name, x);
  case Op::Formula:
    return formula(node.name, x);
  default:
    return arithmetic(node.op, x);
  }
}
