//===- Conditions.cpp - when the conditions of records hold ---------------===//
// SPDX-License-Identifier: MIT
//
// Conditions are judged by their form alone: constants are folded, and parts of
// `&&` are searched for pairs that negate each other as written. Every other
// condition may hold, alone or together with any other condition.
//
//===----------------------------------------------------------------------===//

#include "Check/Conditions.h"
#include "Expr/Constant.h"
#include "Expr/Fields.h"
#include "Expr/Numbers.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

ExprPtr glow::gen::conditionOf(StringRef text, const Record &record) {
  Parser parser(text, record);
  if (parser.atEnd())
    return nullptr;
  ExprPtr condition = foldConstants(parser.expression());
  parser.expectEnd();
  return condition->isName("true") ? nullptr : condition;
}

ExprPtr glow::gen::conditionOf(const RewriteModel &rewrite) {
  return conditionOf(textField<"Rewrite.condition">(*rewrite.record),
                     *rewrite.record);
}

/// Whether two conditions exclude each other: one is the negation of the other,
/// as written, or both compare the same expression to two different literals.
static bool contradict(const ExprPtr &x, const ExprPtr &y, Numbers &numbers) {
  auto isNot = [&](const ExprPtr &one, const ExprPtr &other) {
    return one->kind == Expr::Kind::Unary && one->text == "!" &&
           numbers.same(one->children[0], other);
  };
  if (isNot(x, y) || isNot(y, x))
    return true;
  // Pairs of comparisons of the same two sides that never hold both.
  static const std::pair<StringRef, StringRef> opposites[] = {
      {"==", "!="}, {"<", ">="}, {">", "<="},
      {"<", ">"},   {"<", "=="}, {">", "=="}};
  if (x->kind != Expr::Kind::Binary || y->kind != Expr::Kind::Binary ||
      !numbers.same(x->children[0], y->children[0]))
    return false;
  const ExprPtr &a = x->children[1], &b = y->children[1];
  if (!numbers.same(a, b))
    return x->text == "==" && y->text == "==" && a->kind == b->kind &&
           (a->kind == Expr::Kind::Integer || a->kind == Expr::Kind::Text);
  return any_of(opposites, [&](auto pair) {
    return (x->text == pair.first && y->text == pair.second) ||
           (x->text == pair.second && y->text == pair.first);
  });
}

bool glow::gen::neverHolds(const ExprPtr &condition) {
  if (!condition)
    return false;
  std::vector<ExprPtr> parts = conjunctsOf(condition);
  Numbers numbers;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i]->isName("false") ||
        any_of(ArrayRef(parts).drop_front(i + 1), [&](const ExprPtr &other) {
          return contradict(parts[i], other, numbers);
        }))
      return true;
  return false;
}

ExprPtr glow::gen::both(const ExprPtr &a, const ExprPtr &b) {
  return a && b ? makeBinary("&&", a, b) : a ? a : b;
}

void glow::gen::checkCanHold(const ExprPtr &condition, const Record &record,
                             const Twine &what) {
  if (neverHolds(condition))
    fatalAt(condition->at, record,
            what + " can never match: its condition is always false");
}

/// A rule of one backend goes before a rule for all backends.
static bool goesBefore(const Rival &a, const Rival &b) {
  return is_contained(a.before, b.record) ||
         (!a.backend.empty() && b.backend.empty());
}

void glow::gen::checkOrder(const Rival &a, const Rival &b, StringRef target) {
  // Rules of two backends never meet.
  if (a.backend != b.backend && !a.backend.empty() && !b.backend.empty())
    return;
  bool ordered = false;
  for (auto [first, second] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (!goesBefore(*first, *second))
      continue;
    ordered = true;
    if (!first->condition && first->backend == second->backend)
      fatalAt(nullptr, *second->record,
              second->word + " '" + second->name + "' can never match: '" +
                  first->name + "' goes before it and has no condition");
  }
  if (ordered || neverHolds(both(a.condition, b.condition)))
    return;
  PrintNote(a.record->getLoc().front(), "the other " + a.word + " is here");
  fatalAt(nullptr, *b.record,
          a.word + "s '" + a.name + "' and '" + b.name + "' may both match '" +
              target + "': let one say `before` the other");
}
