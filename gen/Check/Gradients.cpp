//===- Gradients.cpp - refusals that concern gradients --------------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/gradients/Adjoint.h"
#include "Model/gradients/Gradient.h"
#include "Model/rules/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;
using Source = GradientModel::Source;

static std::string suggestion(StringRef name,
                              const std::vector<TensorSignature> &among) {
  for (const TensorSignature &tensor : among)
    if (name.edit_distance(tensor.name) < 3)
      return "; did you mean 'd." + tensor.name + "'?";
  return "";
}

namespace {

/// Checks one gradient that a record gives.
class GivenCheck {
public:
  GivenCheck(const Model &model, const NodeModel &node,
             const GradientModel &gradient)
      : model(model), node(node), gradient(gradient) {}

  void run() {
    for (const Statement &statement : gradient.statements) {
      checkReads(statement.value);
      for (const ExprPtr &target : statement.targets)
        if (auto name = gradientName(target))
          checkTarget(target, *name, statement);
    }
    for (const TensorSignature &input : node.inputs)
      if (isReal(node, input) && !given.count(input.name))
        fail(nullptr, "the gradient of '" + node.className +
                          "' says nothing of operand '" + input.name +
                          "': it assigns to d." + input.name +
                          ", or none(\"why\") to it");
  }

private:
  [[noreturn]] void fail(const ExprPtr &at, const Twine &message) {
    fatalAt(at ? at->at : nullptr, *gradient.record, message);
  }

  void checkReads(const ExprPtr &expr) {
    if (auto name = gradientName(expr); name && !node.findOutput(*name)) {
      if (node.findInput(*name))
        fail(expr,
             "'d." + *name + "' is what the gradient gives, and is not read");
      fail(expr, "'" + node.className + "' has no result '" + *name + "'" +
                     suggestion(*name, node.outputs));
    }
    for (const ExprPtr &child : expr->children)
      checkReads(child);
  }

  void checkTarget(const ExprPtr &target, StringRef name,
                   const Statement &statement) {
    const TensorSignature *operand = node.findInput(name);
    if (!operand)
      fail(target, "'" + node.className + "' has no operand '" + name + "'" +
                       suggestion(name, node.inputs));
    if (!isReal(node, *operand))
      fail(target, "operand '" + name + "' of '" + node.className +
                       "' is never of a float kind and has no gradient");
    if (!given.insert({name, true}).second)
      fail(target, "'d." + name + "' is assigned a second time");
    if (statement.value->isName("derived"))
      checkDerived(statement.value, *operand);
    else if (!reasonOfNone(statement.value, *gradient.record))
      checkShape(statement.value, *operand);
  }

  void checkDerived(const ExprPtr &at, const TensorSignature &operand) {
    if (node.compute.empty())
      fail(at, "a gradient is 'derived' from index notation, which '" +
                   node.className + "' has not");
    Adjoint adjoint = adjointOf(model, node, operand);
    if (!adjoint.why.empty())
      fail(at, "this gradient cannot be derived: " + adjoint.why);
    if (adjoint.compute.empty())
      fail(at, "no element of '" + operand.name +
                   "' is read, so no gradient is derived");
  }

  /// The sizes of a tensor as its signature writes them. Known for a name, for
  /// a gradient of a result, and for a Pointwise node of such tensors.
  std::optional<std::string> sizesOf(const ExprPtr &expr) {
    StringRef name = gradientName(expr).value_or(expr->text);
    if (expr->kind == Expr::Kind::Name) {
      const TensorSignature *tensor = node.findInput(name);
      tensor = tensor ? tensor : node.findOutput(name);
      if (!tensor || tensor->variadic)
        return std::nullopt;
      return sizesText(*tensor);
    }
    const NodeModel *called =
        expr->kind == Expr::Kind::Call ? model.findNode(expr->text) : nullptr;
    // A Pointwise result has the size of its first operand of known size.
    bool pointwise = called ? called->isPointwise()
                            : expr->kind == Expr::Kind::Binary ||
                                  expr->kind == Expr::Kind::Unary;
    if (pointwise)
      for (const ExprPtr &child : expr->children)
        if (auto sizes = sizesOf(child))
          return sizes;
    return std::nullopt;
  }

  void checkShape(const ExprPtr &value, const TensorSignature &operand) {
    auto has = sizesOf(value);
    if (has && !operand.variadic && *has != sizesText(operand))
      fail(value, "the gradient of '" + operand.name + "' has sizes " + *has +
                      ", but must have " + sizesText(operand));
  }

  const Model &model;
  const NodeModel &node;
  const GradientModel &gradient;
  StringMap<bool> given;
};

} // namespace

/// The chain rule goes through every node that a lowering builds.
static void checkLowering(const Model &model, const NodeModel &node,
                          const RuleModel &rule) {
  for (const auto &[name, at] : nodesIn(model, statementsOf(model, rule))) {
    const NodeModel *built = model.findNode(name);
    // A call of a function needs no gradient. A missing gradient of a node is
    // reported at the record of that node.
    if (!built || gradientOf(model, *built).source != Source::Refused)
      continue;
    PrintNote(built->record.getLoc().front(),
              "'" + name + "' is declared here");
    fatalAt(at, *rule.record,
            "'" + node.className +
                "' has no gradient by its lowering, since '" + name +
                "' cannot be differentiated; its record must give one");
  }
}

void glow::gen::checkGradients(const Model &model) {
  for (const NodeModel *node : model.ownNodes()) {
    GradientModel gradient = gradientOf(model, *node);
    switch (gradient.source) {
    case Source::Missing:
      fatalAt(gradient.at, node->record,
              "'" + node->className +
                  "' has no derived gradient: " + gradient.reason +
                  "; its record must give `gradient`, or none(\"why\")");
    case Source::Given:
      GivenCheck(model, *node, gradient).run();
      break;
    case Source::Lowering:
      for (const RuleModel &rule : rulesForAll(model, *node))
        checkLowering(model, *node, rule);
      break;
    default:
      break;
    }
  }
}
