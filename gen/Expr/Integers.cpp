//===- Integers.cpp - integers among the elements of formulas -------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Integers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

bool Integers::areIntegers(const ExprPtr &expr) const {
  return all_of(expr->children,
                [&](const ExprPtr &child) { return isInteger(child); });
}

bool Integers::isQuotient(const ExprPtr &expr) const {
  return expr->kind == Expr::Kind::Binary && expr->text == "/" &&
         areIntegers(expr);
}

/// `floor(a / b)` of integers.
bool Integers::isWhole(const ExprPtr &call) const {
  return call->text == "floor" && call->children.size() == 1 &&
         isQuotient(call->children[0]);
}

bool Integers::isInteger(const ExprPtr &expr) const {
  auto hasTypeOfOne = [&] {
    return ValueEmitter(functions, scope, record).emit(written(expr)).type ==
           Type::Int;
  };
  switch (expr->kind) {
  case Expr::Kind::Integer:
    return true;
  case Expr::Kind::Name: {
    const Scope::Entry *entry = scope.find(expr->text);
    return entry && entry->type == Type::Int;
  }
  case Expr::Kind::Unary:
    return expr->text == "-" && areIntegers(expr);
  case Expr::Kind::Binary:
    return is_contained({"+", "-", "*", "%"}, StringRef(expr->text)) &&
           areIntegers(expr);
  case Expr::Kind::Call:
    return isWhole(expr) || (functions.isOfAttributes(expr) && hasTypeOfOne());
  case Expr::Kind::Subscript:
    // Only elements of a list count; the elements of tensors are no integers.
    return expr->children[0]->kind == Expr::Kind::Name &&
           scope.find(expr->children[0]->text) && hasTypeOfOne();
  default:
    return false;
  }
}

ExprPtr Integers::withFractions(const ExprPtr &expr) const {
  if (!expr || expr->kind == Expr::Kind::Subscript ||
      functions.isOfAttributes(expr) || isInteger(expr))
    return expr;
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = withFractions(child);
  if (isQuotient(expr)) {
    const ExprPtr above = expr->children[0];
    bool isNumber = above->kind == Expr::Kind::Integer;
    ExprPtr real =
        makeExpr(Expr::Kind::Real, (isNumber ? above->text : "1") + ".0");
    copy->children[0] = isNumber ? real : makeBinary("*", real, above);
  }
  return copy;
}

ExprPtr Integers::written(const ExprPtr &expr) const {
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = written(child);
  if (expr->kind == Expr::Kind::Call && isWhole(expr))
    return copy->children[0];
  return copy;
}
