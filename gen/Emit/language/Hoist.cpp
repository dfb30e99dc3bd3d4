//===- Hoist.cpp - index arithmetic out of inner loops --------------------===//
// SPDX-License-Identifier: MIT
//
// A subexpression of a subscript that depends on outer indices alone is
// computed in the innermost of their loops, and has a name in the loops inside
// of it. The C++ compiler would do so as well if it knew that a store to the
// result changes no shape.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Hoist.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;

/// More loops than there can be.
static constexpr size_t never = ~size_t(0);

size_t Hoister::depthOf(const ExprPtr &expr) const {
  if (isTensor(expr))
    return never;
  if (expr->kind == Expr::Kind::Name) {
    auto at = llvm::find(loops, expr->text);
    return at == loops.end() ? 0 : at - loops.begin() + 1;
  }
  size_t depth = 0;
  for (const ExprPtr &child : expr->children)
    depth = std::max(depth, depthOf(child));
  return depth;
}

ExprPtr Hoister::hoist(const ExprPtr &expr, size_t inside) {
  bool computes = expr->kind == Expr::Kind::Call ||
                  expr->kind == Expr::Kind::Binary ||
                  expr->kind == Expr::Kind::Subscript;
  size_t depth = depthOf(expr);
  // An element of a tensor inside a subscript is visited by itself.
  if (isTensor(expr))
    return expr;
  bool isPart = computes && depth < inside;
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = hoist(child, isPart ? depth : inside);
  if (!isPart)
    return copy;
  auto known = llvm::find_if(found, [&](const Part &part) {
    return part.depth == depth && textOf(part.value) == textOf(copy);
  });
  if (known != found.end())
    return makeExpr(Expr::Kind::Name, known->name, {}, expr->at);
  std::string name = "fixed" + std::to_string(found.size());
  found.push_back({depth, name, copy});
  return makeExpr(Expr::Kind::Name, name, {}, expr->at);
}

void Hoister::visit(const ExprPtr &expr) {
  if (!expr)
    return;
  if (isTensor(expr))
    for (const ExprPtr &child : llvm::drop_begin(expr->children)) {
      const ExprPtr &value =
          child->kind == Expr::Kind::Spread ? child->children[0] : child;
      replaced[value.get()] = hoist(value, loops.size());
    }
  for (const ExprPtr &child : expr->children)
    visit(child);
}

ExprPtr Hoister::replacement(const ExprPtr &subscript) const {
  auto at = replaced.find(subscript.get());
  return at == replaced.end() ? subscript : at->second;
}
