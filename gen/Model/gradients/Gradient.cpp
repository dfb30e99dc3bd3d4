//===- Gradient.cpp - source of a node's gradient -------------------------===//
// SPDX-License-Identifier: MIT
//
// A given gradient goes before a derived one. It stands in the record, or in a
// record beside it that another file adds. Otherwise the first of formula,
// index notation and lowering decides; this order puts first the source that
// describes one element most precisely.
//
//===----------------------------------------------------------------------===//

#include "Model/gradients/Gradient.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/gradients/Adjoint.h"
#include "Model/gradients/Linear.h"
#include "Model/rules/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;
using Source = GradientModel::Source;

StringRef glow::gen::nameOf(Source source) {
  static constexpr const char *names[] = {"nothing",  "given",   "refused",
                                          "formula",  "compute", "linear",
                                          "lowering", "missing"};
  return names[static_cast<int>(source)];
}

bool glow::gen::isReal(const NodeModel &node, const TensorSignature &tensor) {
  auto floats =
      textsField<"Kinds.names">(*node.record.getRecords().getDef("Floats"));
  return any_of(node.kindsOf(tensor), [&](const std::string &kind) {
    return is_contained(floats, kind);
  });
}

std::optional<StringRef> glow::gen::gradientName(const ExprPtr &expr) {
  StringRef name = expr->text;
  if (expr->kind != Expr::Kind::Name || !name.consume_front("d."))
    return std::nullopt;
  return name;
}

std::optional<std::string> glow::gen::reasonOfNone(const ExprPtr &expr,
                                                   const Record &record) {
  bool isCall = expr->kind == Expr::Kind::Call && expr->text == "none";
  if (!isCall && !expr->isName("none"))
    return std::nullopt;
  if (!isCall || expr->children.size() != 1 ||
      expr->children[0]->kind != Expr::Kind::Text)
    fatalAt(expr->at, record, "'none' says why: none(\"the reason\")");
  return expr->children[0]->text;
}

/// The text of the gradient and the record that holds it; nothing if none does.
static std::optional<std::pair<StringRef, const Record *>>
givenText(const Model &model, const NodeModel &node) {
  std::optional<std::pair<StringRef, const Record *>> found;
  if (!node.gradient.empty())
    found.emplace(node.gradient, &node.record);
  for (const Record *record :
       model.records.getAllDerivedDefinitions("Gradient")) {
    if (recordField<"Gradient.target">(*record) != &node.record)
      continue;
    if (found) {
      // Neither of two is the right one just because it was read first.
      PrintNote(found->second->getLoc().front(), "the other one is here");
      fatalAt(nullptr, *record,
              "'" + node.className + "' has a gradient already");
    }
    found.emplace(textField<"Gradient.body">(*record).trim(), record);
  }
  return found;
}

static GradientModel given(StringRef text, const Record &record) {
  Parser parser(text, record);
  GradientModel result{Source::Given, parser.statements(), "", &record};
  if (result.statements.size() != 1 || !result.statements[0].targets.empty())
    return result;
  if (auto reason = reasonOfNone(result.statements[0].value, record)) {
    result.source = Source::Refused;
    result.reason = *reason;
  }
  return result;
}

static GradientModel byIndexNotation(const Model &model,
                                     const NodeModel &node) {
  for (const Adjoint &adjoint : adjointsOf(model, node))
    if (!adjoint.why.empty())
      return {Source::Missing, {}, adjoint.why, &node.record, adjoint.at};
  return {Source::Compute, {}, "", &node.record};
}

/// The gradient of a node that is itself the gradient of another node.
static GradientModel ofGradient(const Model &model, const NodeModel &node) {
  GradientModel gradient = {Source::Refused, {}, "", &node.record};
  const NodeModel *forward = model.findNode(node.forward->getName());
  if (forward && forward->forward)
    gradient.reason = "it is a second gradient, and third ones are not derived";
  else if (intField<"Node.derivatives">(*node.forward) < 2)
    gradient.reason = "'" + node.forward->getName().str() +
                      "' is differentiated once, as its record says";
  else if (linearPartOf(model, node).node)
    gradient.source = Source::Linear;
  else if (node.compute.empty())
    gradient.reason = "it is a gradient without index notation";
  else
    gradient = byIndexNotation(model, node);
  if (gradient.source == Source::Missing)
    gradient.source = Source::Refused;
  return gradient;
}

GradientModel glow::gen::gradientOf(const Model &model, const NodeModel &node) {
  if (auto text = givenText(model, node))
    return given(text->first, *text->second);
  auto real = [&](const TensorSignature &tensor) {
    return isReal(node, tensor);
  };
  if (none_of(node.inputs, real) || none_of(node.outputs, real))
    return {Source::Nothing, {}, "", &node.record};
  if (node.forward)
    return ofGradient(model, node);
  if (node.isPointwise())
    return {Source::Formula, {}, "", &node.record};
  if (!node.compute.empty())
    return byIndexNotation(model, node);
  if (!rulesForAll(model, node).empty())
    return {Source::Lowering, {}, "", &node.record};
  return {Source::Missing,
          {},
          node.hand.empty() ? "no lowering serves every backend"
                            : "its kernel is written by hand",
          &node.record};
}

std::vector<Adjoint> glow::gen::derivedNodes(const Model &model,
                                             const NodeModel &node) {
  GradientModel gradient = gradientOf(model, node);
  auto isDerived = [&](const TensorSignature *operand) {
    return any_of(gradient.statements, [&](const Statement &statement) {
      return statement.targets.size() == 1 &&
             statement.value->isName("derived") &&
             gradientName(statement.targets[0]) == operand->name;
    });
  };
  std::vector<Adjoint> result;
  if (node.compute.empty())
    return result;
  for (const Adjoint &adjoint : adjointsOf(model, node))
    if (!adjoint.compute.empty() && (gradient.source == Source::Compute ||
                                     any_of(adjoint.gives, isDerived)))
      result.push_back(adjoint);
  return result;
}
