//===- Select.h - from LLVM's instructions to the processor's -*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_QUICK_SELECT_H
#define GLOW_BACKENDS_CPU_QUICK_SELECT_H

#include "Assembler.h"
#include "Units.h"

namespace glow::cpu::quick {

/// The labels of assembled functions.
using Labels = llvm::DenseMap<const llvm::Function *, Assembler::Label>;

/// The elements of a part as a vector mask: the sign bit of each is set.
std::string maskBytes(uint16_t elements, unsigned part);

/// The 32 bits of a number; 0 if it is undefined.
uint32_t bitsOf(const llvm::Constant &element);

/// The value of an integer constant; a condition is 1 or 0.
std::optional<int64_t> numberOf(const llvm::Value *value);

/// Assembles one function.
///
/// Scratch registers hold operands that are in memory: Rax and Rcx the parts of
/// an address, and together with Rdx other operands; for vectors the last
/// register, and others that no value has at this place. Rbp addresses the
/// caller's arguments, and Rsp the spill slots.
class Selector {
public:
  Selector(Assembler &code, llvm::Function &function,
           llvm::DominatorTree &dominators, bool wide, const Labels &callees);

  /// Selects the function; false if it contains an unsupported instruction.
  bool run();

private:
  using Value = llvm::Value;
  using Instruction = llvm::Instruction;

  //===--------------------------------------------------------------------===//
  // Frame and blocks (Select.cpp)
  //===--------------------------------------------------------------------===//

  bool knowsTypes() const;
  bool tryToRun();
  bool prepare();
  void placeInFrame();
  void enter();
  void leave();
  void emitBlock(const llvm::BasicBlock &block, const llvm::BasicBlock *next);
  void emitBranch(const llvm::BranchInst &branch, const llvm::BasicBlock *next);
  void emitCall(const llvm::CallInst &call);
  bool emit(const Instruction &instruction);

  /// The location of a value: a register, an address, or a constant.
  struct Location {
    Kind kind = Kind::General;
    int reg = -1;
    Memory memory;
    const llvm::Constant *constant = nullptr;
    unsigned part = 0; ///< part of the constant

    bool isSame(const Location &other) const;
  };
  struct Move {
    Location to, from;
  };
  llvm::SmallVector<Move> movesTo(const llvm::BasicBlock &from,
                                  const llvm::BasicBlock &to);
  Location locationOf(const Value *value, unsigned part);
  Location locationOf(int unit) const;
  /// Emits parallel moves: no move reads the target of another one.
  void emitMoves(llvm::SmallVector<Move> moves);
  void emitMove(const Move &move);
  void exchange(Move &move, llvm::SmallVectorImpl<Move> &others);

  //===--------------------------------------------------------------------===//
  // Numbers and addresses (Scalars.cpp)
  //===--------------------------------------------------------------------===//

  bool emitScalar(const Instruction &instruction);
  bool emitScalarCall(const llvm::IntrinsicInst &call);
  bool emitLoad(const llvm::LoadInst &load);
  void emitByteLoad(const llvm::CastInst &cast);
  bool emitStore(const llvm::StoreInst &store);
  bool emitBlockCopy(const llvm::IntrinsicInst &call);
  void copyFew(Register to, Register from, int64_t size);
  bool emitTiles(const llvm::IntrinsicInst &call); // Tiles.cpp
  Memory rowsAt(const llvm::IntrinsicInst &call);
  void emitArithmetic(const llvm::BinaryOperator &operation);
  void emitMultiplication(const llvm::BinaryOperator &operation);
  /// Emits an operation that takes an immediate or a register.
  void emitSum(Assembler::Arithmetic kind,
               const llvm::BinaryOperator &operation);
  void emitProduct(Register target, const Value *value, int64_t factor);
  void emitDivision(const llvm::BinaryOperator &operation);
  void emitDivisionBy(int64_t divisor, const llvm::BinaryOperator &operation,
                      bool isRest);
  void emitShift(const llvm::BinaryOperator &operation);
  void emitSelect(const llvm::SelectInst &select);
  void emitLimit(const llvm::IntrinsicInst &call,
                 Assembler::Condition condition);
  void emitAddress(const llvm::GetElementPtrInst &address);
  /// Emits code that sets the flags; returns the condition to test.
  Assembler::Condition emitCondition(const Value *condition);
  Assembler::Condition emitComparison(const llvm::ICmpInst &compare);

  std::string bytesOf(const llvm::GlobalVariable &global) const;
  /// The register of a value; `scratch`, after loading the value, if it has
  /// none.
  Register read(const Value *value, Register scratch);
  /// The register for the result, and the store after it if the result is
  /// spilled.
  Register target(const Value *value, Register scratch = Rax) const;
  void written(const Value *value, Register reg);
  /// The memory operand of an address. Uses Rax and Rcx.
  Memory place(const Value *pointer);

