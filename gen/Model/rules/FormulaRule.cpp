//===- FormulaRule.cpp - a formula as nodes that a rule builds
// SPDX-License-Identifier: MIT
//
//-------------===//

#include "Model/rules/FormulaRule.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;
using namespace llvm;

const NodeModel *glow::gen::nodeComputing(const Model &model,
                                          const ExprPtr &expr) {
  for (const auto &node : model.nodes) {
    if (!node->isPointwise() || !node->attributes.empty() ||
        node->inputs.size() != expr->children.size())
      continue;
    ExprPtr formula = node->formulaTree();
    if (formula->kind == expr->kind && formula->text == expr->text &&
        all_of(llvm::zip_equal(formula->children, node->inputs), [](auto pair) {
          return std::get<0>(pair)->isName(std::get<1>(pair).name);
        }))
      return node.get();
  }
  return nullptr;
}

namespace {

class RuleOfFormula {
public:
  RuleOfFormula(const Model &model, const NodeModel &node)
      : model(model), node(node) {}

  ExprPtr tensor(const ExprPtr &expr) const {
    if (isOperand(expr))
      return expr;
    if (isNumber(expr)) {
      ExprPtr like = makeName(node.inputs.front().name);
      return call("Splat",
                  {asReal(expr), call("shape", {like}), call("kind", {like})});
    }
    const NodeModel *computing = nodeComputing(model, expr);
    if (!computing)
      fatalAt(expr->at, node.record,
              "no node computes '" + expr->text +
                  "' alone, so a derived lowering has none to build; the "
                  "record must give one");
    std::vector<ExprPtr> operands;
    for (const ExprPtr &child : expr->children)
      operands.push_back(tensor(child));
    return call(computing->className, std::move(operands), expr->at);
  }

private:
  static ExprPtr call(StringRef callee, std::vector<ExprPtr> operands,
                      const char *at = nullptr) {
    auto made = std::make_shared<Expr>(
        Expr{Expr::Kind::Call, callee.str(), std::move(operands), {}, at});
    made->labels.resize(made->children.size());
    return made;
  }
  bool isOperand(const ExprPtr &expr) const {
    return expr->kind == Expr::Kind::Name && node.findInput(expr->text);
  }
  bool isNumber(const ExprPtr &expr) const {
    return !isOperand(expr) &&
           all_of(expr->children,
                  [&](const ExprPtr &child) { return isNumber(child); });
  }

  /// Numbers of a formula are real, whether they have a point or not.
  static ExprPtr asReal(const ExprPtr &expr) {
    if (expr->kind == Expr::Kind::Integer)
      return makeExpr(Expr::Kind::Real, expr->text + ".0", {}, expr->at);
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr &child : copy->children)
      child = asReal(child);
    return copy;
  }

  const Model &model;
  const NodeModel &node;
};

} // namespace

ExprPtr glow::gen::nodesOfFormula(const Model &model, const NodeModel &node,
                                  const char *at) {
  if (!node.isPointwise())
    fatalAt(at, node.record,
            "a lowering is derived from a formula, and '" + node.className +
                "' has none");
  return RuleOfFormula(model, node).tensor(node.formulaTree());
}
