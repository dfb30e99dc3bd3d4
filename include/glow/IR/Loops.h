//===- Loops.h - the loops of an instruction --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_LOOPS_H
#define GLOW_IR_LOOPS_H

#include "glow/Loops/Program.h"
#include "mlir/IR/Operation.h"
#include <memory>
#include <span>

namespace glow::ir {

/// Builds the loops of an instruction. `first` has the number of the first
/// buffer of each operand, results first, and at its end the number of buffers.
/// False if the operands do not fit the record.
using BuildLoops = bool (*)(mlir::Operation *instr, loops::Program &program,
                            llvm::ArrayRef<unsigned> first);
/// Builds one element of a Pointwise node from the elements of its operands and
/// from its attributes.
using BuildFormula = loops::Term (*)(loops::Program &program,
                                     llvm::ArrayRef<loops::Term> operands,
                                     llvm::ArrayRef<double> attributes);

/// Generated from the `compute` or `formula` of a node's record.
struct LoopsInfo {
  const char *mnemonic;
  BuildLoops loops;
  BuildFormula formula; ///< null for a node that is not Pointwise
  int operand; ///< operand with the kind of its elements; -1: the first result
  /// The element kinds in which all functions that it calls have vector code,
  /// and whether these are all kinds that it allows.
  std::span<const char *const> kinds;
  bool whole;
  bool moves; ///< whether it only moves elements
  /// For a formula: the kinds of the result and of the operands, "" for the
  /// open kind of the record; whether two operands commute; its approximate
  /// number of instructions; and the error of its result in units in the last
  /// place.
  std::span<const char *const> signature;
  bool commutes;
  unsigned operations;
  unsigned ulps;
};

/// The kinds of the operands and the result of a formula on elements of one
/// kind.
struct FormulaKinds {
  ElementKind result;
  llvm::SmallVector<ElementKind, 3> operands;
};
/// The kinds of a node's formula; nothing without a formula for the kind.
std::optional<FormulaKinds> formulaKinds(llvm::StringRef mnemonic,
                                         ElementKind kind);

/// Registers the loops of nodes, under the rules of registerInstrs.
void registerLoops(std::span<const LoopsInfo> table);
const LoopsInfo *findLoops(llvm::StringRef mnemonic);

/// The loops of an instruction; null if its record has no index notation, or
/// too many indices.
std::unique_ptr<loops::Program> loopsOf(mlir::Operation *instr);

/// An instruction that is never run: the types of its buffers, results first;
/// the number of buffers of each operand; and its attributes in the order of
/// the record.
struct InstrOnTypes {
  llvm::StringRef mnemonic;
  llvm::SmallVector<mlir::RankedTensorType> buffers{};
  llvm::SmallVector<int32_t> segments{};
  llvm::SmallVector<mlir::Attribute> attributes{};
};
/// The loops of such an instruction. Null, too, if its record does not accept
/// these types and attributes. At least one buffer is required.
std::unique_ptr<loops::Program> loopsOf(const InstrOnTypes &instr);

} // namespace glow::ir

#endif // GLOW_IR_LOOPS_H
