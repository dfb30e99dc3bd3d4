//===- Vectors.cpp - sums, products and conversions of vectors ------------===//
// SPDX-License-Identifier: MIT

#include "Encodings.h"
#include "Select.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

bool Selector::emitVector(const Instruction &instruction) {
  auto forParts = [&](unsigned count, auto emit) {
    return all_of(seq(count), emit);
  };
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (store && store->getValueOperand()->getType()->isVectorTy())
    return forParts(parts, [&](unsigned part) {
      return emitVectorStore(*store->getValueOperand(),
                             *store->getPointerOperand(), nullptr, part);
    });
  if (store && isa<ExtractElementInst>(store->getValueOperand()) &&
      folds.contains(store->getValueOperand())) {
    auto *first = cast<ExtractElementInst>(store->getValueOperand());
    emitFirstStore(*first->getVectorOperand(), *store->getPointerOperand());
    return true;
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && call->getIntrinsicID() == Intrinsic::masked_store)
    return forParts(parts, [&](unsigned part) {
      return emitVectorStore(*call->getArgOperand(0), *call->getArgOperand(1),
                             call->getArgOperand(call->arg_size() - 1), part);
    });
  if (!isVector(instruction.getType()) && !isMask(instruction.getType()))
    return false;
  if (splatOf(&instruction))
    return emitSplat(instruction), true;
  unsigned count = units.partsOf(&instruction);
  return count && forParts(count, [&](unsigned part) {
           return emitVectorPart(instruction, part);
         });
}

/// The instruction of a binary operation on vectors.
static std::optional<Encoding> encodingOf(unsigned opcode) {
  switch (opcode) {
  case Instruction::FAdd:
    return encodings::add;
  case Instruction::FSub:
    return encodings::subtract;
  case Instruction::FMul:
    return encodings::multiply;
  case Instruction::FDiv:
    return encodings::divide;
  case Instruction::Add:
    return encodings::addIntegers;
  case Instruction::Sub:
    return encodings::subtractIntegers;
  case Instruction::Mul:
    return encodings::multiplyIntegers;
  case Instruction::And:
    return encodings::andBits;
  case Instruction::Or:
    return encodings::orBits;
  case Instruction::Xor:
    return encodings::xorBits;
  default:
    return std::nullopt;
  }
}

/// The instruction of an intrinsic on vectors.
static std::optional<Encoding> encodingOfCall(Intrinsic::ID call) {
  switch (call) {
  case Intrinsic::smin:
    return encodings::smallerSigned;
  case Intrinsic::smax:
    return encodings::largerSigned;
  case Intrinsic::umin:
    return encodings::smallerUnsigned;
  case Intrinsic::umax:
    return encodings::largerUnsigned;
  default:
    return std::nullopt;
  }
}

/// The rounding mode of a call, as the immediate of the instruction, with the
/// bit that suppresses exceptions.
static std::optional<int> roundingOf(Intrinsic::ID call) {
  switch (call) {
  case Intrinsic::roundeven:
    return 8;
  case Intrinsic::floor:
    return 9;
  case Intrinsic::ceil:
    return 10;
  case Intrinsic::trunc:
    return 11;
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
    return 12; // the current rounding mode of the processor
  default:
    return std::nullopt;
  }
}

bool Selector::emitVectorPart(const Instruction &instruction, unsigned part) {
  if (isMask(instruction.getType()))
    return emitMask(instruction, part);
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return emitVectorCall(*call, part);
  if (Instruction *product = folds.productIn(instruction))
    return emitFusedProduct(instruction, *product, part), true;
  if (const Instruction *pairs = folds.pairsOf(instruction))
    return emitSumWithPairs(instruction, *pairs, part), true;
  if (folds.contains(instruction.getOperand(0)))
    if (auto pairs = pairsIn(instruction))
      return emitBinary(encodings::multiplyPairs, instruction, pairs->first,
                        pairs->second, part),
             true;
  if (auto encoding = encodingOf(instruction.getOpcode()))
    return emitBinary(*encoding, instruction, instruction.getOperand(0),
                      instruction.getOperand(1), part),
           true;
  switch (instruction.getOpcode()) {
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return emitVectorShift(cast<BinaryOperator>(instruction), part);
  case Instruction::FNeg:
    emitWithBits(encodings::xorBits, instruction, instruction.getOperand(0),
                 signBit, part);
    return true;
  case Instruction::Select:
    return emitChoice(cast<SelectInst>(instruction), part);
  case Instruction::ShuffleVector:
    return emitShuffle(cast<ShuffleVectorInst>(instruction), part);
  case Instruction::Load:
    emitVectorLoad(cast<LoadInst>(instruction), part);
    return true;
  case Instruction::Freeze:
  case Instruction::BitCast:
    return emitCopy(instruction, part);
  default:
    auto *cast = dyn_cast<CastInst>(&instruction);
    return cast && emitCast(*cast, part);
  }
}

