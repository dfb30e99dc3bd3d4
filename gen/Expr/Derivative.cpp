//===- Derivative.cpp - symbolic derivatives of formulas ------------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Derivative.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static bool isInteger(const ExprPtr &expr, int value) {
  return expr->kind == Expr::Kind::Integer &&
         expr->text == std::to_string(value);
}

static ExprPtr negative(ExprPtr expr) {
  return makeExpr(Expr::Kind::Unary, "-", {std::move(expr)});
}

/// if(c, a, 0) or if(c, 0, a).
static bool isMask(const ExprPtr &expr) {
  return expr->kind == Expr::Kind::Call && expr->text == "if" &&
         (isInteger(expr->children[1], 0) || isInteger(expr->children[2], 0));
}

static ExprPtr times(const ExprPtr &l, const ExprPtr &r) {
  return simplify(makeBinary("*", l, r));
}

/// A mask chooses before the product: 0 times infinity would be NaN.
static ExprPtr intoBranches(const ExprPtr &mask,
                            llvm::function_ref<ExprPtr(ExprPtr)> change) {
  return makeCall("if", {mask->children[0], change(mask->children[1]),
                         change(mask->children[2])});
}

static ExprPtr simplifyBinary(const ExprPtr &expr) {
  const ExprPtr &l = expr->children[0], &r = expr->children[1];
  StringRef op = expr->text;
  if (op == "+")
    return isInteger(l, 0) ? r : isInteger(r, 0) ? l : expr;
  if (op == "-")
    return isInteger(r, 0) ? l : isInteger(l, 0) ? simplify(negative(r)) : expr;
  if (op == "*") {
    // This also holds where the other side may be infinite: a derivative that
    // is 0 by its form is 0.
    if (isInteger(l, 0) || isInteger(r, 0))
      return makeInteger(0);
    if (isInteger(l, 1) || isInteger(r, 1))
      return isInteger(l, 1) ? r : l;
    return isMask(l)   ? intoBranches(l, [&](auto e) { return times(e, r); })
           : isMask(r) ? intoBranches(r, [&](auto e) { return times(l, e); })
                       : expr;
  }
  if (op == "/")
    return isInteger(l, 0) ? makeInteger(0) : isInteger(r, 1) ? l : expr;
  return expr;
}

ExprPtr glow::gen::simplify(const ExprPtr &expr) {
  // Subscripts stay as written: `i + 0` must not become the bare index `i`,
  // which defines a range.
  if (expr->kind == Expr::Kind::Subscript)
    return expr;
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = simplify(child);
  if (copy->kind == Expr::Kind::Binary)
    return simplifyBinary(copy);
  if (copy->kind == Expr::Kind::Unary && copy->text == "-" &&
      isInteger(copy->children[0], 0))
    return makeInteger(0);
  // With equal branches the condition does not matter.
  if (copy->kind == Expr::Kind::Call && copy->text == "if" &&
      textOf(copy->children[1]) == textOf(copy->children[2]))
    return copy->children[1];
  return copy;
}

namespace {

class Differentiator {
public:
  Differentiator(StringRef name, const Functions &functions,
                 const Record &record)
      : name(name), functions(functions), record(record) {}

  ExprPtr run(const ExprPtr &expr) const {
    switch (expr->kind) {
    case Expr::Kind::Integer:
    case Expr::Kind::Real:
      return makeInteger(0);
    case Expr::Kind::Name:
      return makeInteger(expr->text == name);
    case Expr::Kind::Subscript: // of an attribute
      return makeInteger(0);
    case Expr::Kind::Unary:
      return expr->text == "!" ? makeInteger(0)
                               : negative(run(expr->children[0]));
    case Expr::Kind::Binary:
      return binary(expr);
    case Expr::Kind::Call:
      return call(expr);
    default:
      fatalAt(expr->at, record,
              "'" + textOf(expr) + "' has no derivative: it is no formula");
    }
  }

private:
  ExprPtr binary(const ExprPtr &expr) const {
    const ExprPtr &l = expr->children[0], &r = expr->children[1];
    StringRef op = expr->text;
    if (op == "+" || op == "-")
      return makeBinary(op, run(l), run(r));
    if (op == "*")
      return makeBinary("+", makeBinary("*", run(l), r),
                        makeBinary("*", l, run(r)));
    // (l / r)' = l' / r - l * r' / r^2.
    if (op == "/")
      return makeBinary(
          "-", makeBinary("/", run(l), r),
          makeBinary("/", makeBinary("*", l, run(r)), makeBinary("*", r, r)));
    return makeInteger(0); // comparisons
  }

  ExprPtr call(const ExprPtr &expr) const {
    if (functions.isOfAttributes(expr))
      return makeInteger(0);
    const ScalarType &function = functions.scalarOf(expr, record);
    // if(c, a, b): the branches' derivatives under the same condition.
    if (expr->text == "if")
      return makeCall("if", {expr->children[0], run(expr->children[1]),
                             run(expr->children[2])});
    // The chain rule: the sum over arguments of f's derivative by that
    // argument, at all of them, times the argument's own.
    ExprPtr sum = makeInteger(0);
    for (size_t i = 0; i < function.arity; ++i) {
      Parser parser(function.derivatives[i], *function.record);
      // Names are replaced all at once, since arguments may use names of
      // parameters.
      static const char *const letters[] = {"a", "b", "c"};
      llvm::StringMap<ExprPtr> arguments;
      for (size_t j = 0; j < function.arity; ++j)
        arguments[letters[j]] = expr->children[j];
      ExprPtr outer = substitute(parser.expression(), arguments);
      sum =
          makeBinary("+", sum, makeBinary("*", outer, run(expr->children[i])));
    }
    return sum;
  }

  StringRef name;
  const Functions &functions;
  const Record &record;
};

} // namespace

ExprPtr glow::gen::derivativeOf(const ExprPtr &formula, StringRef name,
                                const Functions &functions,
                                const Record &record) {
  return simplify(Differentiator(name, functions, record).run(formula));
}
