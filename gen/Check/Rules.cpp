//===- Rules.cpp - refusals that concern rules ----------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// A rule ends at nodes of lower tiers, so that lowering ends.
static void checkTiers(const Model &model, const RuleModel &rule) {
  Parser parser(rule.body, *rule.record);
  for (const auto &[name, at] : nodesIn(model, parser.statements())) {
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

static void checkConstantCondition(const RuleModel &rule) {
  if (rule.condition == "false" || rule.condition == "0")
    fatalAt(nullptr, *rule.record,
            "rule '" + rule.name + "' can never match: its condition is false");
}

/// Whether one condition is the negation of the other, as written.
static bool exclude(const RuleModel &a, const RuleModel &b) {
  if (a.condition.empty() || b.condition.empty())
    return false;
  Parser first(a.condition, *a.record), second(b.condition, *b.record);
  ExprPtr x = first.expression(), y = second.expression();
  if (textOf(makeExpr(Expr::Kind::Unary, "!", {x})) == textOf(y) ||
      textOf(makeExpr(Expr::Kind::Unary, "!", {y})) == textOf(x))
    return true;
  static const std::pair<StringRef, StringRef> opposites[] = {
      {"==", "!="}, {"<", ">="}, {">", "<="}};
  if (x->kind != Expr::Kind::Binary || y->kind != Expr::Kind::Binary ||
      textOf(x->children[0]) != textOf(y->children[0]))
    return false;
  bool sameRight = textOf(x->children[1]) == textOf(y->children[1]);
  if (x->text == "==" && y->text == "==")
    return !sameRight && x->children[1]->kind == Expr::Kind::Integer &&
           y->children[1]->kind == Expr::Kind::Integer;
  return sameRight && any_of(opposites, [&](auto pair) {
           return (x->text == pair.first && y->text == pair.second) ||
                  (x->text == pair.second && y->text == pair.first);
         });
}

static void checkPair(const RuleModel &a, const RuleModel &b) {
  if (a.backend != b.backend && !a.backend.empty() && !b.backend.empty())
    return;
  bool first = is_contained(a.before, b.record);
  bool second = is_contained(b.before, a.record);
  // A backend's own rule goes before one for all.
  first |= !a.backend.empty() && b.backend.empty();
  second |= !b.backend.empty() && a.backend.empty();
  if (first && a.condition.empty() && a.backend == b.backend)
    fatalAt(nullptr, *b.record,
            "rule '" + b.name + "' can never match: '" + a.name +
                "' goes before it and has no condition");
  if (second && b.condition.empty() && a.backend == b.backend)
    fatalAt(nullptr, *a.record,
            "rule '" + a.name + "' can never match: '" + b.name +
                "' goes before it and has no condition");
  if (first || second || exclude(a, b))
    return;
  PrintNote(a.record->getLoc().front(), "the other rule is here");
  fatalAt(nullptr, *b.record,
          "rules '" + a.name + "' and '" + b.name + "' may both match '" +
              a.node->className + "': let one say `before` the other");
}

void glow::gen::checkRules(const Model &model) {
  std::vector<RuleModel> rules = loweringsOf(model);
  for (const RuleModel &rule : rules) {
    if (!model.isOwn(*rule.record))
      continue;
    checkTiers(model, rule);
    checkConstantCondition(rule);
  }
  for (size_t i = 0; i < rules.size(); ++i)
    for (size_t j = i + 1; j < rules.size(); ++j)
      if (rules[i].node == rules[j].node &&
          (model.isOwn(*rules[i].record) || model.isOwn(*rules[j].record)))
        checkPair(rules[i], rules[j]);
}
