//===- Fold.cpp - folding of LLVM instructions into operands --------------===//
// SPDX-License-Identifier: MIT
//
// A folded instruction becomes part of its users: an address or a load as a
// memory operand, an element that the user broadcasts (AVX-512), a product in a
// fused sum, a comparison that sets the flags just before they are read. It has
// no register, and no code of its own.
//
//===----------------------------------------------------------------------===//

#include "Fold.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

bool quick::isAll(const Value &mask) {
  auto *constant = dyn_cast<Constant>(&mask);
  return constant && constant->isAllOnesValue();
}

std::optional<uint16_t> quick::maskOf(const Value &mask) {
  auto *constant = dyn_cast<Constant>(&mask);
  if (!constant)
    return std::nullopt;
  uint16_t elements = 0;
  for (unsigned i = 0; i < 16; ++i) {
    Constant *element = constant->getAggregateElement(i);
    if (!element)
      return std::nullopt;
    elements |= uint16_t(element->isOneValue() << i);
  }
  return elements;
}

bool quick::isOfHalves(uint16_t elements) {
  auto isWhole = [](unsigned half) { return half == 0 || half == 0xff; };
  return isWhole(elements & 0xff) && isWhole(elements >> 8);
}

static bool isVectorOf(const Type *type, unsigned bits) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 16 &&
         vector->getScalarSizeInBits() == bits &&
         (vector->getElementType()->isFloatTy() ||
          vector->getElementType()->isIntegerTy());
}
bool quick::isVector(const Type *type) { return isVectorOf(type, 32); }
bool quick::isMask(const Type *type) { return isVectorOf(type, 1); }
bool quick::isGeneral(const Type *type) {
  return type->isPointerTy() || type->isIntegerTy(64) || type->isIntegerTy(1);
}

Value *quick::splatOf(const Value *vector) {
  auto *shuffle = dyn_cast<ShuffleVectorInst>(vector);
  if (!shuffle || !shuffle->isZeroEltSplat())
    return nullptr;
  auto *insert = dyn_cast<InsertElementInst>(shuffle->getOperand(0));
  auto *index = insert ? dyn_cast<ConstantInt>(insert->getOperand(2)) : nullptr;
  return index && index->isZero() ? insert->getOperand(1) : nullptr;
}

const Value *quick::withoutBitCast(const Value *bytes) {
  auto *cast = dyn_cast<BitCastInst>(bytes);
  return cast ? cast->getOperand(0) : bytes;
}

std::optional<std::pair<const Value *, const Value *>>
quick::pairsIn(const Instruction &sum) {
  // LLVM IR has no such instruction. The pattern is the sum of the even and the
  // odd elements of a product whose factors are extended 16-bit vectors.
  if (sum.getOpcode() != Instruction::Add || !isVector(sum.getType()))
    return std::nullopt;
  const Value *products[2];
  for (unsigned i : {0, 1}) {
    auto *every = dyn_cast<ShuffleVectorInst>(sum.getOperand(i));
    unsigned start = 0;
    if (!every || every->getShuffleMask().size() != 16 ||
        !ShuffleVectorInst::isDeInterleaveMaskOfFactor(every->getShuffleMask(),
                                                       2, start) ||
        start != i)
      return std::nullopt;
    products[i] = every->getOperand(0);
  }
  auto *product = dyn_cast<BinaryOperator>(products[0]);
  if (products[0] != products[1] || !product ||
      product->getOpcode() != Instruction::Mul)
    return std::nullopt;
  const Value *factors[2];
  for (unsigned i : {0, 1}) {
    auto *wide = dyn_cast<SExtInst>(product->getOperand(i));
    auto *words = wide ? dyn_cast<BitCastInst>(wide->getOperand(0)) : nullptr;
    if (!words || !isVector(words->getSrcTy()) ||
        !words->getDestTy()->getScalarType()->isIntegerTy(16))
      return std::nullopt;
    factors[i] = words->getOperand(0);
  }
  return std::pair(factors[0], factors[1]);
}

static bool isQuads(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::x86_avx512_vpdpbusd_512;
}

Value *quick::placeOf(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return const_cast<Value *>(load->getPointerOperand());
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return const_cast<Value *>(store->getPointerOperand());
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return nullptr;
  switch (call->getIntrinsicID()) {
  case Intrinsic::prefetch:
  case Intrinsic::masked_load:
    return call->getArgOperand(0);
  case Intrinsic::masked_store:
    return call->getArgOperand(1);
  default:
    return nullptr;
  }
}

