//===- ItemOrder.h - sequences of different lengths -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_ITEMORDER_H
#define GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_ITEMORDER_H

#include "codegen/emit/Calls.h"
#include "codegen/emit/Emit.h"

namespace glow::cpu {

/// The items of a batch in the order of their lengths, the longest first, so
/// that the items of a time step are the first ones. The order is in the shared
/// memory of a step, whose first 8 bytes are the flag of its failure.
class ItemOrder {
public:
  /// `lengths` has an i32 for each item; `out` is a result [steps, directions,
  /// items, units] of the step. The order begins at byte `place`.
  ItemOrder(const Operand &lengths, const Operand &out, int64_t place);

  /// The end of the order in shared memory.
  int64_t end() const;

  /// Emits code that fills the order. A length below 0 or above the number of
  /// steps makes the step fail, and counts as the bound that it exceeds.
  void fill(Emitter &code) const;

  /// The number of items that a time step has, for steps from 0 on.
  llvm::Value *itemsOf(Emitter &code, llvm::Value *step) const;
  /// The number in the batch of item `rank` of the order.
  llvm::Value *itemAt(Emitter &code, llvm::Value *rank) const;
  /// The length of an item, by its number in the batch.
  llvm::Value *lengthOf(Emitter &code, llvm::Value *item) const;

private:
  llvm::Value *address(Emitter &code, int64_t list, llvm::Value *index) const;
  llvm::Value *load(Emitter &code, llvm::Value *pointer) const;
  void store(Emitter &code, llvm::Value *value, llvm::Value *pointer) const;
  llvm::Value *takeLength(Emitter &code, llvm::Value *item) const;

  const Operand lengths, out;
  int64_t place, steps, items; ///< `steps` and `items` are the extents
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_ITEMORDER_H
