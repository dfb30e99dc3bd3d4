//===- Scalar.cpp - formulas of one element, in C++ -----------------------===//
// SPDX-License-Identifier: MIT
//
// A formula is computed in a kind `C`, which is that of the elements or wider;
// indices and attributes become elements where they stand among them. A bool is
// 0 or 1 of that kind.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Scalar.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// A number as an element: a real one need not fit where those are integers.
static std::string asElement(const TypedCode &value) {
  return (value.type == Type::Real ? "::glow::scalar::as<C>(" : "C(") +
         value.code + ")";
}

std::string ScalarEmitter::name(const ExprPtr &expr) const {
  if (expr->text == "infinity")
    return asElement({Type::Real, "std::numeric_limits<double>::infinity()"});
  const Scope::Entry *entry = scope.find(expr->text);
  if (!entry)
    fatalAt(expr->at, record, unknownName(expr->text, scope));
  if (!isNumber(entry->type) && entry->type != Type::Bool)
    fatalAt(expr->at, record,
            "'" + expr->text + "' is of type " + nameOf(entry->type) +
                " and is no element");
  return asElement({entry->type, entry->spelling});
}

std::string ScalarEmitter::condition(const ExprPtr &expr) const {
  return "(" + emit(expr) + " != C(0))";
}

std::string ScalarEmitter::call(const ExprPtr &expr) const {
  if (functions.isOfAttributes(expr) || integers.isInteger(expr))
    return asElement(value(expr));
  // Called for its refusals: an unknown name, or a wrong number of arguments.
  functions.scalarOf(expr, record);
  if (expr->text == "if")
    return "(" + condition(expr->children[0]) + " ? " +
           emit(expr->children[1]) + " : " + emit(expr->children[2]) + ")";
  std::string arguments;
  for (const ExprPtr &child : expr->children)
    arguments += (arguments.empty() ? "" : ", ") + emit(child);
  return "C(::glow::scalar::" + expr->text + "(" + arguments + "))";
}

TypedCode ScalarEmitter::value(const ExprPtr &expr) const {
  return ValueEmitter(functions, scope, record, ValueForm::Numbers)
      .emit(integers.written(expr));
}

std::string ScalarEmitter::emit(const ExprPtr &expr) const {
  switch (expr->kind) {
  case Expr::Kind::Integer:
  case Expr::Kind::Real:
    return "C(" + expr->text + ")";
  case Expr::Kind::Name:
    return name(expr);
  case Expr::Kind::Call:
    return call(expr);
  case Expr::Kind::Unary:
    if (expr->text == "!")
      return "C(!" + condition(expr->children[0]) + ")";
    return "::glow::scalar::negate(" + emit(expr->children[0]) + ")";
  case Expr::Kind::Binary:
    break;
  case Expr::Kind::Subscript:
    return asElement(value(expr));
  default:
    fatalAt(expr->at, record, "'" + textOf(expr) + "' is no element");
  }
  StringRef op = expr->text;
  if (op == "&&" || op == "||")
    return "C(" + condition(expr->children[0]) + " " + op.str() + " " +
           condition(expr->children[1]) + ")";
  // A comparison of indices: an unsigned kind has not the numbers below 0. Or
  // of an attribute with one of its words.
  bool compares = op == "<" || op == ">" || op == "<=" || op == ">=" ||
                  op == "==" || op == "!=";
  bool ofWords = any_of(expr->children, [](const ExprPtr &child) {
    return child->kind == Expr::Kind::Text;
  });
  if (compares && (ofWords || (integers.isInteger(expr->children[0]) &&
                               integers.isInteger(expr->children[1]))))
    return "C(" + value(expr).code + ")";
  if (integers.isInteger(expr))
    return asElement(value(expr));
  std::string lhs = emit(expr->children[0]), rhs = emit(expr->children[1]);
  static const StringMap<StringRef> names = {{"+", "add"},
                                             {"-", "subtract"},
                                             {"*", "multiply"},
                                             {"/", "divide"},
                                             {"%", "fmod"}};
  auto found = names.find(op);
  if (found != names.end())
    return "::glow::scalar::" + found->second.str() + "(" + lhs + ", " + rhs +
           ")";
  return "C(" + lhs + " " + op.str() + " " + rhs + ")";
}
