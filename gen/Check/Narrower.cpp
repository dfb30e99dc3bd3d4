//===- Narrower.cpp - rewrites that refuse operands of their left side ----===//
// SPDX-License-Identifier: MIT
//
// The right side of a rewrite must take every operand that the left side
// matches, or the condition must exclude the others. Otherwise a node of the
// right side would be refused while a model is rewritten, with messages about
// nodes that the model does not contain. Kinds and ranks are those of
// signatures; a kind or rank that signatures leave open counts as fitting.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Check/Conditions.h"
#include "Expr/Builtin.h"
#include "Expr/Parser.h"
#include "Model/rules/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

namespace {

using Kinds = std::vector<std::string>;

/// The element kinds and ranks that a tensor may have.
struct Range {
  std::optional<Kinds> kinds;
  size_t low = 0, high = SIZE_MAX; // of its rank
  bool isOpen = false; // the rank may be less than that, by what is around it
};

Kinds both(const Kinds &a, const Kinds &b) {
  Kinds result = a;
  erase_if(result,
           [&](const std::string &kind) { return !is_contained(b, kind); });
  return result;
}

void narrow(std::optional<Kinds> &kinds, const std::optional<Kinds> &by) {
  if (by)
    kinds = kinds ? both(*kinds, *by) : *by;
}

Range ranksOf(const TensorSignature &tensor) {
  Range range;
  range.high = 0;
  for (const Dimension &dim : tensor.dims) {
    bool list =
        dim.form == Dimension::Form::Rest || dim.form == Dimension::Form::Any;
    range.low += dim.ranks ? dim.ranks->first : !list;
    size_t most = dim.ranks ? dim.ranks->second : list ? SIZE_MAX : 1;
    range.high = most == SIZE_MAX || range.high == SIZE_MAX ? SIZE_MAX
                                                            : range.high + most;
  }
  return range;
}

/// Checks a rewrite, with the operands of nodes that commute in one order.
class NarrowerCheck {
public:
  NarrowerCheck(const Model &model, const RewriteModel &rewrite)
      : model(model), rewrite(rewrite) {
    if (ExprPtr condition = conditionOf(rewrite)) {
      saysKind = asks(condition, {Builtin::Kind});
      saysRank = asks(condition, {Builtin::Rank, Builtin::Shape});
    }
  }

  void run() {
    // An outer node's signature narrows the ranges of inner nodes, and the
    // other way round.
    for (int again = 0; again < 2; ++again)
      learn(rewrite.left, {});
    check(rewrite.right);
  }

private:
  bool asks(const ExprPtr &expr, ArrayRef<Builtin> questions) const {
    std::optional<Builtin> builtin = builtinOf(expr);
    return (builtin && is_contained(questions, *builtin)) ||
           (expr->kind == Expr::Kind::Call &&
            model.functions.findLet(expr->text)) ||
           any_of(expr->children,
                  [&](const ExprPtr &child) { return asks(child, questions); });
  }

  using Visit = function_ref<void(const ExprPtr &, const TensorSignature &)>;

  /// Visits each argument that is a single tensor operand; variadic ones are
  /// left out.
  static void forEachOperand(const NodeModel &node, const ExprPtr &expr,
                             Visit visit) {
    size_t next = 0;
    for (auto [i, child] : enumerate(expr->children)) {
      StringRef label =
          i < expr->labels.size() ? StringRef(expr->labels[i]) : "";
      const TensorSignature *tensor = !label.empty() ? node.findInput(label)
                                      : next < node.inputs.size()
                                          ? &node.inputs[next++]
                                          : nullptr;
      if (tensor && !tensor->variadic)
        visit(child, *tensor);
    }
  }

  /// The kinds that a kind variable of the node may have in this expression.
  std::optional<Kinds> kindsOf(const NodeModel &node, const ExprPtr &expr,
                               StringRef variable) const {
    std::optional<Kinds> kinds;
    forEachOperand(node, expr,
                   [&](const ExprPtr &child, const TensorSignature &tensor) {
                     if (tensor.kind != variable)
                       return;
                     narrow(kinds, node.kindsOf(tensor));
                     narrow(kinds, rangeOf(child).kinds);
                   });
    return kinds;
  }