static bool isFirstElement(const ExtractElementInst &extract) {
  auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand());
  return index && index->isZero() &&
         isVector(extract.getVectorOperand()->getType());
}

/// Whether memory may change between two instructions of a block.
static bool isWrittenBetween(const Instruction &first,
                             const Instruction &second) {
  for (const Instruction *next = first.getNextNode(); next != &second;
       next = next->getNextNode()) {
    auto *call = dyn_cast<IntrinsicInst>(next);
    bool isFetch = call && call->getIntrinsicID() == Intrinsic::prefetch;
    // A folded load moves to its user, and must still read the same value.
    if (next->mayWriteToMemory() && !isFetch)
      return true;
  }
  return false;
}

Folds::Folds(Function &function, const DataLayout &layout, bool wide)
    : layout(layout), wide(wide) {
  // Definitions come before their users, except for phis, which fold nothing.
  for (BasicBlock &block : function)
    // From the end: whether a load can be folded depends on whether its user is
    // folded itself.
    for (Instruction &instruction : reverse(block))
      if (fold(instruction))
        folded.insert(&instruction);
}

bool Folds::onlyUserIs(Instruction &value,
                       function_ref<bool(Instruction &)> is) const {
  if (!value.hasOneUse())
    return false;
  auto *user = cast<Instruction>(*value.user_begin());
  return user->getParent() == value.getParent() && !isa<PHINode>(user) &&
         is(*user);
}

bool Folds::fold(Instruction &instruction) {
  auto usersAre = [&](auto is) {
    return all_of(instruction.users(), [&](User *user) {
      return cast<Instruction>(user)->getParent() == instruction.getParent() &&
             is(user);
    });
  };
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return foldAddress(*address);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return foldLoad(*load);
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return (call->getIntrinsicID() == Intrinsic::masked_load &&
            isVectorOf(call->getType(), 8) && isLoadOfKnown(*call) &&
            isWidened(*call)) ||
           foldLimit(*call);
  if (isa<InsertElementInst>(instruction))
    return usersAre([&](User *user) { return splatOf(user) != nullptr; });
  if (isa<ShuffleVectorInst>(instruction))
    return foldSplat(instruction) ||
           onlyUserIs(instruction, [&](Instruction &user) {
             return pairsIn(user).has_value();
           });
  if (auto *extract = dyn_cast<ExtractElementInst>(&instruction))
    return isFirstElement(*extract) && usersAre([&](User *user) {
             return isa<StoreInst>(user) && user->getOperand(0) == extract;
           });
  if (auto *compare = dyn_cast<ICmpInst>(&instruction))
    return isGeneral(compare->getOperand(0)->getType()) &&
           usersAre([&](User *user) {
             auto *select = dyn_cast<SelectInst>(user);
             return isa<BranchInst>(user) ||
                    (select && select->getCondition() == compare &&
                     isGeneral(select->getType()));
           });
  if (isa<FCmpInst>(instruction))
    return isMask(instruction.getType()) && usersAre([&](User *user) {
             auto *select = dyn_cast<SelectInst>(user);
             return select && select->getCondition() == &instruction;
           });
  if (instruction.getOpcode() == Instruction::FMul)
    return foldProduct(instruction);
  if (instruction.getOpcode() == Instruction::Add)
    return foldPairs(instruction);
  if (isa<TruncInst>(instruction))
    return foldNarrowed(instruction);
  if (isa<BitCastInst>(instruction) &&
      isVector(instruction.getOperand(0)->getType()))
    return usersAre([&](User *user) {
      return isQuads(*cast<Instruction>(user)) ||
             (isa<SExtInst>(user) && contains(user));
    });
  // The parts of a multiplyPairs.
  if (isa<SExtInst>(instruction) || instruction.getOpcode() == Instruction::Mul)
    return instruction.getType()->isVectorTy() &&
           !isVector(instruction.getType()) &&
           usersAre([&](User *user) { return contains(user); });
  return false;
}

