//===- Rewrites.cpp - refusals that concern rewrites ----------------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Check/Conditions.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/rules/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// A name of the left side is an operand or a value of the sample.
static void checkNamesIn(const ExprPtr &expr, const StringSet<> &known,
                         const Record &record) {
  if (expr->kind == Expr::Kind::Name && !known.contains(expr->text))
    fatalAt(expr->at, record,
            "the sample of rewrite '" + record.getName() +
                "' does not say what '" + expr->text + "' is");
  for (const ExprPtr &child : expr->children)
    checkNamesIn(child, known, record);
}

/// A name to which the sample gives a value occurs on the left side.
static void checkIsMatched(const RewriteModel &rewrite, StringRef name,
                           const char *at) {
  if (!mentions(rewrite.left, name))
    fatalAt(at, *rewrite.record,
            "the left side of rewrite '" + rewrite.record->getName() +
                "' has no '" + name + "', to which its sample gives a value");
}

/// With names that count, `Neg(Neg(y))` and `Neg(Neg(x))` match the same.
static void collectNames(const ExprPtr &expr, std::vector<std::string> &names) {
  static constexpr StringRef values[] = {"true", "false", "infinity", "none"};
  if (expr->kind == Expr::Kind::Name && !is_contained(values, expr->text) &&
      !is_contained(names, expr->text))
    names.push_back(expr->text);
  for (const ExprPtr &child : expr->children)
    collectNames(child, names);
}
static ExprPtr renamed(ExprPtr expr, const std::vector<std::string> &names) {
  for (auto [i, name] : enumerate(names))
    expr = expr ? substitute(expr, name, makeName("$" + Twine(i))) : nullptr;
  return expr;
}

/// Rewrites of the same left side are ordered, or exclude each other. The
/// operands of nodes that commute may stand in any order.
static void checkOrders(const Model &model,
                        const std::vector<RewriteModel> &rewrites) {
  StringMap<std::vector<Rival>> sameLeft;
  auto add = [&](const RewriteModel &rewrite, const ExprPtr &condition,
                 const ExprPtr &left) {
    std::vector<std::string> names;
    collectNames(left, names);
    auto before = recordsField<"Rewrite.before">(*rewrite.record);
    Rival rival = {"rewrite",
                   rewrite.name,
                   textField<"Rewrite.backend">(*rewrite.record).str(),
                   rewrite.record,
                   renamed(condition, names),
                   {before.begin(), before.end()}};
    auto &others = sameLeft[textOf(renamed(left, names))];
    for (const Rival &other : others)
      // Orders of one record's operands may match the same: they say the same.
      if (other.record != rival.record &&
          (model.isOwn(*other.record) || model.isOwn(*rival.record)))
        checkOrder(other, rival, textOf(left));
    others.push_back(std::move(rival));
  };
  for (const RewriteModel &rewrite : rewrites) {
    if (!nodeOf(model, rewrite.left))
      continue;
    const ExprPtr condition = conditionOf(rewrite);
    for (const ExprPtr &left : ordersOf(model, rewrite.left))
      add(rewrite, condition, left);
  }
}

/// Each entry of a dag names an operand of the sample and has a value of type
/// `Init`.
template <typename Init>
static void checkEntries(const RewriteModel &rewrite, const DagInit &entries,
                         const DagInit &operands, StringRef field,
                         StringRef example, StringRef verb) {
  const Record &record = *rewrite.record;
  for (auto [argument, name] : zip(entries.getArgs(), entries.getArgNames())) {
    if (!name || !isa<Init>(argument))
      fatalAt(nullptr, record,
              "an entry of '" + field + "' is written " + example +
                  " and an operand");
    if (!is_contained(operands.getArgNames(), name))
      fatalAt(positionOf(("$" + name->getValue()).str(), record), record,
              "'" + field + "' of rewrite '" + record.getName() + "' " + verb +
                  " '" + name->getValue() +
                  "', which is no operand of its sample");
  }
}

/// Operands that go to the ends of a range, or have limits, are operands of the
/// sample.
static void checkEnds(const RewriteModel &rewrite, const DagInit &operands) {
  const Record &record = *rewrite.record;
  checkEntries<IntInit>(rewrite, *dagField<"Rewrite.ends">(record), operands,
                        "ends", "1:$name, a whole number", "scales");
  checkEntries<StringInit>(rewrite, *dagField<"Rewrite.holds">(record),
                           operands, "holds", "\"sqrt(largest)\":$name, a text",
                           "limits");
}

/// The generated test builds the left side of every rewrite, so that each of
/// its names needs a type or a value.
void glow::gen::checkRewrites(const Model &model) {
  checkOrders(model, everyRewrite(model));
  for (const RewriteModel &rewrite : rewritesOf(model)) {
    checkCanHold(conditionOf(rewrite), *rewrite.record,
                 "rewrite '" + rewrite.record->getName() + "'");
    StringSet<> known;
    known.insert_range(ArrayRef<StringRef>{"true", "false", "none"});
    const DagInit *dag = dagField<"Rewrite.operands">(*rewrite.record);
    for (const StringInit *name : dag->getArgNames())
      if (name) {
        known.insert(name->getValue());
        checkIsMatched(
            rewrite, name->getValue(),
            positionOf(("$" + name->getValue()).str(), *rewrite.record));
      }
    Parser parser(textField<"Rewrite.values">(*rewrite.record),
                  *rewrite.record);
    for (const Statement &statement : parser.values()) {
      known.insert(statement.targets[0]->text);
      checkIsMatched(rewrite, statement.targets[0]->text, statement.at);
    }
    checkNamesIn(rewrite.left, known, *rewrite.record);
    checkEnds(rewrite, *dag);
  }
}
