//===- LoopElements.cpp - elements of statements, as trees over indices ---===//
// SPDX-License-Identifier: MIT

#include "Emit/loops/LoopsEmitter.h"
#include "Expr/Integers.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace glow::gen;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

/// The expression with a name for each element of a tensor, as an integer.
ExprPtr LoopsEmitter::withLoads(const ExprPtr &expr) {
  if (tensorOf(expr)) {
    std::string name = "$" + std::to_string(counter++);
    scope.define(name, Type::Int, load(expr, "Index"));
    return makeExpr(Expr::Kind::Name, name, {}, expr->at);
  }
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = withLoads(child);
  return copy;
}

std::string LoopsEmitter::subscripts(const ExprPtr &access) {
  std::string code = "::glow::loops::subscripts(program";
  for (const ExprPtr &subscript : drop_begin(access->children)) {
    bool list = subscript->kind == Expr::Kind::Spread;
    ExprPtr value = withLoads(list ? subscript->children[0] : subscript);
    TypedCode one = tree(value);
    if (one.type != (list ? Type::Ints : Type::Int))
      fatalAt(subscript->at, node.record,
              "a subscript is of type " + nameOf(one.type));
    code += ", " + one.code;
  }
  return code + ")";
}

std::string LoopsEmitter::load(const ExprPtr &access, StringRef form,
                               bool inBranch) {
  // An element that is read as an index, or whose subscripts read elements,
  // ends the run if it lies outside of its tensor.
  bool outside = inBounds, fails = form == "Index";
  for (size_t place = 0; place + 1 < access->children.size(); ++place) {
    outside |= mayLeadOutside(node, *current, access, place);
    forEachElement(node, access->children[place + 1],
                   [&](const ExprPtr &) { fails = true; });
  }
  return formatv("program.load({0}, {1}, ::glow::loops::Outside::{2}, "
                 "::glow::loops::Form::{3})",
                 bufferOf(*tensorOf(access)), subscripts(access),
                 !outside   ? "Never"
                 : fails    ? "Fails"
                 : inBranch ? "Zero"
                            : "Skips",
                 form);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::string LoopsEmitter::operation(StringRef op, const ExprPtr &expr,
                                    bool inBranch) {
  std::string operands;
  for (const ExprPtr &child : expr->children)
    operands += (operands.empty() ? "" : ", ") + element(child, inBranch);
  return formatv("::glow::loops::make(::glow::loops::Op::{0}, {{{1}})", op,
                 operands);
}

std::string LoopsEmitter::binary(const ExprPtr &expr, bool inBranch) {
  StringRef op = expr->text;
  if (op == ">" || op == ">=")
    return operation(op == ">" ? "Less" : "LessEqual",
                     makeBinary("", expr->children[1], expr->children[0]),
                     inBranch);
  if (any_of(expr->children, [](const ExprPtr &child) {
        return child->kind == Expr::Kind::Text;
      }))
    return "::glow::loops::termOf(&program, " + tree(expr).code + ")";
  if (op == "!=")
    return "::glow::expr::negation(" + operation("Equal", expr, inBranch) + ")";
  // Indices are divided as elements are.
  if (op == "/")
    return formatv("::glow::loops::make(::glow::loops::Op::Divide, "
                   "{{::glow::loops::asElement({0}), "
                   "::glow::loops::asElement({1})})",
                   element(expr->children[0], inBranch),
                   element(expr->children[1], inBranch));
  return operation(StringSwitch<StringRef>(op)
                       .Case("+", "Add")
                       .Case("-", "Subtract")
                       .Case("*", "Multiply")
                       .Case("%", "Remainder")
                       .Case("<", "Less")
                       .Case("<=", "LessEqual")
                       .Case("==", "Equal")
                       .Case("&&", "Both")
                       .Default("Either"),
                   expr, inBranch);
}

std::string LoopsEmitter::call(const ExprPtr &expr, bool inBranch) {
  if (model.functions.isOfAttributes(expr))
    return "::glow::loops::termOf(&program, " + tree(expr).code + ")";
  // Called for its refusals: an unknown name, or a wrong number of arguments.
  model.functions.scalarOf(expr, node.record);
  Integers integers(model.functions, scope, node.record);
  if (integers.isInteger(expr))
    return "::glow::loops::termOf(&program, " +
           tree(integers.written(expr)).code + ")";
  if (expr->text == "if")
    return formatv("::glow::loops::make(::glow::loops::Op::Select, {{{0}, "
                   "::glow::loops::asElement({1}), "
                   "::glow::loops::asElement({2})})",
                   element(expr->children[0], inBranch),
                   element(expr->children[1], /*inBranch=*/true),
                   element(expr->children[2], /*inBranch=*/true));
  std::string operands;
  for (auto [i, child] : enumerate(expr->children))
    operands += (i ? ", " : "") + element(child, inBranch);
  return formatv("program.call({0}, {{{1}})", quoted(expr->text), operands);
}

std::string LoopsEmitter::element(const ExprPtr &expr, bool inBranch) {
  if (tensorOf(expr))
    return load(expr, "Element", inBranch);
  switch (expr->kind) {
  case Expr::Kind::Integer:
    return "program.number(" + expr->text + ")";
  case Expr::Kind::Call:
    return call(expr, inBranch);
  case Expr::Kind::Unary:
    return operation(expr->text == "!" ? "Not" : "Negate", expr, inBranch);
  case Expr::Kind::Binary:
    return binary(expr, inBranch);
  default:
    return "::glow::loops::termOf(&program, " + tree(expr).code + ")";
  }
}
