//===- Rewrite.h - typed views of rewrites --------------------------------===//

#ifndef GLOW_GEN_MODEL_REWRITE_H
#define GLOW_GEN_MODEL_REWRITE_H

#include "Model/Node.h"

namespace glow::gen {

/// A Rewrite record.
struct RewriteModel {
  std::string name;
  const llvm::Record *record;
  ExprPtr left, right;
};

/// The right side as the record has it, with calls of functions: `right` has in
/// their place what they stand for, as often as they use an argument.
ExprPtr rightWithCalls(const llvm::Record &record);

/// The rewrites that the run emits.
std::vector<RewriteModel> rewritesOf(const Model &model);

/// Those, and the ones that what the run includes has.
std::vector<RewriteModel> everyRewrite(const Model &model);

/// Whether a node takes its two operands in either order, and they differ.
bool commutes(const NodeModel &node, const ExprPtr &expr);

/// The expression with the operands of nodes that commute in every order, as it
/// is written first.
std::vector<ExprPtr> ordersOf(const Model &model, const ExprPtr &expr);

/// As it is written, and with the operands of each one node that commutes in
/// the other order.
std::vector<ExprPtr> swapsOf(const Model &model, const ExprPtr &expr);

/// The node that an expression on tensors stands for, by its name or by its
/// operator; null when there is none.
const NodeModel *nodeOf(const Model &model, const ExprPtr &expr);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_REWRITE_H
