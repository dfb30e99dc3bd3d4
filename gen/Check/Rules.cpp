//===- Rules.cpp - refusals that concern rules ----------------------------===//
// SPDX-License-Identifier: MIT
//
// Lowering ends because each rule builds nodes of lower tiers only. Its result
// is unique because, of two rules that may both apply, one goes first. The
// records alone prove both, for every model.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Check/Conditions.h"
#include "Expr/Parser.h"
#include "Model/rules/Rule.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// The rule by which a node leads to another node, directly or through other
/// rules, among the rules that may apply for a backend; null when there is
/// none.
static const RuleModel *ruleBetween(const Model &model,
                                    ArrayRef<RuleModel> rules,
                                    StringRef backend, const NodeModel *from,
                                    const NodeModel *to) {
  std::vector<const NodeModel *> reached{from};
  for (size_t next = 0; next < reached.size(); ++next)
    for (const RuleModel &rule : rules) {
      if (rule.node != reached[next] ||
          (!rule.backend.empty() && rule.backend != backend))
        continue;
      for (const auto &[name, at] : nodesIn(model, statementsOf(model, rule))) {
        const NodeModel *built = model.findNode(name);
        if (built == to)
          return &rule;
        if (built && !is_contained(reached, built))
          reached.push_back(built);
      }
    }
  return nullptr;
}

/// Refuses a rule of a backend by which a node leads back to itself.
static void checkEnds(const Model &model, ArrayRef<RuleModel> rules,
                      const RuleModel &rule, const NodeModel &built,
                      const char *at) {
  const RuleModel *back =
      &built == rule.node
          ? &rule
          : ruleBetween(model, rules, rule.backend, &built, rule.node);
  if (!back)
    return;
  if (back->record != rule.record)
    PrintNote(back->record->getLoc().front(),
              "rule '" + back->name + "' is here");
  fatalAt(at, *rule.record,
          "rule '" + rule.name + "' rewrites '" + rule.node->className +
              "' into '" + built.className + "', which leads back to it" +
              (back == &rule ? "" : " by rule '" + back->name + "'"));
}

/// A rule ends at nodes of lower tiers, so that lowering ends. A rule for one
/// backend may build others, from which no rule leads back.
static void checkTiers(const Model &model, ArrayRef<RuleModel> rules,
                       const RuleModel &rule) {
  for (const auto &[name, at] : nodesIn(model, statementsOf(model, rule))) {
    const NodeModel *built = model.findNode(name);
    if (!built || built->tier < rule.node->tier)
      continue;
    if (!rule.backend.empty()) {
      checkEnds(model, rules, rule, *built, at);
      continue;
    }
    PrintNote(built->record.getLoc().front(),
              "the tier of '" + name + "' is set here");
    fatalAt(at, *rule.record,
            "rule '" + rule.name + "' rewrites '" + rule.node->className +
                "' (tier " + Twine(rule.node->tier) + ") into '" + name +
                "' (tier " + Twine(built->tier) + "), which is not lower");
  }
}

static Rival rivalOf(const RuleModel &rule) {
  return {"rule",
          rule.name,
          rule.backend,
          rule.record,
          conditionOf(rule.condition, *rule.record),
          rule.before};
}

void glow::gen::checkRules(const Model &model) {
  std::vector<RuleModel> rules = loweringsOf(model);
  for (const RuleModel &rule : rules) {
    if (!model.isOwn(*rule.record))
      continue;
    checkTiers(model, rules, rule);
    checkCanHold(rivalOf(rule).condition, *rule.record,
                 "rule '" + Twine(rule.name) + "'");
  }
  for (size_t i = 0; i < rules.size(); ++i)
    for (size_t j = i + 1; j < rules.size(); ++j)
      if (rules[i].node == rules[j].node &&
          (model.isOwn(*rules[i].record) || model.isOwn(*rules[j].record)))
        checkOrder(rivalOf(rules[i]), rivalOf(rules[j]),
                   rules[i].node->className);
}
