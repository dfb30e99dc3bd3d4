//===- Rules.h - lowering rules from records --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LOWERING_RULES_H
#define GLOW_LOWERING_RULES_H

#include "mlir/IR/PatternMatch.h"
#include <span>
#include <vector>

namespace glow {

/// A rule that lowers a node to nodes of lower tiers.
struct RuleInfo {
  const char *name, *node;
  void (*add)(mlir::RewritePatternSet &);
  const char *backend;                     ///< "" for every backend
  const char *condition;                   ///< as text; "" if it always holds
  const char *place;                       ///< location of the record
  std::span<const char *const> makes = {}; ///< names of nodes that it may build
};

void registerRules(std::span<const RuleInfo> rules);
std::vector<RuleInfo> rulesFor(llvm::StringRef node);

/// Adds the rules of a backend; for "", the rules for every backend.
void addRules(llvm::StringRef backend, mlir::RewritePatternSet &patterns);

} // namespace glow

#endif // GLOW_LOWERING_RULES_H
