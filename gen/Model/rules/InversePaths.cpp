//===- InversePaths.cpp - operators that are imported as several nodes ----===//
// SPDX-License-Identifier: MIT
//
// The root of the nodes is the one that the operator is written for. A path
// leads from the root to a value that an input of the operator became: "in"
// is operand `in` of the root, "in/add.lhs" operand `lhs` of the Add that makes
// it, and "in/add.lhs@conv.strides" attribute `strides` of the Conv that makes
// that. A list of tensors counts as its first one. Conditions that the
// attributes do not decide have paths for both outcomes: the nodes of a module
// decide.
//
//===----------------------------------------------------------------------===//

#include "Expr/Builtin.h"
#include "Model/rules/InverseReader.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;
using namespace llvm;

/// The attribute and the literal of `attribute == literal`, or of `!=`.
std::optional<std::pair<ExprPtr, ExprPtr>>
glow::gen::comparedIn(const ExprPtr &expr) {
  auto isWord = [](const ExprPtr &side) {
    return side->kind == Expr::Kind::Text || side->kind == Expr::Kind::Integer;
  };
  if (expr->kind == Expr::Kind::Binary &&
      (expr->text == "==" || expr->text == "!=") && isWord(expr->children[1]))
    return std::pair(expr->children[0], expr->children[1]);
  return std::nullopt;
}

/// Whether a condition holds, where the words that attributes have decide it.
std::optional<bool> InverseReader::outcome(const BodyPlace &condition,
                                           const Said &said) {
  BodyPlace place = view.resolved(condition);
  auto compared =
      place.expr ? comparedIn(place.expr) : decltype(comparedIn(place.expr))();
  if (!compared)
    return std::nullopt;
  auto found = said.words.find(view.ownName(place.at(compared->first)));
  if (found == said.words.end() || found->second.size() != 1)
    return std::nullopt;
  return (found->second[0] == compared->second->text) ==
         (place.expr->text == "==");
}

void InverseReader::addPath(const std::string &name, const std::string &path) {
  constexpr size_t longest = 4096;
  std::string &all = paths[name];
  if (all.size() > longest ||
      (" " + all + " ").find(" " + path + " ") != all.npos)
    return;
  all += (all.empty() ? "" : " ") + path;
}

/// The first tensor of a list; no expression for one that is not spelled out.
BodyPlace InverseReader::firstOf(const BodyPlace &list) {
  BodyPlace place = view.resolved(list);
  const bool isSpelled = place.expr && !place.expr->children.empty() &&
                         (place.expr->kind == Expr::Kind::List ||
                          place.expr->kind == Expr::Kind::Each);
  return isSpelled ? place.at(place.expr->children[0]) : BodyPlace();
}

void InverseReader::addPaths(const BodyPlace &given, const std::string &path,
                             const Said &said, unsigned depth) {
  constexpr unsigned deepest = 16;
  BodyPlace place = view.resolved(given);
  if (!place.expr || depth > deepest)
    return;
  const Expr &expr = *place.expr;
  if (expr.kind == Expr::Kind::Name) {
    if (auto found = own.find(expr.text);
        found != own.end() && found->second.type == Type::Tensor)
      addPath(expr.text, path);
    return;
  }
  if (isCallOf(place.expr, Builtin::If) && expr.children.size() == 3) {
    std::optional<bool> holds = outcome(place.at(expr.children[0]), said);
    for (size_t branch : {1, 2})
      if (!holds || *holds == (branch == 1))
        addPaths(place.at(expr.children[branch]), path, said, depth + 1);
    return;
  }
  const bool isCall = expr.kind == Expr::Kind::Call;
  const NodeModel *node = isCall ? model.findNode(expr.text)
                          : expr.kind == Expr::Kind::Binary
                              ? model.nodeFor(expr.text)
                              : nullptr;
  if (!node)
    return;
  passesUnwritten |= unwritten->contains(node);
  std::vector<BodyPlace> arguments;
  if (isCall)
    arguments = givenTo({node, place, {}});
  else
    for (const ExprPtr &child : expr.children)
      arguments.push_back(place.at(child));
  for (auto [i, argument] : enumerate(arguments)) {
    if (!argument.expr)
      continue;
    if (i < node->inputs.size()) {
      BodyPlace one = node->inputs[i].variadic ? firstOf(argument) : argument;
      addPaths(one, path + "/" + node->mnemonic + "." + node->inputs[i].name,
               said, depth + 1);
      continue;
    }
    const Attribute &attribute = node->attributes[i - node->inputs.size()];
    for (const Origin &origin : originsOf(argument))
      if (!own[origin.name].isInput && fits(attribute.type, origin.type))
        addPath(origin.name,
                path + "@" + node->mnemonic + "." + attribute.name);
  }
}

void InverseReader::addPathsTo(Inverse &inverse) const {
  for (const std::string &name : order) {
    auto found = paths.find(name);
    auto isThis = [&](const InverseValue &value) { return value.name == name; };
    if (found == paths.end() || any_of(inverse.values, isThis))
      continue;
    inverse.values.push_back({.name = name, .paths = found->second});
  }
}