  //===--------------------------------------------------------------------===//
  // Vectors (Vectors.cpp)
  //===--------------------------------------------------------------------===//

  bool emitVector(const Instruction &instruction);
  bool emitVectorPart(const Instruction &instruction, unsigned part);
  bool emitVectorCall(const llvm::IntrinsicInst &call, unsigned part);
  void emitVectorLoad(const llvm::LoadInst &load, unsigned part);
  bool emitCopy(const Instruction &copy, unsigned part);
  void emitSplat(const Instruction &splat);
  void emitBinary(const Encoding &encoding, const Instruction &result,
                  const Value *first, const Value *second, unsigned part);
  /// Emits an operation with one operand, and the immediate `number` if it is
  /// not negative.
  void emitUnary(const Encoding &encoding, const Instruction &result,
                 const Value *operand, unsigned part, int number = -1);
  void emitWithBits(const Encoding &encoding, const Instruction &result,
                    const Value *operand, uint32_t bits, unsigned part);
  void emitFusedProduct(const Instruction &sum, const Instruction &product,
                        unsigned part);
  void emitSumWithPairs(const Instruction &sum, const Instruction &pairs,
                        unsigned part);
  /// Emits first x second + addend. The addend may be subtracted, or the
  /// product may be subtracted from it.
  void emitMultiplyAdd(const Instruction &result, const Value *first,
                       const Value *second, const Value *addend,
                       bool isSubtracted, bool isNegated, unsigned part);
  bool emitNumberLimit(const llvm::IntrinsicInst &call, unsigned part);
  bool emitQuads(const llvm::IntrinsicInst &call, unsigned part);
  void emitCopySign(const llvm::IntrinsicInst &call, unsigned part);
  bool emitShuffle(const llvm::ShuffleVectorInst &shuffle, unsigned part);
  void emitShuffleOfTwo(const llvm::ShuffleVectorInst &shuffle);
  bool emitVectorShift(const llvm::BinaryOperator &operation, unsigned part);
  bool emitCast(const llvm::CastInst &cast, unsigned part);

  // Choices.cpp
  bool emitChoice(const llvm::SelectInst &select, unsigned part);
  void emitComparison(unsigned mask, const llvm::FCmpInst &compare,
                      unsigned part);
  void emitKnownChoice(const llvm::SelectInst &select, uint16_t elements,
                       unsigned part);
  bool emitMask(const Instruction &mask, unsigned part);
  bool emitMaskLogic(const llvm::BinaryOperator &operation, unsigned part);

  //===--------------------------------------------------------------------===//
  // Where vectors are (VectorOperands.cpp)
  //===--------------------------------------------------------------------===//

  bool emitVectorStore(const Value &value, const Value &pointer,
                       const Value *mask, unsigned part);
  void emitFirstStore(const Value &vector, const Value &pointer);
  bool emitMaskedLoad(const llvm::IntrinsicInst &load, unsigned part);
  unsigned readVector(const Value *value, unsigned part, unsigned scratch);
  /// The value as a last operand, which may be in memory.
  Source source(const Value *value, unsigned part);
  Source constantSource(const llvm::Constant &constant, unsigned part);
  Source bits(uint32_t bits);
  void loadConstant(unsigned target, const llvm::Constant &constant,
                    unsigned part);
  /// The register for the result; the first scratch register if it has none.
  unsigned vectorTarget(const Value *value, unsigned part) const;
  void vectorWritten(const Value *value, unsigned part, unsigned reg);
  unsigned scratchVector(unsigned index);
  llvm::BitVector freeVectors() const;
  /// The register of a part; ~0 if it is in memory.
  unsigned registerOf(const Value *value, unsigned part) const;
  Memory partOf(Memory place, unsigned part, unsigned bytes) const;

  unsigned partBytes() const { return wide ? 64 : 32; }

  Assembler &code;
  llvm::Function &function;
  const llvm::DataLayout &layout;
  const bool wide;
  const unsigned parts; // registers of a vector
  const Labels &callees;
  Folds folds;
  Units units;
  unsigned kept = 1;         // vector registers kept free as scratch
  bool needsScratch = false; // one more scratch register is needed
  int now = 0;               // position of the instruction (Units.h)
  bool failed = false;
  llvm::DenseMap<int, Memory> homes;          // spill slots of units
  llvm::DenseMap<const Value *, int64_t> own; // frame offsets of allocas
  llvm::DenseMap<const llvm::BasicBlock *, Assembler::Label> labels;
  llvm::SmallVector<Register> saved;
  int64_t frame = 0;
};

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_SELECT_H