bool Selector::emitVectorCall(const IntrinsicInst &call, unsigned part) {
  const Value *first = call.getArgOperand(0);
  if (auto encoding = encodingOfCall(call.getIntrinsicID()))
    return emitBinary(*encoding, call, first, call.getArgOperand(1), part),
           true;
  if (auto how = roundingOf(call.getIntrinsicID()))
    return emitUnary(encodings::round, call, first, part, *how), true;
  switch (call.getIntrinsicID()) {
  case Intrinsic::arithmetic_fence:
    return emitCopy(call, part);
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return emitNumberLimit(call, part);
  case Intrinsic::x86_avx512_vpdpbusd_512:
    return emitQuads(call, part);
  case Intrinsic::fmuladd:
  case Intrinsic::fma:
    emitMultiplyAdd(call, first, call.getArgOperand(1), call.getArgOperand(2),
                    /*isSubtracted=*/false, /*isNegated=*/false, part);
    return true;
  case Intrinsic::lrint:
    return emitUnary(encodings::toNearestInteger, call, first, part), true;
  case Intrinsic::sqrt:
    return emitUnary(encodings::root, call, first, part), true;
  case Intrinsic::fabs:
    return emitWithBits(encodings::andBits, call, first, ~signBit, part), true;
  case Intrinsic::copysign:
    return emitCopySign(call, part), true;
  case Intrinsic::masked_load:
    return emitMaskedLoad(call, part);
  default:
    return false;
  }
}

void Selector::emitVectorLoad(const LoadInst &load, unsigned part) {
  unsigned reg = vectorTarget(&load, part);
  code.load(reg,
            Source(partOf(place(load.getPointerOperand()), part, partBytes())));
  vectorWritten(&load, part, reg);
}

