//===- Fold.h - folding of LLVM instructions into operands ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A folded instruction has no machine instruction of its own: an address, a
// comparison before a jump, an element that is loaded by its product. Its
// operands are read by its users.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_QUICK_FOLD_H
#define GLOW_BACKENDS_CPU_QUICK_FOLD_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

namespace glow::cpu::quick {

/// Whether a type is a vector of 16 elements of 32 bits.
bool isVector(const llvm::Type *type);
/// Whether a type is a mask: a vector of 16 elements of one bit.
bool isMask(const llvm::Type *type);
/// Whether a type fits a general register: 64 bits, an address, or one bit.
bool isGeneral(const llvm::Type *type);

/// Whether a mask is a constant with all elements set.
bool isAll(const llvm::Value &mask);

/// The elements of a mask, if it is known.
std::optional<uint16_t> maskOf(const llvm::Value &mask);

/// Whether the bits of each half of a 16-bit mask are equal.
bool isOfHalves(uint16_t elements);

/// The scalar that a vector broadcasts; null if it is no broadcast.
llvm::Value *splatOf(const llvm::Value *vector);

/// The value behind the bit cast that made a vector of bytes; `bytes` itself if
/// there is no bit cast.
const llvm::Value *withoutBitCast(const llvm::Value *bytes);

/// The two factors of a sum of products of 16-bit pairs: the vectors before
/// they are cast to 16 bits.
std::optional<std::pair<const llvm::Value *, const llvm::Value *>>
pairsIn(const llvm::Instruction &sum);

/// The address that an instruction reads, writes or prefetches; null if there
/// is none.
llvm::Value *placeOf(const llvm::Instruction &instruction);

class Folds {
public:
  /// With `wide` an operand may be a broadcast of one element in memory.
  Folds(llvm::Function &function, const llvm::DataLayout &layout, bool wide);

  bool contains(const llvm::Value *value) const {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && folded.contains(instruction);
  }

  /// A folded product that becomes part of the sum; null for none.
  llvm::Instruction *productIn(const llvm::Instruction &sum) const;

  /// A folded sum of products of 16-bit pairs that becomes part of the sum;
  /// null for none.
  const llvm::Instruction *pairsOf(const llvm::Instruction &sum) const;

  /// The operand of an instruction on vectors that may be in memory: the last
  /// one that it reads; null without one.
  llvm::Value *lastOperand(const llvm::Instruction &instruction) const;

  /// Calls `visit` for each value that an unfolded instruction reads: its
  /// operands, and the operands of folded ones.
  void operands(const llvm::Instruction &instruction,
                llvm::function_ref<void(llvm::Value *)> visit) const;

private:
  bool fold(llvm::Instruction &instruction);
  bool foldAddress(llvm::GetElementPtrInst &address);
  bool foldLoad(llvm::LoadInst &load);
  bool foldNarrowed(llvm::Instruction &narrow);
  bool foldLimit(llvm::IntrinsicInst &limit) const;
  bool isLoadOfKnown(llvm::IntrinsicInst &load) const;
  bool isWidened(llvm::Instruction &load);
  bool foldSplat(llvm::Instruction &splat);
  bool foldProduct(llvm::Instruction &product);
  bool foldPairs(llvm::Instruction &pairs) const;
  bool isLastOperandOfUser(llvm::Instruction &value) const;
  bool onlyUserIs(llvm::Instruction &value,
                  llvm::function_ref<bool(llvm::Instruction &)> is) const;

  const llvm::DataLayout &layout;
  const bool wide;
  llvm::DenseSet<const llvm::Instruction *> folded;
};

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_FOLD_H