/// Folds a truncation into its users: stores of bytes, or a broadcast of 32
/// bits.
bool Folds::foldNarrowed(Instruction &narrow) {
  const Type *type = narrow.getType();
  if (type->isIntegerTy(8) && isGeneral(narrow.getOperand(0)->getType()))
    return all_of(narrow.users(), [&](User *user) {
      return isa<StoreInst>(user) && user->getOperand(0) == &narrow;
    });
  if (!isVectorOf(type, 8) && !isGeneral(narrow.getOperand(0)->getType()))
    return false;
  return onlyUserIs(narrow, [&](Instruction &user) {
    if (type->isIntegerTy(32))
      return folded.contains(&user) && isa<InsertElementInst>(user);
    return type->isVectorTy() && isa<StoreInst, IntrinsicInst>(user) &&
           placeOf(user);
  });
}

/// Folds a minimum with 255 whose result is stored as bytes.
bool Folds::foldLimit(IntrinsicInst &limit) const {
  using namespace PatternMatch;
  return wide && isVector(limit.getType()) &&
         match(&limit,
               m_Intrinsic<Intrinsic::umin>(m_Value(), m_SpecificInt(255))) &&
         onlyUserIs(limit, [&](Instruction &user) {
           return isa<TruncInst>(user) && contains(&user);
         });
}

/// Whether a masked load of 8-bit elements has a constant mask, and gives 0 for
/// the other elements.
bool Folds::isLoadOfKnown(IntrinsicInst &load) const {
  auto elements = maskOf(*load.getArgOperand(1));
  auto *otherwise = dyn_cast<Constant>(load.getArgOperand(2));
  return isAll(*load.getArgOperand(1)) ||
         (elements && (wide || isOfHalves(*elements)) && otherwise &&
          otherwise->isNullValue());
}

/// Folds an address computation. An address with a variable index is folded
/// only if all of its users are in its block: else its base and index would
/// occupy two registers, not one.
bool Folds::foldAddress(GetElementPtrInst &address) {
  APInt offset(64, 0);
  bool isConstant = address.accumulateConstantOffset(layout, offset);
  if (isConstant && offset.getSExtValue() != int32_t(offset.getSExtValue()))
    return false;
  if (!isConstant) {
    uint64_t size = layout.getTypeAllocSize(address.getSourceElementType());
    if (address.getNumIndices() != 1 || size > 8 || !isPowerOf2_64(size) ||
        !address.getOperand(1)->getType()->isIntegerTy(64))
      return false;
  }
  // An address folded into another one is used wherever that one is used.
  SmallVector<Instruction *> reached = {&address};
  while (!reached.empty()) {
    Instruction *next = reached.pop_back_val();
    for (User *user : next->users()) {
      auto *reader = cast<Instruction>(user);
      if (!isConstant && reader->getParent() != address.getParent())
        return false;
      auto *further = dyn_cast<GetElementPtrInst>(reader);
      if (further && folded.contains(further) &&
          (isConstant || further->hasAllConstantIndices())) {
        reached.push_back(further);
        continue;
      }
      if (placeOf(*reader) != next ||
          count(reader->operand_values(), next) != 1)
        return false;
    }
  }
  return true;
}

bool Folds::foldLoad(LoadInst &load) {
  auto reads = [&](Instruction &user) { return !isWrittenBetween(load, user); };
  if (load.getType()->isIntegerTy(8))
    return onlyUserIs(load, [&](Instruction &user) {
      bool isStored = isa<StoreInst>(user) && user.getOperand(0) == &load;
      bool isWidened =
          isa<ZExtInst, SExtInst>(user) && isGeneral(user.getType());
      return (isStored || isWidened) && reads(user);
    });
  if (load.getType()->isFloatTy() || load.getType()->isIntegerTy(32))
    return onlyUserIs(load, [&](Instruction &insert) {
      // The element is loaded at the broadcast, or at the user of the
      // broadcast.
      if (!folded.contains(&insert) || !insert.hasOneUse())
        return false;
      auto *splat = cast<Instruction>(*insert.user_begin());
      return !folded.contains(splat)
                 ? reads(*splat)
                 : reads(*cast<Instruction>(*splat->user_begin()));
    });
  if (isVectorOf(load.getType(), 8))
    return isWidened(load);
  return isVector(load.getType()) && isLastOperandOfUser(load) &&
         reads(*cast<Instruction>(*load.user_begin()));
}

/// Whether loaded bytes are extended to 32 bits by their only user.
bool Folds::isWidened(Instruction &load) {
  return onlyUserIs(load, [&](Instruction &user) {
    return isa<ZExtInst, SExtInst, UIToFPInst, SIToFPInst>(user) &&
           (isVector(user.getType())) && !isWrittenBetween(load, user);
  });
}

