//===- Rewrite.h - typed views of rewrites --------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_RULES_REWRITE_H
#define GLOW_GEN_MODEL_RULES_REWRITE_H

#include "Model/node/Node.h"

namespace glow::gen {

/// A Rewrite record.
struct RewriteModel {
  std::string name;
  const llvm::Record *record;
  ExprPtr left, right;
};

/// The right side as the record has it, with calls of functions. Field `right`
/// has the calls inlined, and repeats an argument as often as the function uses
/// it.
ExprPtr rightWithCalls(const llvm::Record &record);

/// The rewrites that the run emits.
std::vector<RewriteModel> rewritesOf(const Model &model);

/// All rewrites: those that the run emits and those of included records.
std::vector<RewriteModel> everyRewrite(const Model &model);

/// Whether a node takes its two operands in either order, and they differ.
bool commutes(const NodeModel &node, const ExprPtr &expr);

/// The expression with the operands of nodes that commute in every order, as it
/// is written first.
std::vector<ExprPtr> ordersOf(const Model &model, const ExprPtr &expr);

/// The expression as it is written, and once for each node that commutes, with
/// the operands of that node swapped.
std::vector<ExprPtr> swapsOf(const Model &model, const ExprPtr &expr);

/// The node that an expression on tensors stands for, by its name or by its
/// operator; null when there is none.
const NodeModel *nodeOf(const Model &model, const ExprPtr &expr);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_REWRITE_H
