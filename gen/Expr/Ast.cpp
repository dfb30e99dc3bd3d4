//===- Ast.cpp - expressions and statements of the record language --------===//
// SPDX-License-Identifier: MIT

#include "Expr/Ast.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;

bool glow::gen::isLiteral(const ExprPtr &expr) {
  if (expr->kind == Expr::Kind::Unary && expr->text == "-")
    return isLiteral(expr->children[0]);
  return expr->kind == Expr::Kind::Integer || expr->kind == Expr::Kind::Real;
}

ExprPtr glow::gen::makeExpr(Expr::Kind kind, llvm::StringRef text,
                            std::vector<ExprPtr> children, const char *at) {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->text = text.str();
  expr->children = std::move(children);
  expr->at = at;
  return expr;
}

ExprPtr glow::gen::makeInteger(int64_t value) {
  return makeExpr(Expr::Kind::Integer, std::to_string(value));
}

ExprPtr glow::gen::makeName(const llvm::Twine &name) {
  return makeExpr(Expr::Kind::Name, name.str());
}

ExprPtr glow::gen::makeBinary(llvm::StringRef op, ExprPtr lhs, ExprPtr rhs) {
  const char *at = lhs->at;
  return makeExpr(Expr::Kind::Binary, op, {std::move(lhs), std::move(rhs)}, at);
}

ExprPtr glow::gen::makeCall(llvm::StringRef callee,
                            std::vector<ExprPtr> arguments) {
  return makeExpr(Expr::Kind::Call, callee, std::move(arguments));
}

std::vector<ExprPtr> glow::gen::conjunctsOf(const ExprPtr &expr) {
  if (expr->kind != Expr::Kind::Binary || expr->text != "&&")
    return {expr};
  std::vector<ExprPtr> parts;
  for (const ExprPtr &child : expr->children)
    llvm::append_range(parts, conjunctsOf(child));
  return parts;
}

ExprPtr glow::gen::substitute(const ExprPtr &expr, llvm::StringRef name,
                              ExprPtr value) {
  llvm::StringMap<ExprPtr> values;
  values[name] = std::move(value);
  return substitute(expr, values);
}

bool glow::gen::mentions(const ExprPtr &expr, llvm::StringRef name) {
  return expr->isName(name) ||
         llvm::any_of(expr->children, [&](const ExprPtr &child) {
           return mentions(child, name);
         });
}

/// Substitutes inside an `each` expression. A name that `for` binds hides the
/// same name outside. It is renamed where it would capture a name of a
/// substituted value.
static ExprPtr substituteEach(const ExprPtr &each,
                              llvm::StringMap<ExprPtr> values) {
  auto copy = std::make_shared<Expr>(*each);
  for (ExprPtr &list : llvm::drop_begin(copy->children))
    list = substitute(list, values);
  for (const std::string &name : each->labels)
    values.erase(name);
  llvm::StringMap<ExprPtr> inside = values;
  auto isCaught = [&](llvm::StringRef name) {
    return llvm::any_of(values, [&](const auto &value) {
      return mentions(value.second, name);
    });
  };
  for (std::string &name : copy->labels) {
    if (!isCaught(name))
      continue;
    std::string own = name;
    while (isCaught(name) || mentions(each->children[0], name) ||
           llvm::is_contained(each->labels, name))
      name += "0";
    inside[own] = makeName(name);
  }
  copy->children[0] = substitute(copy->children[0], inside);
  return copy;
}

ExprPtr glow::gen::substitute(const ExprPtr &expr,
                              const llvm::StringMap<ExprPtr> &values) {
  if (expr->kind == Expr::Kind::Name)
    if (ExprPtr value = values.lookup(expr->text))
      return value;
  if (expr->kind == Expr::Kind::Each)
    return substituteEach(expr, values);
  // Nodes are shared between trees and never changed: what differs is copied.
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = substitute(child, values);
  return copy;
}