bool Folds::foldSplat(Instruction &splat) {
  Value *element = splatOf(&splat);
  auto *load = dyn_cast_or_null<LoadInst>(element);
  auto *insert = load ? cast<Instruction>(splat.getOperand(0)) : nullptr;
  return wide && insert && load->hasOneUse() && insert->hasOneUse() &&
         load->getParent() == splat.getParent() &&
         insert->getParent() == splat.getParent() &&
         isLastOperandOfUser(splat) &&
         !isWrittenBetween(*load, *cast<Instruction>(*splat.user_begin()));
}

bool Folds::isLastOperandOfUser(Instruction &value) const {
  return onlyUserIs(value, [&](Instruction &user) {
    return !folded.contains(&user) && lastOperand(user) == &value;
  });
}

/// Folds a product into its sum, as LLVM does: if the sum is its only user, and
/// of two products the first.
bool Folds::foldProduct(Instruction &product) {
  return isVector(product.getType()) &&
         onlyUserIs(product, [&](Instruction &user) {
           // In a b + c d the first product is fused, as LLVM does, so that
           // results are equal to the last bit.
           auto *other = dyn_cast<Instruction>(user.getOperand(0));
           bool isSecond = other && other != &product && other->hasOneUse() &&
                           other->getOpcode() == Instruction::FMul &&
                           other->getParent() == product.getParent();
           return (user.getOpcode() == Instruction::FAdd ||
                   user.getOpcode() == Instruction::FSub) &&
                  !isSecond;
         });
}

Instruction *Folds::productIn(const Instruction &sum) const {
  if (sum.getOpcode() != Instruction::FAdd &&
      sum.getOpcode() != Instruction::FSub)
    return nullptr;
  for (Value *operand : sum.operands())
    if (auto *product = dyn_cast<Instruction>(operand))
      if (product->getOpcode() == Instruction::FMul && folded.contains(product))
        return product;
  return nullptr;
}

/// Folds a sum of products of pairs into the sum that it is added to: each part
/// is then added before the next is made, and one register holds both.
bool Folds::foldPairs(Instruction &pairs) const {
  return pairsIn(pairs) && onlyUserIs(pairs, [&](Instruction &user) {
           return user.getOpcode() == Instruction::Add && !contains(&user) &&
                  !pairsOf(user);
         });
}

const Instruction *Folds::pairsOf(const Instruction &sum) const {
  if (sum.getOpcode() != Instruction::Add || !isVector(sum.getType()))
    return nullptr;
  for (const Value *operand : sum.operands())
    if (auto *pairs = dyn_cast<Instruction>(operand))
      if (pairs->getOpcode() == Instruction::Add && contains(pairs))
        return pairs;
  return nullptr;
}

Value *Folds::lastOperand(const Instruction &instruction) const {
  auto ofTwo = [&](bool commutes) -> Value * {
    Value *first = instruction.getOperand(0),
          *second = instruction.getOperand(1);
    if (first == second || productIn(instruction))
      return nullptr;
    // A load as the first operand of a commutative operation can be folded,
    // too.
    return commutes && isa<Instruction>(first) && isa<LoadInst>(first) &&
                   !isa<LoadInst>(second)
               ? first
               : second;
  };
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FMul:
  case Instruction::Add:
    return isVector(instruction.getType()) ? ofTwo(true) : nullptr;
  case Instruction::FSub:
  case Instruction::FDiv:
  case Instruction::Sub:
    return isVector(instruction.getType()) ? ofTwo(false) : nullptr;
  case Instruction::Call: {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || !isVector(call->getType()) ||
        (call->getIntrinsicID() != Intrinsic::fmuladd &&
         call->getIntrinsicID() != Intrinsic::fma))
      return nullptr;
    // The factor that can be folded: a broadcast element or a loaded vector.
    Value *first = call->getArgOperand(0), *second = call->getArgOperand(1);
    if (first == second)
      return nullptr;
    auto canBe = [&](Value *value) {
      return value->hasOneUse() && (isa<LoadInst>(value) || splatOf(value));
    };
    return canBe(first) ? first : canBe(second) ? second : nullptr;
  }
  default:
    return nullptr;
  }
}

void Folds::operands(const Instruction &instruction,
                     function_ref<void(Value *)> visit) const {
  for (Value *operand : instruction.operands()) {
    auto *inner = dyn_cast<Instruction>(operand);
    if (inner && folded.contains(inner))
      operands(*inner, visit);
    else if (inner || isa<Argument>(operand))
      visit(operand);
  }
}
