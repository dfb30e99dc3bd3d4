//===- Loops.h - the loops of an instruction --------------------*- C++ -*-===//

#ifndef GLOW_IR_LOOPS_H
#define GLOW_IR_LOOPS_H

#include "glow/Loops/Program.h"
#include "mlir/IR/Operation.h"
#include <memory>
#include <span>

namespace glow::ir {

/// Builds the loops of an instruction of one kind. `first` is the number of the
/// first buffer of each operand, results first, and behind them how many there
/// are. False where its operands do not fit its record.
using BuildLoops = bool (*)(mlir::Operation *instr, loops::Program &program,
                            llvm::ArrayRef<unsigned> first);
/// One element of a Pointwise node, from those of its operands and from its
/// attributes.
using BuildFormula = loops::Term (*)(loops::Program &program,
                                     llvm::ArrayRef<loops::Term> operands,
                                     llvm::ArrayRef<double> attributes);

/// What ClassGen makes of a node's `compute` or `formula`.
struct LoopsInfo {
  const char *mnemonic;
  BuildLoops loops;
  BuildFormula formula; ///< null of one that is not Pointwise
  int operand; ///< of whose kind its elements are; -1: the first result
  /// Of the kinds that it may have, those in which the functions that it calls
  /// have code on vectors, and whether these are all.
  std::span<const char *const> kinds;
  bool whole;
  bool moves; ///< elements, of which none is changed
  /// Of a formula: the kinds of the result and of the operands, "" for the one
  /// that the record leaves open; whether two operands may change places; about
  /// how many instructions it takes; and how many units in the last place its
  /// result may be off.
  std::span<const char *const> signature;
  bool commutes;
  unsigned operations;
  unsigned ulps;
};

/// A formula on elements of one kind: what its operands and its result are.
struct FormulaKinds {
  ElementKind result;
  llvm::SmallVector<ElementKind, 3> operands;
};
/// Nothing where the node has no formula, or none of the kind.
std::optional<FormulaKinds> formulaKinds(llvm::StringRef mnemonic,
                                         ElementKind kind);

/// Makes the loops of nodes known, in the way of registerInstrs.
void registerLoops(std::span<const LoopsInfo> table);
const LoopsInfo *findLoops(llvm::StringRef mnemonic);

/// The loops of an instruction; null where its record has no index notation,
/// or too many indices.
std::unique_ptr<loops::Program> loopsOf(mlir::Operation *instr);

/// An instruction that nothing runs: the types of its buffers, results first;
/// how many of them each operand has; and its attributes in the order of the
/// record.
struct InstrOnTypes {
  llvm::StringRef mnemonic;
  llvm::SmallVector<mlir::RankedTensorType> buffers{};
  llvm::SmallVector<int32_t> segments{};
  llvm::SmallVector<mlir::Attribute> attributes{};
};
/// Its loops; null too where its record does not take these types and
/// attributes. There is at least one buffer.
std::unique_ptr<loops::Program> loopsOf(const InstrOnTypes &instr);

} // namespace glow::ir

#endif // GLOW_IR_LOOPS_H
