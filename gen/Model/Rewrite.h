//===- Rewrite.h - typed views of rewrites --------------------------------===//

#ifndef GLOW_GEN_MODEL_REWRITE_H
#define GLOW_GEN_MODEL_REWRITE_H

#include "Model/Node.h"

namespace glow::gen {

/// A Rewrite record, with one order of the operands of nodes that commute.
struct RewriteModel {
  std::string name; // of the record, and a number behind any but the first
  const llvm::Record *record;
  ExprPtr left, right;
};

/// The rewrites that the run emits, each in every order.
std::vector<RewriteModel> rewritesOf(const Model &model);

/// Those, and the ones that what the run includes has.
std::vector<RewriteModel> everyRewrite(const Model &model);

/// The node that an expression on tensors stands for, by its name or by its
/// operator; null when there is none.
const NodeModel *nodeOf(const Model &model, const ExprPtr &expr);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_REWRITE_H
