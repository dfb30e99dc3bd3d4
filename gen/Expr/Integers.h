//===- Integers.h - integers among the elements of formulas -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_INTEGERS_H
#define GLOW_GEN_EXPR_INTEGERS_H

#include "Expr/Type.h"

namespace glow::gen {

/// Finds the parts of a formula that are integers: sums, products and
/// remainders of indices, sizes and integer attributes, and `floor` of a
/// quotient of two such parts. Everything else is an element.
class Integers {
public:
  /// `scope` has the names of the formula; names of type `int` are integers.
  Integers(const Functions &functions, const Scope &scope,
           const llvm::Record &record)
      : functions(functions), scope(scope), record(record) {}

  bool isInteger(const ExprPtr &expr) const;

  /// Whether both operands of the quotient are integers.
  bool isQuotient(const ExprPtr &expr) const;

  /// The expression in which each integer `floor(a / b)` is replaced by
  /// `a / b`, the division of integers.
  ExprPtr written(const ExprPtr &expr) const;

  /// The expression with a real operand in each fractional quotient of
  /// integers, as the derivative of `x * i / n` has.
  ExprPtr withFractions(const ExprPtr &expr) const;

private:
  bool areIntegers(const ExprPtr &expr) const;
  bool isWhole(const ExprPtr &call) const;

  const Functions &functions;
  const Scope &scope;
  const llvm::Record &record;
};

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_INTEGERS_H
