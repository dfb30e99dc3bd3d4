//===- Rules.cpp - refusals that concern rules ----------------------------===//
//
// Lowering ends because each rule builds nodes of lower tiers only, and gives
// one result because of two rules that may both apply one goes first. Both are
// seen in the records, whatever models come.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Check/Conditions.h"
#include "Expr/Parser.h"
#include "Model/Rule.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// A rule ends at nodes of lower tiers, so that lowering ends.
static void checkTiers(const Model &model, const RuleModel &rule) {
  for (const auto &[name, at] : nodesIn(model, statementsOf(model, rule))) {
    const NodeModel *built = model.findNode(name);
    if (!built || built->tier < rule.node->tier)
      continue;
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
    checkTiers(model, rule);
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
