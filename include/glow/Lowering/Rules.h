//===- Rules.h - the lowerings that the records declare -------*- C++ -*-===//

#ifndef GLOW_LOWERING_RULES_H
#define GLOW_LOWERING_RULES_H

#include "mlir/IR/PatternMatch.h"
#include <span>
#include <vector>

namespace glow {

/// A rule from a node to nodes of lower tiers.
struct RuleInfo {
  const char *name, *node;
  void (*add)(mlir::RewritePatternSet &);
  const char *backend;                     ///< "" for every backend
  const char *condition;                   ///< as text, "" when it always holds
  const char *place;                       ///< of the record
  std::span<const char *const> makes = {}; ///< names of nodes it may build
};

void registerRules(std::span<const RuleInfo> rules);
std::vector<RuleInfo> rulesFor(llvm::StringRef node);

/// A backend's own rules; for "", those that serve every backend.
void addRules(llvm::StringRef backend, mlir::RewritePatternSet &patterns);

} // namespace glow

#endif // GLOW_LOWERING_RULES_H
