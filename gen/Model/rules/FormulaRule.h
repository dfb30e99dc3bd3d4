//===- FormulaRule.h - a formula as nodes that a rule builds
// SPDX-License-Identifier: MIT
//
//---------------===//

#ifndef GLOW_GEN_MODEL_RULES_FORMULARULE_H
#define GLOW_GEN_MODEL_RULES_FORMULARULE_H

#include "Model/node/Node.h"

namespace glow::gen {

/// The Pointwise node whose formula is this operator or function of its
/// operands: `exp(x)` is Exp, `a + b` Add. Null where there is none.
const NodeModel *nodeComputing(const Model &model, const ExprPtr &expr);

/// The expression, in the language of rules, that builds the nodes of a
/// Pointwise's formula. Ends ClassGen, with a caret at `at` or in the formula,
/// for a node without a formula, or for a part that no node computes.
ExprPtr nodesOfFormula(const Model &model, const NodeModel &node,
                       const char *at);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_FORMULARULE_H
