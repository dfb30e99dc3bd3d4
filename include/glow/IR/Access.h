//===- Access.h - how instructions touch buffers ----------------*- C++ -*-===//

#ifndef GLOW_IR_ACCESS_H
#define GLOW_IR_ACCESS_H

#include "glow/IR/InstrInfo.h"
#include "glow/IR/Structure.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace glow::ir {

/// True for an operation that runs, false for alloc and dealloc.
bool isInstr(mlir::Operation *operation);

/// The table's entry of an instruction, or null.
const InstrInfo *infoOf(mlir::Operation *instr);

/// How many buffers each declared operand has: 1 for a plain one, 0 or 1 for an
/// optional one, any number for a variadic one. In the order of the record;
/// empty if the instruction is unknown or its buffers do not fit its record.
llvm::SmallVector<int32_t> segmentsOf(mlir::Operation *instr);

/// The record of the operand that a buffer is given for, or null.
const OperandInfo *infoOf(mlir::OpOperand &buffer);

/// The buffers given for the operand `name`; none if there is no such operand.
llvm::SmallVector<mlir::OpOperand *> buffersOf(mlir::Operation *instr,
                                               llvm::StringRef name);

/// What an asynchronous instruction writes for what waits for its end, which
/// reads it. Null for other instructions.
mlir::Value tokenOf(mlir::Operation *instr);
/// Those of all instructions.
llvm::DenseSet<mlir::Value> tokensOf(FuncOp function);

/// A part of a buffer: indices from `starts` on, so many of each dimension.
struct Box {
  llvm::ArrayRef<int64_t> starts, sizes;

  /// Whether no element is in both, which are of one buffer.
  bool isApartFrom(const Box &other) const;
};

/// One operand of an instruction and its memory effects.
struct Access {
  mlir::OpOperand *operand;
  bool reads;
  bool writes;
  std::optional<Box> box = std::nullopt; ///< of the buffer; none: all of it

  mlir::Value buffer() const { return operand->get(); }
};

/// Whether one of them writes what the other touches, or writes, too. Both are
/// of one buffer.
bool areInConflict(const Access &one, const Access &other);

/// All that an instruction does to memory.
struct Accesses {
  llvm::SmallVector<Access> buffers; ///< in the order of the operands
  bool others = false; ///< it does more than write buffers: it must stay
};

/// The part that an instruction touches of the buffer that is given for an
/// operand, where its record says `box` of that; none for others.
std::optional<Box> boxOf(mlir::OpOperand &buffer);

/// Goes by the memory effects of the operation. Whatever says nothing of its
/// effects reads and writes each of its operands, and does more.
Accesses accessesOf(mlir::Operation *instr);

/// Whether `out`, the only @out buffer of `instr`, may have the memory of `in`:
/// the record says so for every operand that `in` is given for, and they are
/// one buffer, or both as large, in the same memory, and no bindings. Says
/// nothing of what reads `in` later.
bool mayWorkInPlace(mlir::Operation *instr, mlir::Value in, mlir::Value out);

/// A buffer that an instruction puts into its result, and from which byte on.
struct Joined {
  mlir::Value part;
  uint64_t from;
};

/// The buffers that `instr` puts into its result, one after the other, each in
/// one piece. Empty if its record does not say that it joins any, or if they
/// alternate: in the result of sizes 2 x 6, parts of 2 x 3 do.
llvm::SmallVector<Joined> joinedBy(mlir::Operation *instr);

/// The one operand whose bytes are those of the result, all of them and in the
/// same order, as with a reshape. Null if there is none.
mlir::Value sameBytesAsResult(mlir::Operation *instr);

} // namespace glow::ir

#endif // GLOW_IR_ACCESS_H
