//===- Rule.cpp - typed views of rules ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Model/rules/Rule.h"
#include "Expr/Builtin.h"
#include "Expr/Fields.h"
#include "Expr/Let.h"
#include "Expr/Parser.h"
#include "Model/rules/FormulaRule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"
#include <algorithm>

using namespace glow::gen;
using namespace llvm;

unsigned glow::gen::benefitOf(const Record &record) {
  unsigned benefit = 1;
  // A node's own rule has no such field.
  if (record.getValue("before"))
    for (const Record *later :
         recordsField<"Lowering.before", "Rewrite.before">(record))
      benefit = std::max(benefit, benefitOf(*later) + 1);
  return benefit;
}

std::vector<RuleModel> glow::gen::loweringsOf(const Model &model) {
  std::vector<RuleModel> result;
  for (const auto &node : model.nodes)
    if (!node->lowering.empty())
      result.push_back({node.get(),
                        node->className + "ByRecord",
                        node->lowering,
                        "",
                        "",
                        &node->record,
                        {}});
  for (const Record *record :
       model.records.getAllDerivedDefinitions("Lowering")) {
    const Record *target = recordField<"Lowering.target">(*record);
    auto before = recordsField<"Lowering.before">(*record);
    result.push_back({model.findNode(target->getName()),
                      record->getName().str(),
                      textField<"Lowering.body">(*record).str(),
                      textField<"Lowering.condition">(*record).trim().str(),
                      textField<"Lowering.backend">(*record).str(),
                      record,
                      {before.begin(), before.end()}});
  }
  return result;
}

std::vector<Statement> glow::gen::statementsOf(const Model &model,
                                               const RuleModel &rule) {
  std::vector<Statement> statements =
      Parser(rule.body, *rule.record).statements();
  for (Statement &statement : statements)
    if (statement.value && statement.value->isName("derived"))
      statement.value = nodesOfFormula(model, *rule.node, statement.value->at);
  return statements;
}

std::vector<RuleModel> glow::gen::rulesForAll(const Model &model,
                                              const NodeModel &node) {
  std::vector<RuleModel> result;
  for (const RuleModel &rule : loweringsOf(model))
    if (rule.node == &node && rule.backend.empty())
      result.push_back(rule);
  // A stable sort by insertion; the library's stable sort allocates its buffer
  // with a deprecated function.
  auto goesBefore = [](const RuleModel &a, const RuleModel &b) {
    return is_contained(a.before, b.record) ||
           (!a.condition.empty() && b.condition.empty());
  };
  for (auto rule = result.begin(); rule != result.end(); ++rule)
    std::rotate(std::upper_bound(result.begin(), rule, *rule, goesBefore), rule,
                std::next(rule));
  return result;
}

static void collect(const Model &model, const ExprPtr &expr,
                    std::vector<std::pair<std::string, const char *>> &found) {
  if (!expr)
    return;
  if (expr->kind == Expr::Kind::Call && model.findNode(expr->text))
    found.emplace_back(expr->text, expr->at);
  if (isCallOf(expr, Builtin::Fold) && !expr->children.empty())
    found.emplace_back(expr->children[0]->text, expr->at);
  for (const ExprPtr &child : expr->children)
    collect(model, child, found);
  // A call builds the nodes that its function builds.
  if (expr->kind == Expr::Kind::Call)
    if (const LetFunction *let = model.functions.findLet(expr->text)) {
      std::vector<std::pair<std::string, const char *>> inside;
      for (const ExprPtr &value : valuesOf(let->body))
        collect(model, value, inside);
      for (const auto &[name, at] : inside)
        found.emplace_back(name, expr->at);
    }
}

std::vector<std::pair<std::string, const char *>>
glow::gen::nodesIn(const Model &model, const std::vector<Statement> &body) {
  std::vector<std::pair<std::string, const char *>> found;
  for (const ExprPtr &value : valuesOf(body))
    collect(model, value, found);
  return found;
}
