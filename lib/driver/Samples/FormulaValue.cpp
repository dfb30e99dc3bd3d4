//===- FormulaValue.cpp - a formula in more digits ------------------------===//
// SPDX-License-Identifier: MIT

#include "FormulaValue.h"
#include "glow/Base/Scalar.h"
#include "llvm/Support/ErrorHandling.h"

using namespace glow;
using loops::Form;
using loops::Op;

using Values = llvm::ArrayRef<long double>;

/// Calls the scalar function of a record, by the generated list.
static long double call(llvm::StringRef function, Values x) {
#include "glow/Loops/ScalarCalls.cpp.inc"
  llvm_unreachable("no function of floats");
}

static long double numberOf(const loops::Node &term) {
  return term.form == Form::Element ? (long double)term.real
                                    : (long double)term.integer;
}

static long double apply(Op op, Values x) {
  switch (op) {
  case Op::Add:
    return x[0] + x[1];
  case Op::Subtract:
    return x[0] - x[1];
  case Op::Multiply:
    return x[0] * x[1];
  case Op::Divide:
    return x[0] / x[1];
  case Op::Remainder:
    return std::fmod(x[0], x[1]);
  case Op::Negate:
    return -x[0];
  case Op::Less:
    return x[0] < x[1];
  case Op::LessEqual:
    return x[0] <= x[1];
  case Op::Equal:
    return x[0] == x[1];
  case Op::Both:
    return x[0] != 0 && x[1] != 0;
  case Op::Either:
    return x[0] != 0 || x[1] != 0;
  case Op::Not:
    return x[0] == 0;
  case Op::Select:
    return x[0] != 0 ? x[1] : x[2];
  default:
    llvm_unreachable("no operation on elements");
  }
}

long double glow::formulaValue(const loops::Node &term, Values elements) {
  if (term.op == Op::Number)
    return numberOf(term);
  if (term.op == Op::Load)
    return elements[size_t(term.integer)];
  llvm::SmallVector<long double, 3> x;
  for (loops::Term operand : term.operands)
    x.push_back(formulaValue(*operand, elements));
  if (term.op == Op::Convert)
    return term.form == Form::Boolean ? (long double)(x[0] != 0) : x[0];
  return term.op == Op::Call ? call(term.name, x) : apply(term.op, x);
}
