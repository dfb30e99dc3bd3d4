//===- Folds.cpp - refusals that concern folds ----------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Fold.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static void checkNames(const ExprPtr &expr, const StringSet<> &known,
                       const Record &record) {
  if (expr->kind == Expr::Kind::Name && !known.contains(expr->text))
    fatalAt(expr->at, record,
            "the sample of fold '" + record.getName() +
                "' does not say what '" + expr->text + "' is");
  for (const ExprPtr &child : expr->children)
    checkNames(child, known, record);
}

/// The generated test builds the left side of every fold, so that each of its
/// names needs a type or a value.
void glow::gen::checkFolds(const Model &model) {
  for (const FoldModel &fold : foldsOf(model)) {
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
