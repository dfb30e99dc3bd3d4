//===- CBody.h - the body of a function as C ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_C_CBODY_H
#define GLOW_BACKENDS_CPU_AOT_C_CBODY_H

#include "CTypes.h"
#include "PrintC.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace glow::cpu {

/// Whether a function is an entry point, which the header of the bundle
/// declares. Only entry points are visible to users.
inline bool isEntry(const llvm::Function &function) {
  return !function.isDeclaration() && !function.hasLocalLinkage();
}

/// Whether a parameter is a size of the run.
inline bool isSize(const llvm::Argument &argument) {
  return argument.getParent()->getAttributes().hasParamAttr(argument.getArgNo(),
                                                            sizeAttribute);
}

/// Prints the body of one function: a variable a value, a label a block.
class BodyPrinter : public llvm::InstVisitor<BodyPrinter> {
public:
  BodyPrinter(CNames &names, llvm::Function &function)
      : names(names), from(function) {}

  virtual ~BodyPrinter() = default;

  std::string print();

protected:
  friend class llvm::InstVisitor<BodyPrinter>;

  virtual std::string spell(const llvm::Value *value);

  // The visitors of instructions. Each prints an assignment to the variable of
  // its value.
  void visitInstruction(llvm::Instruction &i) { unknown(i.getOpcodeName()); }
  void visitPHINode(llvm::PHINode &) {} // assigned where the block is left
  void visitUnreachableInst(llvm::UnreachableInst &) { line("for (;;)\n;"); }
  void visitFreezeInst(llvm::FreezeInst &i) {
    assign(i, spell(i.getOperand(0)));
  }
  void visitAllocaInst(llvm::AllocaInst &) {} // declared
  void visitReturnInst(llvm::ReturnInst &i);
  void visitBranchInst(llvm::BranchInst &i);
  void visitSwitchInst(llvm::SwitchInst &i);
  void visitLoadInst(llvm::LoadInst &i);
  void visitStoreInst(llvm::StoreInst &i);
  void visitGetElementPtrInst(llvm::GetElementPtrInst &i);
  void visitAddresses(llvm::GetElementPtrInst &i);
  void visitBinaryOperator(llvm::BinaryOperator &i);
  void visitUnaryOperator(llvm::UnaryOperator &i);
  void visitICmpInst(llvm::ICmpInst &i);
  void visitFCmpInst(llvm::FCmpInst &i);
  void visitSelectInst(llvm::SelectInst &i);
  void visitCastInst(llvm::CastInst &i);
  void visitExtractElementInst(llvm::ExtractElementInst &i);
  void visitInsertElementInst(llvm::InsertElementInst &i);
  void visitShuffleVectorInst(llvm::ShuffleVectorInst &i);
  void visitExtractValueInst(llvm::ExtractValueInst &i);
  void visitInsertValueInst(llvm::InsertValueInst &i);
  void visitCallInst(llvm::CallInst &i);

  void unknown(llvm::StringRef what) { names.unknown.insert(what); }
  /// Whether a type is a vector of addresses, whose form in memory differs.
  static bool isAddresses(llvm::Type *type) {
    return type->isVectorTy() && type->getScalarType()->isPointerTy();
  }
  virtual void line(const std::string &text) { body += text + "\n"; }
  virtual void assign(llvm::Instruction &i, const std::string &text);
  void declare(llvm::Instruction &i);
  void jump(llvm::Instruction &from, llvm::BasicBlock *to);
  std::string operand(llvm::Instruction &i, unsigned index,
                      const std::string &lane);

  /// Assigns the result of `of` for each lane.
  template <typename Of> void each(llvm::Instruction &i, Of of) {
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(i.getType());
    if (!vector)
      return assign(i, narrowed(i.getType(), of("")));
    line("for (int i = 0; i < " + std::to_string(vector->getNumElements()) +
         "; ++i) " + spell(&i) +
         ".v[i] = " + narrowed(vector->getElementType(), of("i")) + ";");
  }

  /// Clears the high bits of an integer whose width C does not have.
  std::string narrowed(llvm::Type *type, const std::string &text);
  static bool isPowerOf2(llvm::Type *type) {
    unsigned bits = type->getIntegerBitWidth();
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  }
  /// The text of an integer, sign-extended.
  std::string extended(llvm::Type *type, const std::string &text);
  std::string asSigned(llvm::Value *value);

  std::string function(const std::string &name, llvm::Type *type,
                       llvm::ArrayRef<std::string> x);
  std::string binary(llvm::BinaryOperator &i, const std::string &lane);
  static const char *symbolOf(llvm::CmpInst::Predicate predicate);
  static std::string comparison(llvm::CmpInst::Predicate predicate,
                                const std::string &a, const std::string &b);
  std::string converted(llvm::CastInst &i, const std::string &value);
  void bitCast(llvm::CastInst &i);
  static std::string member(llvm::Value *aggregate,
                            llvm::ArrayRef<unsigned> indices);
  bool intrinsic(llvm::CallInst &i);
  bool memory(llvm::CallInst &i);
  bool reduction(llvm::CallInst &i);
  bool checked(llvm::CallInst &i);

  CNames &names;
  llvm::Function &from;
  llvm::DenseMap<const llvm::Value *, std::string> values;
  llvm::DenseMap<const llvm::BasicBlock *, std::string> labels;
  std::string declarations, body;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_C_CBODY_H
