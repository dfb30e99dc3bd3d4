//===- Rewrite.cpp - patterns that are applied until none applies ---------===//

#include "RegisteredRewrites.h"
#include "glow/Graph/ConstantTable.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace glow {

namespace {

/// Remembers what was rewritten last.
class LastRewrite : public RewriterBase::Listener {
public:
  explicit LastRewrite(Location start) : begun(start), where(start) {}

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

/// Collects what generated patterns say where all but a condition holds.
class Unmet : public RewriterBase::Listener {
public:
  void notifyPatternBegin(const Pattern &pattern, Operation *) override {
    name = pattern.getDebugName();
  }
  void notifyMatchFailure(Location at,
                          function_ref<void(Diagnostic &)> tell) override {
    Diagnostic told(at, DiagnosticSeverity::Remark);
    tell(told);
    std::string text = told.str();
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
  // Whether it comes to an end does not matter here.
  (void)applyPatternsGreedily(*copy, std::move(patterns), config);
  return std::move(unmet.conditions);
}

LogicalResult rewriteToTheEnd(Operation *root, RewritePatternSet patterns) {
  int64_t nodes = 0;
  root->walk([&](Operation *) { ++nodes; });
  LastRewrite last(root->getLoc());
  GreedyRewriteConfig config;
  // A graph that ends takes a few rewrites for each node; one that does not
  // would go on for ever. The limit grows with the graph, and is far above what
  // any model takes.
  config.setMaxNumRewrites(1000 + 32 * nodes).setListener(&last);
  // No node folds itself (FoldConstants does), and to ask each takes time.
  config.enableFolding(false);
  // A function is one block, whose dead nodes the driver removes itself.
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  LogicalResult result =
      applyPatternsGreedily(root, std::move(patterns), config);
  if (failed(result))
    last.report(config.getMaxNumRewrites());
  return result;
}

} // namespace glow
