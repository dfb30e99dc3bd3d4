//===- Folds.cpp - refusals that concern folds ----------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Fold.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// A name of the left side is an operand or a value of the sample.
static void checkNames(const ExprPtr &expr, const StringSet<> &known,
                       const Record &record) {
  if (expr->kind == Expr::Kind::Name && !known.contains(expr->text))
    fatalAt(expr->at, record,
            "the sample of fold '" + record.getName() +
                "' does not say what '" + expr->text + "' is");
  for (const ExprPtr &child : expr->children)
    checkNames(child, known, record);
}

/// The left side with names that count: `Neg(Neg(y))` and `Neg(Neg(x))` match
/// the same.
static void collectNames(const ExprPtr &expr, std::vector<std::string> &names) {
  static constexpr StringRef values[] = {"true", "false", "infinity", "none"};
  if (expr->kind == Expr::Kind::Name && !is_contained(values, expr->text) &&
      !is_contained(names, expr->text))
    names.push_back(expr->text);
  for (const ExprPtr &child : expr->children)
    collectNames(child, names);
}
static std::string canonical(const ExprPtr &left) {
  std::vector<std::string> names;
  collectNames(left, names);
  ExprPtr renamed = left;
  for (auto [i, name] : enumerate(names))
    renamed = substitute(renamed, name, makeName("$" + Twine(i)));
  return textOf(renamed);
}

/// Folds are tried in any order, so a fold without a condition takes all that
/// another one of the same left side would.
static void checkReached(const std::vector<FoldModel> &folds) {
  StringMap<const Record *> unconditional;
  for (const FoldModel &fold : folds)
    if (fold.record->getValueAsString("condition").empty())
      unconditional.try_emplace(canonical(fold.left), fold.record);
  for (const FoldModel &fold : folds) {
    const Record *other = unconditional.lookup(canonical(fold.left));
    if (!other || other == fold.record)
      continue;
    PrintNote(other->getLoc().front(), "the other fold is here");
    fatalAt(fold.left->at, *fold.record,
            "fold '" + fold.record->getName() + "' can never match: '" +
                other->getName() + "' has the same left side and no condition");
  }
}

/// The generated test builds the left side of every fold, so that each of its
/// names needs a type or a value.
void glow::gen::checkFolds(const Model &model) {
  std::vector<FoldModel> folds = foldsOf(model);
  checkReached(folds);
  for (const FoldModel &fold : folds) {
    StringSet<> known;
    known.insert_range(ArrayRef<StringRef>{"true", "false", "none"});
    const DagInit *dag = fold.record->getValueAsDag("operands");
    for (const StringInit *name : dag->getArgNames())
      if (name)
        known.insert(name->getValue());
    Parser parser(fold.record->getValueAsString("values"), *fold.record);
    for (const Statement &statement : parser.statements())
      for (const ExprPtr &target : statement.targets)
        known.insert(target->text);
    checkNames(fold.left, known, *fold.record);
  }
}