bool Selector::emitCopy(const Instruction &copy, unsigned part) {
  const Value *value = copy.getOperand(0);
  if (!isVector(value->getType()))
    return false;
  unsigned reg = vectorTarget(&copy, part);
  code.load(reg, readVector(value, part, 0));
  vectorWritten(&copy, part, reg);
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void Selector::emitFusedProduct(const Instruction &sum,
                                const Instruction &product, unsigned part) {
  bool isDifference = sum.getOpcode() == Instruction::FSub;
  bool isFirst = sum.getOperand(0) == &product;
  emitMultiplyAdd(sum, product.getOperand(0), product.getOperand(1),
                  sum.getOperand(isFirst), isDifference && isFirst,
                  isDifference && !isFirst, part);
}

void Selector::emitSumWithPairs(const Instruction &sum,
                                const Instruction &pairs, unsigned part) {
  auto [first, second] = *pairsIn(pairs);
  unsigned products = scratchVector(0);
  unsigned left = readVector(first, part, 0);
  code.vector(encodings::multiplyPairs, products, left, source(second, part));
  const Value *addend = sum.getOperand(sum.getOperand(0) == &pairs);
  unsigned reg = vectorTarget(&sum, part);
  code.vector(encodings::addIntegers, reg, products, source(addend, part));
  vectorWritten(&sum, part, reg);
}

void Selector::emitSplat(const Instruction &splat) {
  if (auto *narrow = dyn_cast<TruncInst>(splatOf(&splat))) {
    failed |= !folds.contains(narrow);
    unsigned reg = vectorTarget(&splat, 0);
    code.broadcast(reg, read(narrow->getOperand(0), Rax));
    return vectorWritten(&splat, 0, reg);
  }
  auto *load = dyn_cast<LoadInst>(splatOf(&splat));
  if (!load || !folds.contains(load)) {
    failed = true;
    return;
  }
  unsigned reg = vectorTarget(&splat, 0);
  code.broadcast(reg, place(load->getPointerOperand()));
  vectorWritten(&splat, 0, reg);
}

void Selector::emitBinary(const Encoding &encoding, const Instruction &result,
                          const Value *first, const Value *second,
                          unsigned part) {
  // Only the second operand may be in memory.
  if (result.isCommutative() && !folds.contains(second) &&
      (isa<Constant>(first) || folds.contains(first)))
    std::swap(first, second);
  unsigned reg = vectorTarget(&result, part);
  unsigned left = readVector(first, part, 0);
  code.vector(encoding, reg, left, source(second, part));
  vectorWritten(&result, part, reg);
}

void Selector::emitUnary(const Encoding &encoding, const Instruction &result,
                         const Value *operand, unsigned part, int number) {
  unsigned reg = vectorTarget(&result, part);
  if (number < 0)
    code.vector(encoding, reg, source(operand, part));
  else
    code.vector(encoding, reg, 0, source(operand, part), uint8_t(number));
  vectorWritten(&result, part, reg);
}

void Selector::emitWithBits(const Encoding &encoding, const Instruction &result,
                            const Value *operand, uint32_t number,
                            unsigned part) {
  unsigned reg = vectorTarget(&result, part);
  code.vector(encoding, reg, readVector(operand, part, 0), bits(number));
  vectorWritten(&result, part, reg);
}

/// Emits a fused multiply-add. Its three forms differ in the operand that the
/// result replaces, and in the operand that may be in memory.
void Selector::emitMultiplyAdd(const Instruction &result, const Value *first,
                               const Value *second, const Value *addend,
                               bool isSubtracted, bool isNegated,
                               unsigned part) {
  auto encoding = [&](uint8_t opcode) {
    // Opcode + 2 is product - addend; opcode + 4 is addend - product.
    return Encoding{Prefix::P66, Map::M0F38,
                    uint8_t(opcode + 2 * isSubtracted + 4 * isNegated)};
  };
  constexpr uint8_t replacesFirst = 0x98, alsoFirst = 0xa8, replacesSum = 0xb8;
  auto isThere = [&](const Value *value) {
    return !isa<Constant>(value) && !folds.contains(value) &&
           registerOf(value, part) != ~0u;
  };
  if (!isThere(first))
    std::swap(first, second);
  unsigned reg = vectorTarget(&result, part);
  auto is = [&](const Value *value) {
    return isThere(value) && registerOf(value, part) == reg;
  };
  if (is(second) && isThere(first))
    std::swap(first, second);
  if (is(first) && !is(addend)) {
    if (!is(second) && isThere(second))
      code.vector(encoding(alsoFirst), reg, registerOf(second, part),
                  source(addend, part));
    else if (is(second)) {
      // A square: the result overwrites one factor, so that the other is
      // copied.
      unsigned other = scratchVector(0);
      code.load(other, reg);
      code.vector(encoding(alsoFirst), reg, other, source(addend, part));
    } else {
      unsigned sum = readVector(addend, part, 0);
      code.vector(encoding(replacesFirst), reg, sum, source(second, part));
    }
    return vectorWritten(&result, part, reg);
  }
  // A spilled sum is made in the first scratch register.
  unsigned factor = isThere(first)
                        ? registerOf(first, part)
                        : readVector(first, part, reg == scratchVector(0));
  if (isa<Constant>(addend))
    loadConstant(reg, *cast<Constant>(addend), part);
  else if (registerOf(addend, part) != reg)
    code.load(reg, source(addend, part));
  code.vector(encoding(replacesSum), reg, factor, source(second, part));
  vectorWritten(&result, part, reg);
}

/// Emits a minimum or maximum with a constant. The instruction gives the second
/// operand if the first is NaN.
bool Selector::emitNumberLimit(const IntrinsicInst &call, unsigned part) {
  auto *limit = dyn_cast<Constant>(call.getArgOperand(1));
  auto *number =
      limit ? dyn_cast_or_null<ConstantFP>(limit->getSplatValue()) : nullptr;
  if (!number || number->isNaN() || isa<Constant>(call.getArgOperand(0)))
    return false;
  bool isLeast = call.getIntrinsicID() == Intrinsic::maxnum;
  emitBinary(isLeast ? encodings::larger : encodings::smaller, call,
             call.getArgOperand(0), limit, part);
  return true;
}

/// Emits sums of four products of bytes. The result replaces the sums, and must
/// not have the register of a factor.
bool Selector::emitQuads(const IntrinsicInst &call, unsigned part) {
  const Value *sums = call.getArgOperand(0);
  const Value *bytes = withoutBitCast(call.getArgOperand(1));
  const Value *weights = withoutBitCast(call.getArgOperand(2));
  if (!wide || !isVector(bytes->getType()) || !isVector(weights->getType()))
    return false;
  unsigned reg = vectorTarget(&call, part);
  unsigned first = readVector(bytes, part, 0);
  Source second = source(weights, part);
  unsigned known = isa<Constant>(sums) ? ~0u : registerOf(sums, part);
  bool isRead = first == reg || (!second.isMemory && second.reg == reg);
  unsigned into = known != reg && isRead ? scratchVector(1) : reg;
  if (isa<Constant>(sums))
    loadConstant(into, *cast<Constant>(sums), part);
  else if (known != into)
    code.load(into, source(sums, part));
  code.vector(encodings::multiplyQuads, into, first, second);
  code.load(reg, into);
  vectorWritten(&call, part, reg);
  return true;
}

void Selector::emitCopySign(const IntrinsicInst &call, unsigned part) {
  unsigned reg = vectorTarget(&call, part), scratch = scratchVector(0);
  unsigned sign = readVector(call.getArgOperand(1), part, 0);
  code.vector(encodings::andBits, scratch, sign, bits(signBit));
  // The result may have the register of the number, or the first scratch
  // register.
  bool isScratch = reg == scratch;
  unsigned number = readVector(call.getArgOperand(0), part, 1);
  unsigned size = isScratch ? scratchVector(1) : reg;
  code.vector(encodings::andBits, size, number, bits(~signBit));
  code.vector(encodings::orBits, reg, size, scratch);
  vectorWritten(&call, part, reg);
}

/// The immediate that selects four of four elements: two bits each, the first
/// lowest.
static uint8_t choice(ArrayRef<int> places) {
  return uint8_t(places[0] | places[1] << 2 | places[2] << 4 | places[3] << 6);
}

/// Emits a shuffle of whole quarters, or of elements within each quarter: the
/// steps of a sum or maximum over all lanes, and groups of channels.
bool Selector::emitShuffle(const ShuffleVectorInst &shuffle, unsigned part) {
  ArrayRef<int> places = shuffle.getShuffleMask();
  const Value *value = shuffle.getOperand(0);
  if (places.size() != 16 || !isVector(value->getType()))
    return false;
  if (!isa<UndefValue>(shuffle.getOperand(1)))
    return wide && (emitShuffleOfTwo(shuffle), true);
  if (isa<Constant>(value))
    return false;
  // The source of each quarter, and of each element in a quarter.
  int quarters[4], elements[4];
  for (int i = 0; i < 4; ++i)
    quarters[i] = places[size_t(4 * i)] / 4,
    elements[i] = places[size_t(i)] % 4;
  for (auto [lane, place] : enumerate(places))
    if (place < 0 || place > 15 ||
        place != quarters[lane / 4] * 4 + elements[lane % 4])
      return false;
  constexpr int inOrder[] = {0, 1, 2, 3};
  bool quartersStay = ArrayRef(quarters) == ArrayRef(inOrder);
  bool elementsStay = ArrayRef(elements) == ArrayRef(inOrder);
  // With AVX2 a vector is two registers of two quarters each, of which this
  // part reads one.
  int low = quarters[2 * part], high = quarters[2 * part + 1];
  if (!(quartersStay || (elementsStay && (wide || low / 2 == high / 2))))
    return false;
  unsigned reg = vectorTarget(&shuffle, part);
  bool isMove = !wide && !quartersStay;
  unsigned from = readVector(value, isMove ? unsigned(low / 2) : part, 0);
  if (quartersStay)
    code.vector(encodings::shuffleElements, reg, 0, Source(from),
                choice(elements));
  else if (wide)
    code.vector(encodings::shuffleQuarters, reg, from, Source(from),
                choice(quarters));
  else if (low % 2 == 0 && high % 2 == 1)
    code.load(reg, Source(from));
  else
    code.vector(encodings::shuffleHalves, reg, from, Source(from),
                uint8_t(low % 2 | high % 2 << 4));
  vectorWritten(&shuffle, part, reg);
  return true;
}

/// Emits a shuffle of any elements of two vectors: the steps of a
/// transposition.
void Selector::emitShuffleOfTwo(const ShuffleVectorInst &shuffle) {
  std::string places;
  for (int place : shuffle.getShuffleMask()) {
    auto known = uint32_t(std::max(place, 0));
    places.append(reinterpret_cast<const char *>(&known), 4);
  }
  unsigned reg = vectorTarget(&shuffle, 0);
  unsigned first =
      readVector(shuffle.getOperand(0), 0, reg == scratchVector(0));
  code.load(reg, Source(code.constant(places)));
  code.vector(encodings::shuffleTwo, reg, first,
              source(shuffle.getOperand(1), 0));
  vectorWritten(&shuffle, 0, reg);
}

bool Selector::emitVectorShift(const BinaryOperator &operation, unsigned part) {
  auto *count = dyn_cast<Constant>(operation.getOperand(1));
  Constant *element = count ? count->getSplatValue() : nullptr;
  if (!element || bitsOf(*element) > 31 ||
      isa<Constant>(operation.getOperand(0)))
    return false;
  // The kind of shift is a digit in the register field.
  unsigned digit = operation.getOpcode() == Instruction::Shl    ? 6
                   : operation.getOpcode() == Instruction::LShr ? 2
                                                                : 4;
  unsigned reg = vectorTarget(&operation, part);
  unsigned value = readVector(operation.getOperand(0), part, 0);
  code.vector(encodings::shiftBits, digit, reg, Source(value),
              uint8_t(bitsOf(*element)));
  vectorWritten(&operation, part, reg);
  return true;
}

bool Selector::emitCast(const CastInst &cast, unsigned part) {
  const Value *value = cast.getOperand(0);
  unsigned reg = vectorTarget(&cast, part);
  bool isUnsigned = isa<ZExtInst, UIToFPInst>(cast);
  bool isFloat = cast.getType()->getScalarType()->isFloatTy();
  if (folds.contains(value)) { // bytes
    const Value *pointer = placeOf(*llvm::cast<Instruction>(value));
    const Encoding &encoding =
        isUnsigned ? encodings::widenUnsigned : encodings::widenSigned;
    Memory memory = partOf(place(pointer), part, partBytes() / 4);
    auto *load = dyn_cast<IntrinsicInst>(value);
    uint16_t elements = load ? *maskOf(*load->getArgOperand(1)) : 0xffff;
    if (wide && elements != 0xffff) {
      code.setMask(scratchMask, elements, Rdx);
      code.loadMasked(encoding, reg, memory, scratchMask);
    } else if (!(elements >> (part * 8) & 1)) { // a half
      code.zero(reg);
    } else {
      code.vector(encoding, reg, Source(memory));
    }
    if (isFloat)
      code.vector(encodings::toFloat, reg, Source(reg));
  } else if (isa<FPToSIInst>(cast) && isVector(value->getType())) {
    code.vector(encodings::toInteger, reg, source(value, part));
  } else if (isa<SIToFPInst>(cast) && isVector(value->getType())) {
    code.vector(encodings::toFloat, reg, source(value, part));
  } else {
    return false;
  }
  vectorWritten(&cast, part, reg);
  return true;
}
