//===- Rewrite.cpp - patterns that are applied until none applies ---------===//
// SPDX-License-Identifier: MIT

#include "RegisteredRewrites.h"
#include "glow/Graph/ConstantTable.h"
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

/// Records the last rewrite, and copies marks.
class LastRewrite : public RewriterBase::Listener {
public:
  explicit LastRewrite(Location start) : begun(start), where(start) {}

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    keepHalfFactors(op);
  }

  void notifyPatternBegin(const Pattern &, Operation *op) override {
    begun = op->getLoc();
  }
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    if (failed(status))
      return;
    name = pattern.getDebugName();
    where = begun;
  }

  void report(int64_t limit) const {
    InFlightDiagnostic message =
        emitError(where, "rewriting does not end: after ")
        << limit << " rewrites, '" << name << "' still applies";
    for (const RewriteInfo &rewrite : registeredRewrites())
      if (name == rewrite.name)
        message << " (the rewrite at " << rewrite.place << ")";
  }

private:
  Location begun, where;
  StringRef name;
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

LogicalResult rewriteToTheEnd(Operation *root, RewritePatternSet patterns) {
  int64_t nodes = 0;
  root->walk([&](Operation *) { ++nodes; });
  LastRewrite last(root->getLoc());
  GreedyRewriteConfig config;
  // A rewriting that ends takes a few rewrites for each node; others would go
  // on for ever. The limit grows with the graph, and is far above the need of
  // any model.
  // Passes over the graph have no limit of their own: a slice that moves
  // through the layers of a model may take one for each layer.
  config.setMaxNumRewrites(1000 + 32 * nodes)
      .setMaxIterations(GreedyRewriteConfig::kNoLimit)
      .setListener(&last);
  // No node folds itself (FoldConstants folds them), and asking each takes
  // time.
  config.enableFolding(false);
  // A function is one block, and the driver removes dead nodes itself.
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  LogicalResult result =
      applyPatternsGreedily(root, std::move(patterns), config);
  if (failed(result))
    last.report(config.getMaxNumRewrites());
  return result;
}

} // namespace glow
