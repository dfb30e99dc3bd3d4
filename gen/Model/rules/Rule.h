//===- Rule.h - typed views of rules: lowerings, gradients, imports -------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_RULES_RULE_H
#define GLOW_GEN_MODEL_RULES_RULE_H

#include "Model/node/Node.h"

namespace glow::gen {

/// A lowering: a node's own, or a Lowering record.
struct RuleModel {
  const NodeModel *node;
  std::string name, body, condition, backend;
  const llvm::Record *record; // where the text stands
  std::vector<const llvm::Record *> before;
};

/// The benefit of a rule or a rewrite as a pattern: higher than that of all
/// records that it names in `before`.
unsigned benefitOf(const llvm::Record &record);

std::vector<RuleModel> loweringsOf(const Model &model);

/// The statements of a rule; `derived` is replaced by the nodes of the formula.
std::vector<Statement> statementsOf(const Model &model, const RuleModel &rule);

/// The rules of `node` that serve every backend, in the order in which they are
/// tried.
std::vector<RuleModel> rulesForAll(const Model &model, const NodeModel &node);

/// The classes of the nodes that a body builds.
std::vector<std::pair<std::string, const char *>>
nodesIn(const Model &model, const std::vector<Statement> &body);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_RULE_H