std::vector<ExprPtr>
glow::gen::valuesOf(const std::vector<Statement> &statements) {
  std::vector<ExprPtr> values;
  for (const Statement &statement : statements) {
    if (statement.value)
      values.push_back(statement.value);
    values.insert(values.end(), statement.lists.begin(), statement.lists.end());
    for (ExprPtr &value : valuesOf(statement.body))
      values.push_back(std::move(value));
  }
  return values;
}

std::vector<ExprPtr> glow::gen::boundsOf(const Statement &statement) {
  std::vector<ExprPtr> bounds;
  for (const IndexRange &range : statement.ranges)
    if (range.hasBounds())
      bounds.insert(bounds.end(), {range.low, range.high});
  return bounds;
}

std::vector<ExprPtr> glow::gen::readBy(const Statement &statement) {
  std::vector<ExprPtr> read = boundsOf(statement);
  read.push_back(statement.value);
  return read;
}

const IndexRange *glow::gen::rangeOf(const Statement &statement,
                                     llvm::StringRef index) {
  auto range = llvm::find_if(statement.ranges, [&](const IndexRange &range) {
    return range.name == index;
  });
  return range == statement.ranges.end() ? nullptr : &*range;
}

std::vector<ExprPtr>
glow::gen::targetsOf(const std::vector<Statement> &statements) {
  std::vector<ExprPtr> targets;
  for (const Statement &statement : statements) {
    targets.insert(targets.end(), statement.targets.begin(),
                   statement.targets.end());
    for (ExprPtr &target : targetsOf(statement.body))
      targets.push_back(std::move(target));
  }
  return targets;
}

// As Parser.cpp reads them, so that what is printed is read back as the same
// tree. Comparisons are 3, names, calls and brackets 8.
static int precedenceOf(const Expr &expr) {
  if (expr.kind == Expr::Kind::Unary)
    return 7;
  if (expr.kind != Expr::Kind::Binary)
    return 8;
  llvm::StringRef op = expr.text;
  if (op == "||")
    return 1;
  if (op == "&&")
    return 2;
  if (op == "+" || op == "-")
    return 4;
  if (op == "*" || op == "/" || op == "%")
    return 5;
  return 3;
}

static std::string inParentheses(const ExprPtr &expr, int above) {
  std::string text = textOf(expr);
  return precedenceOf(*expr) < above ? "(" + text + ")" : text;
}

static std::string listOf(const Expr &expr, size_t from) {
  std::string text;
  for (size_t i = from; i < expr.children.size(); ++i) {
    text += i > from ? ", " : "";
    if (i < expr.labels.size() && !expr.labels[i].empty())
      text += expr.labels[i] + ": ";
    text += textOf(expr.children[i]);
  }
  return text;
}

std::string glow::gen::textOf(const ExprPtr &expr) {
  const Expr &e = *expr;
  switch (e.kind) {
  case Expr::Kind::Integer:
  case Expr::Kind::Real:
  case Expr::Kind::Name:
    return e.text;
  case Expr::Kind::Text:
    return "\"" + e.text + "\"";
  case Expr::Kind::Call:
    return e.text + "(" + listOf(e, 0) + ")";
  case Expr::Kind::Binary: {
    int own = precedenceOf(e);
    // Operators of one precedence go from left to right: only on the right one
    // of the same takes parentheses.
    return inParentheses(e.children[0], own) + " " + e.text + " " +
           inParentheses(e.children[1], own + 1);
  }
  case Expr::Kind::Unary:
    return e.text + inParentheses(e.children[0], 7);
  case Expr::Kind::Subscript:
    return inParentheses(e.children[0], 8) + "[" + listOf(e, 1) + "]";
  case Expr::Kind::List:
    return "[" + listOf(e, 0) + "]";
  case Expr::Kind::Spread:
    return "*" + inParentheses(e.children[0], 7);
  case Expr::Kind::Each: {
    std::string names;
    for (const std::string &name : e.labels)
      names += (names.empty() ? "" : ", ") + name;
    ExprPtr lists = makeExpr(Expr::Kind::List, "",
                             {e.children.begin() + 1, e.children.end()});
    return "[" + textOf(e.children[0]) + " for " + names + " in " +
           listOf(*lists, 0) + "]";
  }
  }
  return "";
}
