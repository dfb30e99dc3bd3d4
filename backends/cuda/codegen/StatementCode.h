//===- StatementCode.h - LLVM IR of one statement ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CUDA_CODEGEN_STATEMENTCODE_H
#define GLOW_BACKENDS_CUDA_CODEGEN_STATEMENTCODE_H

#include "Values.h"

namespace glow::cuda {

/// Emits the body of a statement: the elements of one thread.
class StatementCode {
public:
  StatementCode(loops::Program &program, const plans::DevicePlan &plan,
                Values &values);

  /// The number of elements or tiles that threads share.
  static int64_t itemsOf(const plans::DevicePlan &plan);
  /// Emits the statement for the item of a number.
  void emit(llvm::Value *item);
  /// Emits a product whose factors are in the shared memory of a block, for the
  /// numbers of the block and of the thread.
  void emitTile(llvm::Value *block, llvm::Value *thread);

private:
  const loops::Statement &statement() const { return plan.statement; }
  void bindItems(llvm::Value *item, llvm::ArrayRef<unsigned> items);
  void bindTerm(llvm::Value *number);
  void copyFactor(loops::Term factor, unsigned index, llvm::Value *first,
                  llvm::Value *term, llvm::Value *terms, llvm::Value *to,
                  llvm::Value *inTile);

  void emitAssigned();
  void emitSum();
  void emitInMemory(size_t depth);
  void sums(size_t depth);
  void openLoop(unsigned index);
  void addTerm();
  void addPlace();
  llvm::Value *assignedValue();
  llvm::Value *combined(llvm::Value *sum, llvm::Value *term);
  llvm::Value *finished();
  llvm::Value *placeOf();
  /// Conditions of terms that are known in this block and were not tested.
  llvm::Value *nextGuards();

  loops::Program &program;
  const plans::DevicePlan &plan;
  Values &values;
  std::vector<loops::Term> guards, placeGuards;
  std::set<const loops::Node *> tested;
  llvm::Value *sum{}, *best{}, *terms{}; ///< variables
};

} // namespace glow::cuda

#endif // GLOW_BACKENDS_CUDA_CODEGEN_STATEMENTCODE_H
