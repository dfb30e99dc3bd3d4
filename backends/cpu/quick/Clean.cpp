//===- Clean.cpp - common subexpressions and unused values ----------------===//
// SPDX-License-Identifier: MIT
//
// One walk over the dominator tree, with the values that dominating blocks have
// computed. A load is known until a store, or until control flow joins. LLVM's
// EarlyCSE finds the same values and takes longer, since it also tries to
// simplify every instruction. With either pass, equally many products have one
// user and are fused.
//
//===----------------------------------------------------------------------===//

#include "Clean.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace glow::cpu;
using namespace llvm;

namespace {

/// Map traits that compare instructions by the value that they compute.
struct Computed : DenseMapInfo<Instruction *> {
  static bool isReal(const Instruction *instruction) {
    return instruction != getEmptyKey() && instruction != getTombstoneKey();
  }
  static bool isSwapped(const Instruction &a, const Instruction &b) {
    return a.isCommutative() && a.getOpcode() == b.getOpcode() &&
           a.getType() == b.getType() && a.getNumOperands() == 2 &&
           a.getOperand(0) == b.getOperand(1) &&
           a.getOperand(1) == b.getOperand(0);
  }
  static unsigned getHashValue(const Instruction *instruction) {
    hash_code hash =
        hash_combine(instruction->getOpcode(), instruction->getType());
    if (instruction->isCommutative() && instruction->getNumOperands() == 2) {
      auto [first, second] =
          std::minmax({instruction->getOperand(0), instruction->getOperand(1)});
      return unsigned(hash_combine(hash, first, second));
    }
    return unsigned(
        hash_combine(hash, hash_combine_range(instruction->value_op_begin(),
                                              instruction->value_op_end())));
  }
  static bool isEqual(const Instruction *a, const Instruction *b) {
    if (a == b || !isReal(a) || !isReal(b))
      return a == b;
    if (auto *load = dyn_cast<LoadInst>(a); load && isa<LoadInst>(b))
      return load->getType() == b->getType() &&
             load->getPointerOperand() == b->getOperand(0);
    return a->isIdenticalToWhenDefined(b) || isSwapped(*a, *b);
  }
};

class Cleaner {
public:
  void run(const DominatorTree &dominators) {
    struct Level {
      const DomTreeNode *node;
      DomTreeNode::const_iterator next;
      size_t known;        ///< when the block began
      unsigned generation; ///< when it ended
    };
    SmallVector<Level> path;
    auto enter = [&](const DomTreeNode *node, unsigned generation) {
      size_t before = order.size();
      now = generation;
      cleanBlock(*node->getBlock());
      path.push_back({node, node->begin(), before, now});
    };
    enter(dominators.getRootNode(), 0);
    while (!path.empty()) {
      Level &level = path.back();
      if (level.next != level.node->end()) {
        enter(*level.next++, level.generation);
        continue;
      }
      forgetAfter(level.known);
      path.pop_back();
    }
  }

private:
  /// A known instruction, with the memory generation in which it ran.
  struct Known {
    Instruction *value;
    unsigned generation;
  };

  void cleanBlock(BasicBlock &block) {
    if (!block.getSinglePredecessor())
      ++now;
    for (Instruction &instruction : make_early_inc_range(block))
      if (isInstructionTriviallyDead(&instruction))
        instruction.eraseFromParent();
      else if (Value *same = sameAs(instruction)) {
        instruction.replaceAllUsesWith(same);
        instruction.eraseFromParent();
      } else if (instruction.mayWriteToMemory() && !isAssumption(instruction))
        ++now;
  }

  static bool isAssumption(const Instruction &instruction) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && call->isAssumeLikeIntrinsic();
  }

  /// An earlier instruction with the same value; null for none.
  Value *sameAs(Instruction &instruction) {
    if (Value *operand = unchanged(instruction))
      return operand;
    bool isRead = isPlainRead(instruction);
    if (!isRead && !isPure(instruction))
      return nullptr;
    auto [entry, isNew] =
        known.try_emplace(&instruction, Known{&instruction, now});
    if (!isNew && isRead && entry->second.generation != now) {
      // Memory may have changed: this load is the known one from here on.
      replaced.emplace_back(&instruction, entry->second);
      entry->second = {&instruction, now};
      order.push_back(nullptr);
      return nullptr;
    }
    if (isNew) {
      order.push_back(&instruction);
      return nullptr;
    }
    Instruction *value = entry->second.value;
    value->andIRFlags(&instruction);
    return value;
  }

  /// The operand of an identity operation, as x + 0; null for others.
  static Value *unchanged(const Instruction &instruction) {
    auto *number = instruction.getNumOperands() == 2
                       ? dyn_cast<ConstantInt>(instruction.getOperand(1))
                       : nullptr;
    if (!number)
      return nullptr;
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::GetElementPtr:
      return number->isZero() ? instruction.getOperand(0) : nullptr;
    case Instruction::Mul:
    case Instruction::UDiv:
      return number->isOne() ? instruction.getOperand(0) : nullptr;
    default:
      return nullptr;
    }
  }

  static bool isPure(const Instruction &instruction) {
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return call->doesNotAccessMemory() && !call->getType()->isVoidTy() &&
             !call->isConvergent();
    return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
               FreezeInst, GetElementPtrInst, ExtractElementInst,
               InsertElementInst, ShuffleVectorInst>(instruction);
  }
  static bool isPlainRead(const Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return load->isSimple();
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == Intrinsic::masked_load;
  }

  void forgetAfter(size_t size) {
    while (order.size() > size) {
      Instruction *last = order.pop_back_val();
      if (last) {
        known.erase(last);
        continue;
      }
      auto [instruction, before] = replaced.pop_back_val();
      known.find(instruction)->second = before;
    }
  }

  DenseMap<Instruction *, Known, Computed> known;
  SmallVector<Instruction *> order; ///< null: an entry of `known` was replaced
  SmallVector<std::pair<Instruction *, Known>> replaced;
  unsigned now = 0; ///< incremented wherever memory may have changed
};

} // namespace

/// Removes unused values, also those of types without registers.
static void removeUnused(Function &function) {
  for (BasicBlock &block : reverse(function))
    for (Instruction &instruction : make_early_inc_range(reverse(block)))
      if (isInstructionTriviallyDead(&instruction))
        instruction.eraseFromParent();
}

void quick::clean(Function &function, const DominatorTree &dominators) {
  Cleaner().run(dominators);
  removeUnused(function);
}
