//===- NarrowIndices.cpp - indices of 32 bits -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Emitters count in 64 bits. The low 32 bits of a sum, a product or a select
// depend only on the low bits of its operands. So a value whose range fits has
// a 32-bit twin, even if its operands do not fit. Quotients, minima and
// comparisons have a twin if their operands fit as well.
//
//===----------------------------------------------------------------------===//

#include "NarrowIndices.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

class IndexNarrower {
public:
  IndexNarrower(Function &function, ScalarEvolution &ranges)
      : function(function), ranges(ranges),
        narrow(Type::getInt32Ty(function.getContext())) {}

  bool run() {
    for (Instruction &instruction : instructions(function))
      if (isCandidate(instruction))
        twins[&instruction] = nullptr;
      else if (isComparison(instruction))
        comparisons.push_back(cast<ICmpInst>(&instruction));
    if (twins.empty() && comparisons.empty())
      return false;
    for (auto &[value, twin] : twins)
      if (auto *phi = dyn_cast<PHINode>(value))
        twin = PHINode::Create(narrow, phi->getNumIncomingValues(), "",
                               phi->getIterator());
    for (size_t i = 0; i < twins.size(); ++i)
      twinOf((twins.begin() + i)->first);
    for (auto &[value, twin] : twins)
      if (auto *phi = dyn_cast<PHINode>(value))
        fill(*phi, *cast<PHINode>(twin));
    for (ICmpInst *comparison : comparisons)
      compareNarrow(*comparison);
    for (auto &[value, twin] : twins)
      replace(*cast<Instruction>(value), twin);
    return true;
  }

private:
  bool fits(Value *value) {
    ConstantRange range = ranges.getSignedRange(ranges.getSCEV(value));
    return range.getSignedMin().isSignedIntN(32) &&
           range.getSignedMax().isSignedIntN(32);
  }

  /// Whether the low bits of the result depend only on the operands' low bits.
  static bool isOfLowBits(const Instruction &i) {
    switch (i.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::PHI:
    case Instruction::Select:
      return true;
    case Instruction::Shl:
      return movesBits(i);
    default:
      return false;
    }
  }
  /// Whether a shift amount is a constant below 32.
  static bool movesBits(const Instruction &i) {
    auto *amount = dyn_cast<ConstantInt>(i.getOperand(1));
    return amount && amount->getValue().ult(32);
  }
  static bool isOfWholes(const Instruction &i) {
    switch (i.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem:
      return true;
    case Instruction::AShr:
      return movesBits(i);
    case Instruction::Call: {
      auto *call = dyn_cast<IntrinsicInst>(&i);
      return call && (call->getIntrinsicID() == Intrinsic::smin ||
                      call->getIntrinsicID() == Intrinsic::smax);
    }
    default:
      return false;
    }
  }
  /// Whether the operation is on unsigned numbers.
  static bool isOfNaturals(const Instruction &i) {
    return i.getOpcode() == Instruction::UDiv ||
           i.getOpcode() == Instruction::URem;
  }
  bool isNatural(Value *value) {
    return fits(value) && ranges.isKnownNonNegative(ranges.getSCEV(value));
  }

  bool isCandidate(Instruction &i) {
    if (!i.getType()->isIntegerTy(64) || !fits(&i))
      return false;
    if (isOfLowBits(i))
      return true;
    if (isOfNaturals(i))
      return isNatural(i.getOperand(0)) && isNatural(i.getOperand(1));
    return isOfWholes(i) && fits(i.getOperand(0)) && fits(i.getOperand(1));
  }
  bool isComparison(Instruction &i) {
    return isa<ICmpInst>(i) && i.getOperand(0)->getType()->isIntegerTy(64) &&
           fits(i.getOperand(0)) && fits(i.getOperand(1));
  }

  /// The value in 32 bits, at an insertion point that it dominates.
  Value *narrowed(Value *value, IRBuilder<> &code) {
    if (auto *number = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(narrow, number->getValue().trunc(32));
    if (twins.contains(value))
      return twinOf(value);
    return code.CreateTrunc(value, narrow);
  }

  /// The 32-bit twin of a value, made after the twins of its operands. Operands
  /// of phis may come later.
  Value *twinOf(Value *value) {
    Value *&known = twins[value];
    if (known)
      return known;
    auto &i = *cast<Instruction>(value);
    IRBuilder<> code(&i);
    Value *made = makeTwin(i, code);
    return twins[value] = made;
  }

  Value *makeTwin(Instruction &i, IRBuilder<> &code) {
    if (auto *choice = dyn_cast<SelectInst>(&i))
      return code.CreateSelect(choice->getCondition(),
                               narrowed(choice->getTrueValue(), code),
                               narrowed(choice->getFalseValue(), code));
    Value *a = narrowed(i.getOperand(0), code);
    Value *b = narrowed(i.getOperand(1), code);
    if (auto *call = dyn_cast<IntrinsicInst>(&i))
      return code.CreateBinaryIntrinsic(call->getIntrinsicID(), a, b);
    auto &binary = cast<BinaryOperator>(i);
    Value *made = code.CreateBinOp(binary.getOpcode(), a, b);
    // The sum of operands that fit is exact in 64 bits, and fits itself.
    bool wraps = !isa<OverflowingBinaryOperator>(binary) ||
                 !fits(i.getOperand(0)) || !fits(i.getOperand(1));
    if (auto *operation = dyn_cast<BinaryOperator>(made); operation && !wraps)
      operation->setHasNoSignedWrap();
    return made;
  }

  void fill(PHINode &phi, PHINode &twin) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      BasicBlock *from = phi.getIncomingBlock(i);
      IRBuilder<> code(from->getTerminator());
      twin.addIncoming(narrowed(phi.getIncomingValue(i), code), from);
    }
  }

  /// Narrows a comparison, or folds it if ranges decide it: a loop with a known
  /// nonzero trip count needs no branch around it.
  void compareNarrow(ICmpInst &comparison) {
    IRBuilder<> code(&comparison);
    std::optional<bool> known = ranges.evaluatePredicate(
        comparison.getPredicate(), ranges.getSCEV(comparison.getOperand(0)),
        ranges.getSCEV(comparison.getOperand(1)));
    Value *made =
        known ? code.getInt1(*known)
              : code.CreateICmp(comparison.getPredicate(),
                                narrowed(comparison.getOperand(0), code),
                                narrowed(comparison.getOperand(1), code));
    comparison.replaceAllUsesWith(made);
    comparison.eraseFromParent();
  }

  void replace(Instruction &i, Value *twin) {
    if (i.use_empty())
      return;
    BasicBlock::iterator place = isa<PHINode>(i)
                                     ? i.getParent()->getFirstInsertionPt()
                                     : std::next(i.getIterator());
    IRBuilder<> code(i.getParent(), place);
    i.replaceAllUsesWith(code.CreateSExt(twin, i.getType()));
  }

  Function &function;
  ScalarEvolution &ranges;
  Type *narrow;
  MapVector<Value *, Value *> twins;
  SmallVector<ICmpInst *> comparisons;
};

} // namespace

PreservedAnalyses
glow::cpu::NarrowIndicesPass::run(Function &function,
                                  FunctionAnalysisManager &analyses) {
  auto &ranges = analyses.getResult<ScalarEvolutionAnalysis>(function);
  if (!IndexNarrower(function, ranges).run())
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}
