//===- CLoops.h - the body of a function as loops of C ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_C_CLOOPS_H
#define GLOW_BACKENDS_CPU_AOT_C_CLOOPS_H

#include "CBody.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include <optional>

namespace glow::cpu {

/// The type of the elements that a pointer leads to; null if they have several
/// types, or a type that C cannot name.
llvm::Type *elementOf(const llvm::Value &pointer);

/// Prints a function of scalars, whose branches are loops and conditions, like
/// code written by hand: with `for` and `if`, expressions of several
/// operations, and typed elements. Integers of 32 and 64 bits are signed.
class LoopPrinter : public BodyPrinter {
public:
  LoopPrinter(CNames &names, llvm::Function &function);

  /// The text; nothing if the function has another form.
  std::optional<std::string> printLoops();

private:
  // Control flow; each returns false for another form.
  bool emitFrom(llvm::BasicBlock *block, llvm::BasicBlock *end);
  bool emitLoop(llvm::Loop &loop);
  bool emitChoice(llvm::BranchInst &branch, llvm::BasicBlock *&block);
  void emitBlock(llvm::BasicBlock &block);
  std::optional<std::string> headOf(llvm::Loop &loop);
  std::optional<std::string> endOf(llvm::Loop &loop, llvm::PHINode &counter,
                                   int64_t step);
  void assignPhis(llvm::BasicBlock *before, llvm::BasicBlock *to);
  void declarePhis(llvm::BasicBlock &block);
  void beginPhis(llvm::BasicBlock *before, llvm::BasicBlock &header);

  // Values.
  bool isInlined(const llvm::Instruction &i) const;
  bool isOverwritten(const llvm::Instruction &load) const;
  const llvm::Instruction *evaluatedAt(const llvm::Instruction &i) const;
  void define(llvm::Instruction &i, const std::string &text, bool hasSign);
  std::string declare(const llvm::Value &value);
  void declareAlone(const llvm::Value &value);
  static std::string bare(const std::string &text);
  std::string typeOf(const llvm::Value &value);
  std::string textOf(const llvm::Value *value);
  /// Whether a type is printed as a signed integer.
  static bool isNumber(llvm::Type *type);
  /// A text as an operand of any operation.
  static std::string enclosed(const std::string &text);
  std::string signedText(const llvm::Value *value);
  std::string widened(const llvm::Instruction &i,
                      const std::string &text) const;
  std::string spell(const llvm::Value *value) override;
  void assign(llvm::Instruction &i, const std::string &text) override;
  void line(const std::string &text) override;

  // Instructions that have a shorter form than those of CBody.cpp.
  bool visitKnown(llvm::Instruction &i);
  bool visitArithmetic(llvm::BinaryOperator &i);
  bool visitCall(llvm::CallInst &i);
  bool visitBoolean(llvm::Instruction &i);
  struct Sum {
    llvm::SmallMapVector<llvm::Value *, int64_t, 4> terms;
    int64_t constant = 0;
  };
  void add(llvm::Value *index, int64_t factor, Sum &sum);
  bool add(llvm::Value *&pointer, Sum &sum);
  std::string textOf(const Sum &sum, int64_t size);
  std::string placeOf(llvm::Value *pointer, llvm::Type *element);
  std::string addressOf(llvm::Value *pointer);

  llvm::DominatorTree dominators;
  llvm::PostDominatorTree meetings;
  llvm::LoopInfo loops;
  llvm::TargetLibraryInfoImpl library;
  llvm::TargetLibraryInfo libraryOf;
  llvm::AssumptionCache assumptions;
  llvm::ScalarEvolution ranges;
  llvm::SmallVector<const llvm::Loop *> open; ///< loops around this block
  llvm::DenseMap<const llvm::Value *, std::string> texts;
  llvm::DenseSet<const llvm::Value *> haveSign;
  /// The instruction that CBody.cpp prints, and the last such instruction with
  /// a variable.
  const llvm::Instruction *current = nullptr, *begun = nullptr;
  /// The variable of a loop that a value becomes at the end of the body.
  llvm::DenseMap<const llvm::Value *, const llvm::PHINode *> nextOf;
  llvm::DenseSet<const llvm::Value *> counted; ///< phis that `for` steps
  llvm::DenseSet<const llvm::Value *> ends;    ///< conditions in `for`
  llvm::DenseSet<const llvm::Value *> outer;   ///< declared before all blocks
  llvm::DenseMap<const llvm::Value *, unsigned> scopeOf;
  llvm::SmallVector<unsigned> scopes;
  unsigned lastScope = 0, variables = 0;
  std::string text, tops;
  size_t printed = 0; ///< number of printed blocks
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_C_CLOOPS_H
