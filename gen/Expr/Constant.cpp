//===- Constant.cpp - constant expressions --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Constant.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace glow::gen;
using namespace llvm;

static std::optional<int64_t> integerOf(const ExprPtr &expr) {
  int64_t value;
  if (expr->kind != Expr::Kind::Integer ||
      StringRef(expr->text).getAsInteger(10, value))
    return std::nullopt;
  return value;
}

static std::optional<bool> truthOf(const ExprPtr &expr) {
  if (expr->isName("true"))
    return true;
  if (expr->isName("false"))
    return false;
  return std::nullopt;
}

static ExprPtr truth(bool value, const ExprPtr &at) {
  return makeExpr(Expr::Kind::Name, value ? "true" : "false", {}, at->at);
}

/// As at run time: `/` and `%` round towards minus infinity.
static std::optional<int64_t> arithmetic(StringRef op, int64_t a, int64_t b) {
  int64_t result;
  if (op == "+")
    return AddOverflow(a, b, result) ? std::nullopt : std::optional(result);
  if (op == "-")
    return SubOverflow(a, b, result) ? std::nullopt : std::optional(result);
  if (op == "*")
    return MulOverflow(a, b, result) ? std::nullopt : std::optional(result);
  // A quotient by a negative number or by 0 is left to run time, which defines
  // its value.
  if (b <= 0)
    return std::nullopt;
  if (op == "/")
    return divideFloorSigned(a, b);
  if (op == "%")
    return a - b * divideFloorSigned(a, b);
  return std::nullopt;
}

static std::optional<bool> comparison(StringRef op, int64_t a, int64_t b) {
  return StringSwitch<std::optional<bool>>(op)
      .Case("==", a == b)
      .Case("!=", a != b)
      .Case("<", a < b)
      .Case("<=", a <= b)
      .Case(">", a > b)
      .Case(">=", a >= b)
      .Default(std::nullopt);
}

/// `&&` and `||` where one side is known; null when neither decides.
static ExprPtr logic(const ExprPtr &expr, const ExprPtr &a, const ExprPtr &b) {
  if (expr->text != "&&" && expr->text != "||")
    return nullptr;
  bool decisive = expr->text == "||";
  for (auto [known, other] : {std::pair(a, b), std::pair(b, a)})
    if (std::optional<bool> value = truthOf(known))
      // true && x is x and false && x is false, from either side: an expression
      // has no effects that could be skipped.
      return *value == decisive ? truth(decisive, expr) : other;
  return nullptr;
}

static ExprPtr foldBinary(const ExprPtr &expr, const ExprPtr &a,
                          const ExprPtr &b) {
  if (ExprPtr result = logic(expr, a, b))
    return result;
  auto x = integerOf(a), y = integerOf(b);
  if (x && y) {
    if (auto value = arithmetic(expr->text, *x, *y))
      return makeExpr(Expr::Kind::Integer, std::to_string(*value), {},
                      expr->at);
    if (auto value = comparison(expr->text, *x, *y))
      return truth(*value, expr);
  }
  // The language has no side effects, so that equal texts have equal values.
  if (textOf(a) == textOf(b))
    // x == x folds to true, as 0 == 0 does.
    if (auto value = comparison(expr->text, 0, 0))
      return truth(*value, expr);
  if (a->kind == Expr::Kind::Text && b->kind == Expr::Kind::Text &&
      (expr->text == "==" || expr->text == "!="))
    return truth(expr->text == "!=", expr);
  return makeExpr(Expr::Kind::Binary, expr->text, {a, b}, expr->at);
}

static ExprPtr foldUnary(const ExprPtr &expr, const ExprPtr &a) {
  int64_t negated;
  if (expr->text == "!")
    if (auto value = truthOf(a))
      return truth(!*value, expr);
  if (auto value = integerOf(a);
      value && expr->text == "-" && !SubOverflow<int64_t>(0, *value, negated))
    return makeExpr(Expr::Kind::Integer, std::to_string(negated), {}, expr->at);
  return makeExpr(Expr::Kind::Unary, expr->text, {a}, expr->at);
}

ExprPtr glow::gen::foldConstants(const ExprPtr &expr) {
  auto folded = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : folded->children)
    child = foldConstants(child);
  if (expr->kind == Expr::Kind::Binary)
    return foldBinary(expr, folded->children[0], folded->children[1]);
  if (expr->kind == Expr::Kind::Unary)
    return foldUnary(expr, folded->children[0]);
  if (expr->kind == Expr::Kind::Call && expr->text == "if" &&
      folded->children.size() == 3)
    if (auto value = truthOf(folded->children[0]))
      return folded->children[*value ? 1 : 2];
  return folded;
}
