//===- Kinds.cpp - refusals that concern sets of element kinds ------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static void checkNamesOfKinds(const Model &model, const Record &set) {
  for (StringRef name : textsField<"Kinds.names">(set))
    if (!model.isKind(name))
      fatalAt(positionOf(name, set), set,
              "'" + name + "' is no element kind; Everything has them all");
}

/// Each entry of the dag is for one of `variables`, of which `whose` has these.
static void checkVariables(const Record &record, const DagInit *dag,
                           const std::vector<std::string> &variables,
                           const Twine &whose) {
  for (const KindBinding &binding : kindBindings(record, dag))
    if (!is_contained(variables, binding.variable))
      fatalAt(
          binding.at, record,
          whose + " has no kind variable '" + binding.variable + "'" +
              (variables.empty() ? "" : "; it has " + join(variables, ", ")));
}

/// The kind variables of operands, and those of results.
static std::vector<std::string> variablesIn(const NodeModel &node) {
  std::vector<std::string> variables = node.kindVariables();
  for (const TensorSignature &result : node.outputs)
    if (!is_contained(variables, result.kind) &&
        (isUpper(result.kind[0]) || node.findAttribute(result.kind)))
      variables.push_back(result.kind);
  return variables;
}

/// The names that a record of a backend may restrict: kind variables of
/// operands, and attributes of type Kind.
static std::vector<std::string> namesOfKinds(const NodeModel &node) {
  std::vector<std::string> names = node.kindVariables();
  for (const Attribute &attribute : node.attributes)
    if (attribute.type == Type::Kind)
      names.push_back(attribute.name);
  return names;
}

void glow::gen::checkKinds(const Model &model) {
  for (const Record *set : model.own("Kinds"))
    checkNamesOfKinds(model, *set);
  for (const NodeModel *node : model.ownNodes())
    checkVariables(node->record, dagField<"Node.types">(node->record),
                   variablesIn(*node),
                   "the signature of '" + Twine(node->className) + "'");
  for (const Record *backend : model.own("Backend")) {
    for (const Record *legal : recordsField<"Backend.runs">(*backend))
      for (const Record *node : recordsField<"Legal.nodes">(*legal))
        checkVariables(*legal, dagField<"Legal.kinds">(*legal),
                       namesOfKinds(*model.findNode(node->getName())),
                       "'" + node->getName() + "'");
    for (const Record *code : recordsField<"Backend.codes">(*backend))
      for (const Record *node : recordsField<"CodeFor.nodes">(*code))
        checkVariables(*code, dagField<"CodeFor.kinds">(*code),
                       namesOfKinds(*model.findNode(node->getName())),
                       "'" + node->getName() + "'");
  }
}
