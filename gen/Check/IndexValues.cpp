//===- IndexValues.cpp - refusals that concern indices as numbers ---------===//
// SPDX-License-Identifier: MIT
//
// Refuses ambiguous texts: a name that is both an index and a size, and a
// quotient of integers, which is a fraction in a formula and a whole number in
// a subscript.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Integers.h"
#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "Model/node/Scans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// The names of one statement that stand in a computation.
class IndexNameCheck {
public:
  IndexNameCheck(const NodeModel &node, const Statement &statement)
      : node(node), indices(indicesOf(node, statement)) {}

  void visit(const ExprPtr &expr) const {
    if (!expr || isOfStep(expr))
      return;
    if (expr->kind == Expr::Kind::Name)
      return visitName(expr);
    bool isElement = isElementOf(expr);
    for (const ExprPtr &child : expr->children)
      if (!isElement || !indexIn(node, child))
        visit(child);
  }

private:
  /// An element of a tensor, or of a name that nothing declares: a later check
  /// refuses the latter.
  bool isElementOf(const ExprPtr &expr) const {
    return expr->kind == Expr::Kind::Subscript &&
           expr->children[0]->kind == Expr::Kind::Name &&
           !node.findAttribute(expr->children[0]->text);
  }

  /// Whether the call takes the index alone, as `previous(t)` does.
  static bool isOfStep(const ExprPtr &expr) {
    static constexpr StringRef words[] = {"previous", "following", "first",
                                          "last"};
    return expr->kind == Expr::Kind::Call && is_contained(words, expr->text);
  }

  void visitName(const ExprPtr &name) const {
    if (indices.contains(name->text) && isSize(node, name->text))
      fatalAt(name->at, node.record,
              "'" + name->text +
                  "' is an index of the statement and a size of '" +
                  node.className + "': write " + extentName(name->text) +
                  " for the size, or give the index another name");
  }

  const NodeModel &node;
  const StringSet<> indices;
};

/// The quotients among the elements of one statement.
class QuotientCheck {
public:
  QuotientCheck(const Model &model, const NodeModel &node,
                const Statement &statement)
      : model(model), node(node), scope(elementScope(node, statement)),
        integers(model.functions, scope, node.record) {}

  void visit(const ExprPtr &expr) const {
    // Subscripts and calls on compile-time values have integers alone.
    if (!expr || expr->kind == Expr::Kind::Subscript ||
        model.functions.isOfAttributes(expr))
      return;
    if (integers.isQuotient(expr))
      refuse(expr);
    if (!integers.isInteger(expr))
      for (const ExprPtr &child : expr->children)
        visit(child);
  }

private:
  void refuse(const ExprPtr &quotient) const {
    auto real = [](const ExprPtr &number) {
      return makeExpr(Expr::Kind::Real, number->text + ".0");
    };
    ExprPtr above = quotient->children[0], below = quotient->children[1];
    if (below->kind == Expr::Kind::Integer)
      below = real(below);
    else if (above->kind == Expr::Kind::Integer)
      above = real(above);
    else
      above = makeBinary("*", real(makeInteger(1)), above);
    ExprPtr fraction = makeBinary("/", above, below);
    fatalAt(quotient->at, node.record,
            "'" + textOf(quotient) + "' divides integers: write " +
                textOf(makeCall("floor", {quotient})) +
                " for the whole number, or " + textOf(fraction) +
                " for the fraction");
  }

  const Model &model;
  const NodeModel &node;
  const Scope scope;
  const Integers integers;
};

} // namespace

void glow::gen::checkIndexValues(const Model &model) {
  for (const NodeModel *node : model.ownNodes()) {
    // A derived record has the names of its original record.
    if (textField<"Node.origin">(node->record).empty())
      for (const Statement &statement : node->statements()) {
        IndexNameCheck names(*node, statement);
        for (const ExprPtr &expr : readBy(statement))
          names.visit(expr);
        names.visit(statement.targets[0]);
        names.visit(statement.otherwise);
      }
    for (const Statement &statement : node->computeTree()) {
      QuotientCheck quotients(model, *node, statement);
      quotients.visit(statement.value);
      quotients.visit(statement.otherwise);
    }
  }
}
