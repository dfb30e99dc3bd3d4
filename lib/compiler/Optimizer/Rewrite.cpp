//===- Rewrite.cpp - patterns that are applied until none applies ---------===//
// SPDX-License-Identifier: MIT

#include "RegisteredRewrites.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Continuity.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/HalfFactors.h"
#include "glow/Graph/NodeInfo.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace glow {

/// The operands whose products the node sums.
static SmallVector<Value> factorsOf(Operation *node) {
  SmallVector<Value> factors;
  const NodeInfo *info = findNode(node->getName().getStringRef());
  unsigned place = 0;
  if (info && info->factors)
    for (auto [operand, size] : llvm::enumerate(sizesOfOperands(*info, node))) {
      if (operand < 64 && info->factors >> operand & 1)
        llvm::append_range(factors,
                           node->getOperands().slice(place, size_t(size)));
      place += unsigned(size);
    }
  return factors;
}

/// Marks a new product if a marked node has the same factors. If that node is
/// lowered to products, each of its operands counts as a factor.
static void keepHalfFactors(Operation *node) {
  SmallVector<Value> factors = factorsOf(node);
  if (factors.empty() || node->hasAttr(halfFactors))
    return;
  for (Operation *other : factors.front().getUsers())
    if (other != node && other->hasAttr(halfFactors) &&
        llvm::all_of(factorsOf(other), [&](Value factor) {
          return llvm::is_contained(factors, factor);
        }))
      return node->setAttr(halfFactors, other->getAttr(halfFactors));
}

namespace {

/// Counts the rewrites, records the last one, copies marks, and knows of steps.
class LastRewrite : public RewriterBase::Listener {
public:
  explicit LastRewrite(Operation *root)
      : begun(root->getLoc()), where(root->getLoc()), steps(root) {}

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    keepHalfFactors(op);
    steps.add(op);
  }

  void notifyPatternBegin(const Pattern &, Operation *op) override {
    begun = op->getLoc();
  }
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    if (failed(status))
      return;
    ++count;
    name = pattern.getDebugName();
    where = begun;
  }

  int64_t rewrites() const { return count; }

  void report() const {
    InFlightDiagnostic message =
        emitError(where, "rewriting does not end: after ")
        << count << " rewrites, '" << name << "' still applies";
    for (const RewriteInfo &rewrite : registeredRewrites())
      if (name == rewrite.name)
        message << " (the rewrite at " << rewrite.place << ")";
  }

private:
  int64_t count = 0;
  Location begun, where;
  StringRef name;
  StepsOfModule steps;
};

} // namespace

namespace {

/// Collects the conditions that generated patterns report, where all the rest
/// of a pattern matches.
class Unmet : public RewriterBase::Listener {
public:
  void notifyPatternBegin(const Pattern &pattern, Operation *) override {
    name = pattern.getDebugName();
  }
  void notifyMatchFailure(Location at,
                          function_ref<void(Diagnostic &)> tell) override {
    Diagnostic reported(at, DiagnosticSeverity::Remark);
    tell(reported);
    std::string text = reported.str();
    StringRef condition = text;
    if (!condition.consume_front("not so: "))
      return;
    for (const RewriteInfo &rewrite : registeredRewrites())
      if (name == rewrite.name)
        add(at, (Twine("rewrite '") + rewrite.name + "' (" + rewrite.place +
                 ") needs " + condition)
                    .str());
  }

  UnmetConditions conditions;

private:
  void add(Location at, std::string reason) {
    std::vector<std::string> &reasons = conditions[at];
    if (!llvm::is_contained(reasons, reason))
      reasons.push_back(std::move(reason));
  }

  StringRef name;
};

} // namespace

UnmetConditions unmetConditions(ModuleOp module, StringRef backend) {
  OwningOpRef<ModuleOp> copy = module.clone();
  RewritePatternSet patterns(module.getContext());
  addRewrites(patterns, {backend, /*onlyBeforeFolding=*/false,
                         /*onlyOwn=*/true});
  Unmet unmet;
  ConstantTable constants(*copy);
  GreedyRewriteConfig config;
  config.setListener(&unmet);
  // Whether the rewriting ends does not matter here.
  (void)applyPatternsGreedily(*copy, std::move(patterns), config);
  return std::move(unmet.conditions);
}

LogicalResult rewriteToTheEnd(Operation *root, RewritePatternSet patterns,
                              ArrayRef<Operation *> only) {
  int64_t nodes = 0;
  root->walk([&](Operation *) { ++nodes; });
  LastRewrite last(root);
  GreedyRewriteConfig config;
  // A rewriting that ends takes a few rewrites for each node; others would go
  // on for ever. The limit grows with the graph, and is far above the need of
  // any model.
  const int64_t limit = 1000 + 32 * nodes;
  config.setListener(&last);
  // No node folds itself (FoldConstants folds them), and asking each takes
  // time.
  config.enableFolding(false);
  // A function is one block, and the driver removes dead nodes itself.
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  FrozenRewritePatternSet frozen(std::move(patterns));
  // The driver limits the passes over the graph, and the rewrites of one pass.
  // A slice that moves through the layers of a model may take a pass for each
  // layer, so the number of passes is free, and the rewrites of all passes are
  // limited.
  LogicalResult result = failure();
  if (!only.empty()) {
    config.setMaxNumRewrites(limit);
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    result = applyOpPatternsGreedily(only, frozen, config);
    if (failed(result))
      last.report();
    return result;
  }
  do {
    config.setMaxNumRewrites(limit - last.rewrites());
    result = applyPatternsGreedily(root, frozen, config);
  } while (failed(result) && last.rewrites() < limit);
  if (failed(result))
    last.report();
  return result;
}

} // namespace glow
