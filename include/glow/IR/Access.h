//===- Access.h - memory accesses of instructions ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_ACCESS_H
#define GLOW_IR_ACCESS_H

#include "glow/IR/InstrInfo.h"
#include "glow/IR/Structure.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace glow::ir {

/// True for an operation that runs; false for alloc and dealloc.
bool isInstr(mlir::Operation *operation);

/// The record of an instruction, or null.
const InstrInfo *infoOf(mlir::Operation *instr);

/// Number of buffers of each declared operand, in the order of the record: 1
/// for a plain one, 0 or 1 for an optional one, any number for a variadic one.
/// Empty if the instruction is unknown or its buffers do not fit its record.
llvm::SmallVector<int32_t> segmentsOf(mlir::Operation *instr);

/// The record of the operand to which a buffer belongs, or null.
const OperandInfo *infoOf(mlir::OpOperand &buffer);

/// The buffers of the operand `name`; empty for an unknown operand.
llvm::SmallVector<mlir::OpOperand *> buffersOf(mlir::Operation *instr,
                                               llvm::StringRef name);

/// The token that an asynchronous instruction writes. An instruction that waits
/// for the completion reads the token. Null for other instructions.
mlir::Value tokenOf(mlir::Operation *instr);
/// The tokens of all instructions.
llvm::DenseSet<mlir::Value> tokensOf(FuncOp function);

/// A part of a buffer: from the indices `starts` on, `sizes` elements of each
/// dimension.
struct Box {
  llvm::ArrayRef<int64_t> starts, sizes;

  /// Whether two boxes of one buffer are disjoint.
  bool isApartFrom(const Box &other) const;
};

/// One operand of an instruction and its memory effects.
struct Access {
  mlir::OpOperand *operand;
  bool reads;
  bool writes;
  std::optional<Box> box = std::nullopt; ///< the accessed box; none: the whole
                                         ///< buffer

  mlir::Value buffer() const { return operand->get(); }
};

/// Whether two accesses of one buffer conflict: one of them writes elements
/// that the other reads or writes.
bool areInConflict(const Access &one, const Access &other);

/// All memory effects of an instruction.
struct Accesses {
  llvm::SmallVector<Access> buffers; ///< in the order of the operands
  bool others = false; ///< has other effects than writing buffers: must stay
};

/// The box that an instruction accesses in the buffer of an operand, if its
/// record has a `box` for that operand.
std::optional<Box> boxOf(mlir::OpOperand &buffer);

/// Collects the memory effects of an operation. An operation that declares none
/// is taken to read and write each operand and to have other effects.
Accesses accessesOf(mlir::Operation *instr);

/// Whether `out`, the only @out buffer of `instr`, may share the memory of
/// `in`. The record must permit it for every operand to which `in` belongs.
/// They must be the same buffer, or two of the same size in the same memory
/// that are no bindings. Later readers of `in` are not considered.
bool mayWorkInPlace(mlir::Operation *instr, mlir::Value in, mlir::Value out);

/// A buffer that an instruction copies into its result, at a byte offset.
struct Joined {
  mlir::Value part;
  uint64_t from;
};

/// The buffers that `instr` copies into its result in order, each in one piece.
/// Empty if its record declares no such join, or if they interleave: parts of 2
/// x 3 do in a result of 2 x 6.
llvm::SmallVector<Joined> joinedBy(mlir::Operation *instr);

/// The only operand whose bytes equal those of the result, in the same order,
/// as in a reshape. Null if there is none.
mlir::Value sameBytesAsResult(mlir::Operation *instr);

/// A buffer of which a result has some bytes, from an offset on.
struct View {
  mlir::Value source;
  uint64_t from;
  bool operator==(const View &) const = default;
};

/// The bytes that a result takes as they are from an operand, in one piece, as
/// a reshape, or a slice or split of rows. Nothing for other results, or if a
/// run gives a size. `result` is an @out buffer of the instruction.
std::optional<View> viewOf(mlir::Operation *instr, mlir::Value result);

} // namespace glow::ir

#endif // GLOW_IR_ACCESS_H
