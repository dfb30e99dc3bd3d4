//===- LowerForBackend.cpp - down to what a backend runs ------------------===//
//
// What a backend runs is asked for each node in front of it: kinds, sizes and
// constants decide, not the name alone. A node that it does not run is replaced
// by what a rule makes of it; what cannot be replaced is told with all reasons,
// those of the records that would run it included.
//
//===----------------------------------------------------------------------===//

#include "glow/Backend/Backend.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Lowering/Passes.h"
#include "glow/Lowering/Rules.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_LOWERFORBACKEND
#include "glow/Lowering/Passes.h.inc"

static std::vector<RuleInfo> &rules() {
  static std::vector<RuleInfo> all;
  return all;
}

void registerRules(std::span<const RuleInfo> table) {
  rules().insert(rules().end(), table.begin(), table.end());
}

std::vector<RuleInfo> rulesFor(StringRef node) {
  std::vector<RuleInfo> result;
  for (const RuleInfo &rule : rules())
    if (node == rule.node)
      result.push_back(rule);
  return result;
}

void addRules(StringRef backend, RewritePatternSet &patterns) {
  for (const RuleInfo &rule : rules())
    if (!*rule.backend || backend == rule.backend)
      rule.add(patterns);
}

static bool isNode(Operation *op) {
  return findNode(op->getName().getStringRef());
}

/// Why a node can neither run nor be lowered.
static SmallVector<std::string> reasonsAgainst(Operation *node,
                                               const BackendInfo &backend) {
  std::string name = node->getName().getStringRef().str();
  if (hasQuantized(node))
    return {"its elements are quantised, and no kernel reads a scale: the pass "
            "expand-quantized lets it compute with what they stand for"};
  SmallVector<std::string> reasons;
  for (const std::string &when : whenItRuns(backend, name))
    reasons.push_back("it runs when " + when);
  std::vector<RuleInfo> candidates = rulesFor(name);
  if (candidates.empty())
    reasons.push_back("no lowering rule takes '" + name + "' further");
  for (const RuleInfo &rule : candidates)
    reasons.push_back(std::string("rule '") + rule.name + "' (" + rule.place +
                      ") did not apply" +
                      (*rule.condition ? ": it needs " : "") + rule.condition);
  reasons.push_back(std::string("'") + backend.name + "' is declared in " +
                    backend.place);
  return reasons;
}

static bool isIllegal(Operation *op, const BackendInfo &backend) {
  return isNode(op) && !runs(backend, op);
}

static bool hasIllegal(Operation *root, const BackendInfo &backend) {
  return root
      ->walk([&](Operation *op) {
        return isIllegal(op, backend) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

static void refuse(Operation *node, const BackendInfo &backend,
                   LoweringObserver *observer) {
  SmallVector<std::string> reasons = reasonsAgainst(node, backend);
  if (observer)
    return observer->refused(node, reasons);
  InFlightDiagnostic error = node->emitError()
                             << "backend '" << backend.name << "' cannot run '"
                             << node->getName() << "'";
  for (const std::string &reason : reasons)
    error.attachNote() << reason;
}

namespace {

/// One node after the other, and what it becomes: a rule never sees a node that
/// the backend runs.
class Lowerer : RewriterBase::Listener {
public:
  Lowerer(Operation *root, const BackendInfo &backend,
          LoweringObserver *observer)
      : backend(backend), observer(observer), rewriter(root->getContext()),
        patterns(rulesOf(root->getContext(), backend)), applicator(patterns) {
    applicator.applyDefaultCostModel();
    rewriter.setListener(this);
    root->walk([&](Operation *op) { addIfIllegal(op); });
  }

  LogicalResult run() {
    bool refusedAny = false;
    while (!illegal.empty()) {
      Operation *op = illegal.pop_back_val();
      if (succeeded(lower(op)))
        continue;
      // On to the others: all that cannot run are told at once.
      refuse(op, backend, observer);
      refusedAny = true;
    }
    return mlir::failure(refusedAny);
  }

private:
  static FrozenRewritePatternSet rulesOf(MLIRContext *context,
                                         const BackendInfo &backend) {
    RewritePatternSet patterns(context);
    addRules(backend.name, patterns);
    return FrozenRewritePatternSet(std::move(patterns));
  }

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    made.push_back(op);
  }

  void addIfIllegal(Operation *op) {
    if (isIllegal(op, backend))
      // A stack: what a node becomes is looked at before its neighbours.
      illegal.push_back(op);
  }

  LogicalResult lower(Operation *op) {
    made.clear();
    StringRef name = op->getName().getStringRef(), applied;
    rewriter.setInsertionPoint(op);
    LogicalResult result = applicator.matchAndRewrite(
        op, rewriter, /*canApply=*/{}, /*onFailure=*/{},
        [&](const Pattern &pattern) {
          // A pattern is known by its rule.
          applied = pattern.getDebugName();
          return success();
        });
    if (failed(result))
      return mlir::failure();
    if (observer)
      for (const RuleInfo &rule : rulesFor(name))
        if (applied == rule.name)
          observer->lowered(op, rule, made);
    for (Operation *next : made)
      addIfIllegal(next);
    return success();
  }

  const BackendInfo &backend;
  LoweringObserver *observer;
  PatternRewriter rewriter;
  FrozenRewritePatternSet patterns;
  PatternApplicator applicator;
  SmallVector<Operation *> illegal, made;
};

} // namespace

LogicalResult lowerForBackend(Operation *root, StringRef name,
                              LoweringObserver *observer) {
  const BackendInfo *backend = findBackendInfo(name);
  if (!backend)
    return emitError(root->getLoc()) << "no backend is named '" << name << "'";
  // Constants are computed a few nodes at a time, nearly all of which run, and
  // there are hundreds of rules to make ready.
  if (!hasIllegal(root, *backend))
    return success();
  return Lowerer(root, *backend, observer).run();
}

namespace {

/// Rewrites nodes until the chosen backend runs every one of them.
///
/// Pinned after every graph optimisation, which wants nodes as large as the
/// model had them, and before IRGen, which makes one instruction of each node.
/// Ends because every rule leads to a lower tier; ClassGen has checked that.
struct LowerForBackend : impl::LowerForBackendBase<LowerForBackend> {
  using LowerForBackendBase::LowerForBackendBase;
  void runOnOperation() override {
    if (failed(lowerForBackend(getOperation(), backend)))
      signalPassFailure();
  }
};

} // namespace
} // namespace glow
