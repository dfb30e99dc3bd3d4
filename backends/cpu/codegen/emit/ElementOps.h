//===- ElementOps.h - arithmetic of vectors of elements ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Emits the operations of trees (glow/Loops/Term.h) as LLVM IR, on vectors of
// 16 elements of the computation kind, and on booleans as i1.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_EMIT_ELEMENTOPS_H
#define GLOW_BACKENDS_CPU_CODEGEN_EMIT_ELEMENTOPS_H

#include "Emit.h"
#include "glow/Loops/Program.h"

namespace glow::cpu {

class ElementOps {
public:
  /// Elements have the type `element`; integers are signed unless
  /// `unsignedIntegers`.
  ElementOps(Emitter &code, llvm::Type *element, bool unsignedIntegers = false)
      : code(code), element(element), unsignedIntegers(unsignedIntegers) {}

  /// Whether products of reals are rounded before they are added; else they may
  /// be fused with the sum.
  bool roundsProducts = false;

  llvm::Type *type() const { return element; }
  bool isReal() const { return element->isFloatingPointTy(); }
  bool isUnsigned() const { return unsignedIntegers; }
  llvm::FixedVectorType *vectorOf(llvm::Type *of) const;
  /// Broadcasts a scalar to a vector; a vector stays as it is.
  llvm::Value *spread(llvm::Value *value);
  /// Broadcasts a scalar beside a vector, so that both or neither are vectors.
  std::pair<llvm::Value *, llvm::Value *> alike(llvm::Value *a, llvm::Value *b);

  llvm::Value *number(double value);
  /// A constant index: an integer of 64 bits, whatever elements are.
  llvm::Value *place(int64_t value);

  /// Emits an operation other than a load, on operands in the order of the
  /// tree.
  llvm::Value *apply(const loops::Node &node, llvm::ArrayRef<llvm::Value *> x);
  llvm::Value *negate(llvm::Value *x);
  /// 1 + exp(-x) of floats, with the accuracy of the library.
  llvm::Value *onePlusExpOfMinus(llvm::Value *x);
  /// Divides as scalar::divide does.
  llvm::Value *divide(llvm::Value *a, llvm::Value *b);
  /// The maximum or minimum; NaN if either operand is NaN.
  llvm::Value *best(llvm::Value *a, llvm::Value *b, bool isMax);
  /// Whether one element is larger, or smaller, than another.
  llvm::Value *leads(llvm::Value *a, llvm::Value *b, bool isMax);

private:
  llvm::Value *compare(loops::Op op, bool ofElements, llvm::Value *a,
                       llvm::Value *b);
  llvm::Value *convert(const loops::Node &node, llvm::Value *x);
  llvm::Value *rounded(llvm::Value *x);
  llvm::Value *summand(llvm::Value *x);
  llvm::Value *formula(llvm::StringRef text, llvm::ArrayRef<llvm::Value *> x);
  llvm::Value *arithmetic(loops::Op op, llvm::ArrayRef<llvm::Value *> x);
  llvm::Value *ofBits(llvm::StringRef function,
                      llvm::ArrayRef<llvm::Value *> x);
  llvm::Value *call(llvm::StringRef function, llvm::ArrayRef<llvm::Value *> x);

  Emitter &code;
  llvm::Type *element;
  const bool unsignedIntegers;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_ELEMENTOPS_H
