//===- Present.cpp - absent operands in statements ------------------------===//
// SPDX-License-Identifier: MIT

#include "Model/node/Present.h"
#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;
using namespace llvm;

static bool isQuestion(const ExprPtr &expr) {
  return expr->kind == Expr::Kind::Call && expr->text == "present";
}

static bool isChoice(const ExprPtr &expr) {
  return expr->kind == Expr::Kind::Call && expr->text == "if" &&
         expr->children.size() == 3;
}

static bool asks(const ExprPtr &expr, StringRef name) {
  return (isQuestion(expr) && expr->children.size() == 1 &&
          expr->children[0]->isName(name)) ||
         any_of(expr->children,
                [&](const ExprPtr &child) { return asks(child, name); });
}

static void addAsked(const NodeModel &node, const ExprPtr &expr,
                     std::vector<const TensorSignature *> &asked) {
  if (!expr)
    return;
  for (const ExprPtr &child : expr->children)
    addAsked(node, child, asked);
  if (!isQuestion(expr))
    return;
  const TensorSignature *tensor = expr->children.size() == 1
                                      ? node.findInput(expr->children[0]->text)
                                      : nullptr;
  if (!tensor || !tensor->optional)
    fatalAt(expr->at, node.record,
            "'present' asks for an operand that may be absent");
  if (!is_contained(asked, tensor))
    asked.push_back(tensor);
}

std::vector<const TensorSignature *>
glow::gen::askedOf(const NodeModel &node, const Statement &statement) {
  std::vector<const TensorSignature *> asked;
  std::vector<ExprPtr> all = readBy(statement);
  all.insert(all.end(), {statement.targets[0], statement.otherwise});
  for (const ExprPtr &expr : all)
    addAsked(node, expr, asked);
  return asked;
}

bool glow::gen::readsWithoutAsking(const NodeModel &node, const ExprPtr &expr,
                                   const TensorSignature &tensor) {
  if (!expr || (isChoice(expr) && asks(expr->children[0], tensor.name)))
    return false;
  return tensorOf(node, expr) == &tensor ||
         any_of(expr->children, [&](const ExprPtr &child) {
           return readsWithoutAsking(node, child, tensor);
         });
}

/// The expression with its known booleans folded.
static ExprPtr decided(const ExprPtr &expr) {
  auto truthOf = [](const ExprPtr &of) -> std::optional<bool> {
    if (of->isName("true") || of->isName("false"))
      return of->text == "true";
    return std::nullopt;
  };
  auto truth = [](bool value) { return makeName(value ? "true" : "false"); };
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = decided(child);
  ArrayRef<ExprPtr> x = copy->children;
  if (isChoice(copy))
    if (std::optional<bool> holds = truthOf(x[0]))
      return *holds ? x[1] : x[2];
  if (copy->kind == Expr::Kind::Unary && copy->text == "!")
    if (std::optional<bool> holds = truthOf(x[0]))
      return truth(!*holds);
  if (copy->kind == Expr::Kind::Binary &&
      (copy->text == "&&" || copy->text == "||"))
    for (size_t side : {0, 1})
      if (std::optional<bool> holds = truthOf(x[side]))
        return *holds == (copy->text == "||") ? x[side] : x[1 - side];
  return copy;
}

static ExprPtr answered(const ExprPtr &expr, const Variant &variant) {
  if (!expr)
    return expr;
  if (isQuestion(expr))
    for (auto [tensor, isThere] : variant.present)
      if (expr->children[0]->isName(tensor->name))
        return makeName(isThere ? "true" : "false");
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = answered(child, variant);
  return copy;
}

ExprPtr glow::gen::wherePresent(const ExprPtr &expr,
                                const TensorSignature &tensor) {
  return decided(answered(expr, {{{&tensor, true}}, {}}));
}

std::vector<Variant> glow::gen::variantsOf(const NodeModel &node,
                                           const Statement &statement) {
  std::vector<Variant> variants = {{{}, statement}};
  for (const TensorSignature *tensor : askedOf(node, statement)) {
    std::vector<Variant> more;
    for (const Variant &variant : variants)
      for (bool isThere : {true, false}) {
        more.push_back(variant);
        more.back().present.emplace_back(tensor, isThere);
        if (isThere)
          more.back().statement.present.push_back(tensor->name);
      }
    variants = std::move(more);
  }
  for (Variant &variant : variants) {
    Statement &one = variant.statement;
    std::vector<ExprPtr *> all = {&one.targets[0], &one.value, &one.otherwise};
    for (IndexRange &range : one.ranges)
      all.insert(all.end(), {&range.low, &range.high});
    for (ExprPtr *expr : all)
      if (*expr)
        *expr = decided(answered(*expr, variant));
  }
  return variants;
}
