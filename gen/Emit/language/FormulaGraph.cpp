//===- FormulaGraph.cpp - a formula of elements as nodes on tensors -------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/FormulaGraph.h"
#include "Emit/language/Scalar.h"
#include "Expr/Parser.h"
#include "Model/rules/FormulaRule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

bool FormulaGraphEmitter::isConstant(const ExprPtr &expr) const {
  if (expr->kind == Expr::Kind::Name && tensors.count(expr->text))
    return false;
  return all_of(expr->children,
                [&](const ExprPtr &child) { return isConstant(child); });
}

const NodeModel &FormulaGraphEmitter::nodeOf(const ExprPtr &expr) {
  if (const NodeModel *node = nodeComputing(model, expr))
    return *node;
  fatalAt(expr->at, record,
          "no node computes '" + expr->text +
              "' alone, so the derived gradient has none to build; the record "
              "must give one");
}

FormulaGraphEmitter::Built
FormulaGraphEmitter::node(const NodeModel &node,
                          const std::vector<std::string> &operands) {
  std::string name = "f" + std::to_string(counter++);
  os << formatv("  auto {0} = create{1}(builder, location, {2});\n"
                "  if (!{0})\n    return ::llvm::failure();\n",
                name, node.className, join(operands, ", "));
  return {name + ".getResult()", node.outputs[0].kind == "bool"};
}

/// A part without a tensor is a number, computed when the graph is built.
FormulaGraphEmitter::Built FormulaGraphEmitter::splat(const ExprPtr &value) {
  std::string name = "f" + std::to_string(counter++);
  ScalarEmitter scalars(model.functions, values, record);
  os << formatv("  ::mlir::Value {0} = ::glow::splatLike(builder, location, "
                "{1}, {2});\n  if (!{0})\n    return ::llvm::failure();\n",
                name, scalars.emit(value), like);
  return {name};
}

std::string FormulaGraphEmitter::number(const ExprPtr &expr) {
  Built built = build(expr);
  if (!built.truth)
    return built.code;
  ExprPtr zero = makeInteger(0), one = makeInteger(1);
  const NodeModel &select = nodeOf(makeCall("if", {expr, one, zero}));
  return node(select, {built.code, splat(one).code, splat(zero).code}).code;
}

std::string FormulaGraphEmitter::truth(const ExprPtr &expr) {
  Built built = build(expr);
  if (built.truth)
    return built.code;
  ExprPtr zero = makeInteger(0);
  ExprPtr equal = makeBinary("==", expr, zero);
  Built isZero = node(nodeOf(equal), {built.code, splat(zero).code});
  return node(nodeOf(makeExpr(Expr::Kind::Unary, "!", {equal})), {isZero.code})
      .code;
}

FormulaGraphEmitter::Built FormulaGraphEmitter::buildOnce(const ExprPtr &expr) {
  if (isConstant(expr))
    return splat(expr);
  if (expr->kind == Expr::Kind::Name)
    return {tensors.at(expr->text), is_contained(truths, expr->text)};
  // No node computes a != b on numbers; it becomes !(a == b).
  if (expr->kind == Expr::Kind::Binary && expr->text == "!=") {
    auto equal = std::make_shared<Expr>(*expr);
    equal->text = "==";
    return build(makeExpr(Expr::Kind::Unary, "!", {equal}, expr->at));
  }
  const NodeModel &found = nodeOf(expr);
  std::vector<std::string> operands;
  for (auto [child, input] : llvm::zip_equal(expr->children, found.inputs)) {
    bool takesBoolean =
        found.kindsOf(input) == std::vector<std::string>{"bool"};
    operands.push_back(takesBoolean ? truth(child) : number(child));
  }
  Built result = node(found, operands);
  // And, Or and Not have the kind of their operands.
  result.truth |=
      found.kindsOf(found.outputs[0]) == std::vector<std::string>{"bool"};
  return result;
}

FormulaGraphEmitter::Built FormulaGraphEmitter::build(const ExprPtr &expr) {
  std::string text = textOf(expr);
  auto found = known.find(text);
  if (found != known.end())
    return found->second;
  return known[text] = buildOnce(expr);
}

std::string FormulaGraphEmitter::emit(const ExprPtr &expr) {
  return number(expr);
}