  /// Narrows the ranges of names on the left side, where the node's result must
  /// be in range `wanted`.
  void learn(const ExprPtr &expr, const Range &wanted) {
    const NodeModel *node = nodeOf(model, expr);
    if (!node || isLiteral(expr))
      return;
    forEachOperand(
        *node, expr, [&](const ExprPtr &child, const TensorSignature &tensor) {
          Range range = ranksOf(tensor);
          if (node->isPointwise())
            range = wanted;
          range.isOpen |= (wanted.low > 0 || wanted.high != SIZE_MAX) &&
                          !node->isPointwise();
          range.kinds = kindsOf(*node, expr, tensor.kind);
          if (tensor.kind == node->outputs[0].kind)
            narrow(range.kinds, wanted.kinds);
          if (child->kind != Expr::Kind::Name)
            return learn(child, range);
          Range &name = names[child->text];
          narrow(name.kinds, range.kinds);
          name.low = std::max(name.low, range.low);
          name.high = std::min(name.high, range.high);
          name.isOpen |= range.isOpen;
        });
  }

  Range rangeOf(const ExprPtr &expr) const {
    if (expr->kind == Expr::Kind::Name)
      return names.lookup(expr->text);
    const NodeModel *node = nodeOf(model, expr);
    Range range;
    if (!node || isLiteral(expr) || node->outputs[0].variadic)
      return range;
    const TensorSignature &output = node->outputs[0];
    range.kinds = node->kindsOf(output);
    if (isUpper(output.kind[0]))
      narrow(range.kinds, kindsOf(*node, expr, output.kind));
    if (node->isPointwise())
      forEachOperand(*node, expr,
                     [&](const ExprPtr &child, const TensorSignature &) {
                       Range of = rangeOf(child);
                       range.low = std::max(range.low, of.low);
                       range.high = std::min(range.high, of.high);
                     });
    return range;
  }

  void check(const ExprPtr &expr) const {
    const NodeModel *node = nodeOf(model, expr);
    if (node && !isLiteral(expr))
      forEachOperand(*node, expr,
                     [&](const ExprPtr &child, const TensorSignature &tensor) {
                       check(child, tensor, *node);
                     });
    for (const ExprPtr &child : expr->children)
      check(child);
  }

  void check(const ExprPtr &given, const TensorSignature &operand,
             const NodeModel &node) const {
    Range range = rangeOf(given), takes = ranksOf(operand);
    std::string of =
        "operand '" + operand.name + "' of '" + node.className + "'";
    if (range.kinds && !saysKind)
      for (const std::string &kind : *range.kinds)
        if (!is_contained(node.kindsOf(operand), kind))
          fail(given, "may be of kind " + kind + ", which " + of +
                          " cannot; the condition must ask for the kind");
    if (saysRank || !isOfLeft(given))
      return;
    if (range.high > takes.high)
      fail(given, "may have more than " + counted(takes.high, "size") +
                      ", which " + of +
                      " has at most; the condition must ask for the rank");
    if (range.low < takes.low)
      fail(given, "may have fewer than " + counted(takes.low, "size") +
                      ", which " + of +
                      " has at least; the condition must ask for the rank");
  }

  /// Whether the rank is that of names alone.
  bool isOfLeft(const ExprPtr &expr) const {
    if (expr->kind == Expr::Kind::Name)
      return names.contains(expr->text) && !names.lookup(expr->text).isOpen;
    const NodeModel *node = nodeOf(model, expr);
    return node && !isLiteral(expr) && node->isPointwise() &&
           all_of(expr->children,
                  [&](const ExprPtr &child) { return isOfLeft(child); });
  }

  [[noreturn]] void fail(const ExprPtr &at, const Twine &message) const {
    fatalAt(at->at, *rewrite.record, "'" + textOf(at) + "' " + message);
  }

  const Model &model;
  const RewriteModel &rewrite;
  bool saysKind = false, saysRank = false;
  StringMap<Range> names;
};

} // namespace

void glow::gen::checkNarrower(const Model &model) {
  for (const RewriteModel &rewrite : rewritesOf(model))
    NarrowerCheck(model, rewrite).run();
}
