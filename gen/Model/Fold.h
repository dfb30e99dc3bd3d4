//===- Fold.h - typed views of folds --------------------------------------===//

#ifndef GLOW_GEN_MODEL_FOLD_H
#define GLOW_GEN_MODEL_FOLD_H

#include "Model/Node.h"

namespace glow::gen {

/// A Fold record, with one order of the operands of nodes that commute.
struct FoldModel {
  std::string name; // of the record, and a number behind any but the first
  const llvm::Record *record;
  ExprPtr left, right;
};

/// The folds that the run emits, each in every order.
std::vector<FoldModel> foldsOf(const Model &model);

/// Those, and the ones that what the run includes has.
std::vector<FoldModel> everyFold(const Model &model);

/// The node that an expression on tensors stands for, by its name or by its
/// operator; null when there is none.
const NodeModel *nodeOf(const Model &model, const ExprPtr &expr);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_FOLD_H
