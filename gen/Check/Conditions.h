//===- Conditions.h - when the conditions of records hold -----------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_CHECK_CONDITIONS_H
#define GLOW_GEN_CHECK_CONDITIONS_H

#include "Model/rules/Rewrite.h"

namespace glow::gen {

/// A condition of `record`, with its constants worked out; null when it is
/// empty or always true.
ExprPtr conditionOf(llvm::StringRef text, const llvm::Record &record);

ExprPtr conditionOf(const RewriteModel &rewrite);

/// Whether the condition is false for all values of its names. A null condition
/// always holds.
bool neverHolds(const ExprPtr &condition);

/// The conjunction of two conditions, each of which may be null.
ExprPtr both(const ExprPtr &a, const ExprPtr &b);

/// Refuses a condition that never holds; `what` begins the message: "rule 'A'".
void checkCanHold(const ExprPtr &condition, const llvm::Record &record,
                  const llvm::Twine &what);

/// A rule or a rewrite that competes with others for the same node.
struct Rival {
  llvm::StringRef word; // "rule" or "rewrite"
  std::string name, backend;
  const llvm::Record *record;
  ExprPtr condition; // null when it always matches
  std::vector<const llvm::Record *> before;
};

/// Refuses two with no order between them, and one that is always too late;
/// `target` is what they match.
void checkOrder(const Rival &a, const Rival &b, llvm::StringRef target);

} // namespace glow::gen

#endif // GLOW_GEN_CHECK_CONDITIONS_H
