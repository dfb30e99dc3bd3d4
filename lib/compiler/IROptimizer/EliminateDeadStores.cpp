//===- EliminateDeadStores.cpp - no result that nothing reads -------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Access.h"
#include "glow/IROptimizer/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_ELIMINATEDEADSTORES
#include "glow/IROptimizer/Passes.h.inc"

namespace {

/// Removes instructions whose results are overwritten, or end, before they are
/// read. Then removes buffers without accesses.
///
/// Pinned after eliminate-copies, which leaves sources that only a copy read;
/// before share-buffers, which makes one buffer of two values and so hides an
/// unread value. Ends because it visits each instruction once, from
/// the last to the first.
struct EliminateDeadStores
    : impl::EliminateDeadStoresBase<EliminateDeadStores> {
  void runOnOperation() override;

private:
  /// Buffers whose contents a later instruction, or the caller, reads.
  llvm::DenseSet<Value> awaited;

  /// Of asynchronous instructions.
  llvm::DenseSet<Value> tokens;

  bool isDead(Operation *instr, const Accesses &accesses);
  void removeUntouched(AllocOp alloc);
};

} // namespace

bool EliminateDeadStores::isDead(Operation *instr, const Accesses &accesses) {
  const InstrInfo *info = infoOf(instr);
  if (accesses.others || !info || info->asynchronous || info->givesLength())
    return false;
  // An instruction that waits for a token stays: it has another purpose.
  if (llvm::any_of(instr->getOperands(),
                   [&](Value buffer) { return tokens.contains(buffer); }))
    return false;
  bool writes = false;
  for (const Access &access : accesses.buffers) {
    writes |= access.writes;
    if (access.writes && awaited.contains(access.buffer()))
      return false;
  }
  // An instruction without writes stays: it has another purpose.
  return writes;
}

void EliminateDeadStores::removeUntouched(AllocOp alloc) {
  Value buffer = alloc.getBuffer();
  if (llvm::any_of(buffer.getUsers(), isInstr))
    return;
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers())) {
    if (auto reusing = dyn_cast<AllocOp>(user))
      reusing.leaveOther();
    else
      user->erase();
  }
  alloc.erase();
}

void EliminateDeadStores::runOnOperation() {
  FuncOp function = getOperation();
  awaited.clear();
  tokens = tokensOf(function);
  // The caller reads every binding after the program has ended.
  for (BlockArgument binding : function.bindings())
    awaited.insert(binding);

  Block &block = function.block();
  for (Operation &instr : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!isInstr(&instr))
      continue;
    Accesses accesses = accessesOf(&instr);
    if (isDead(&instr, accesses)) {
      instr.erase();
      continue;
    }
    // A write of the whole buffer makes earlier contents unneeded; a read makes
    // them needed.
    for (const Access &access : accesses.buffers)
      if (access.writes && !access.reads && !access.box)
        awaited.erase(access.buffer());
    for (const Access &access : accesses.buffers)
      if (access.reads)
        awaited.insert(access.buffer());
  }
  for (AllocOp alloc : llvm::make_early_inc_range(block.getOps<AllocOp>()))
    removeUntouched(alloc);
}

} // namespace glow::ir
