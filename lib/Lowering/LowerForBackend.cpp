//===- LowerForBackend.cpp - down to what a backend runs ------------------===//

#include "glow/Backend/Backend.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Lowering/Passes.h"
#include "glow/Lowering/Rules.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_LOWERFORBACKEND
#include "glow/Graph/Passes.h.inc"

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

/// Says why a node can neither run nor be lowered.
static void refuse(Operation *node, const BackendInfo &backend) {
  StringRef name = node->getName().getStringRef();
  InFlightDiagnostic error = node->emitError()
                             << "backend '" << backend.name << "' cannot run '"
                             << name << "'";
  for (const std::string &when : whenItRuns(backend, name))
    error.attachNote() << "it runs when " << when;
  std::vector<RuleInfo> candidates = rulesFor(name);
  if (candidates.empty())
    error.attachNote() << "no lowering rule takes '" << name << "' further";
  for (const RuleInfo &rule : candidates)
    error.attachNote() << "rule '" << rule.name << "' (" << rule.place
                       << ") did not apply"
                       << (*rule.condition ? ": it needs " : "")
                       << rule.condition;
  error.attachNote() << "'" << backend.name << "' is declared in "
                     << backend.place;
}

LogicalResult lowerForBackend(Operation *root, StringRef name) {
  const BackendInfo *backend = findBackendInfo(name);
  if (!backend)
    return emitError(root->getLoc()) << "no backend is named '" << name << "'";
  RewritePatternSet patterns(root->getContext());
  addRules(name, patterns);
  SmallVector<Operation *> illegal;
  root->walk([&](Operation *op) {
    if (isNode(op) && !runs(*backend, op))
      illegal.push_back(op);
  });
  FrozenRewritePatternSet frozen(std::move(patterns));
  // One node after the other, and what it becomes: a rule never sees a node
  // that the backend runs.
  PatternRewriter rewriter(root->getContext());
  bool failed = false;
  while (!illegal.empty()) {
    Operation *op = illegal.pop_back_val();
    SmallVector<Operation *> made;
    struct Listener : RewriterBase::Listener {
      SmallVector<Operation *> &made;
      explicit Listener(SmallVector<Operation *> &made) : made(made) {}
      void notifyOperationInserted(Operation *op,
                                   OpBuilder::InsertPoint) override {
        made.push_back(op);
      }
    } listener(made);
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
    rewriter.setListener(&listener);
    rewriter.setInsertionPoint(op);
    if (succeeded(applicator.matchAndRewrite(op, rewriter))) {
      for (Operation *next : made)
        if (isNode(next) && !runs(*backend, next))
          illegal.push_back(next);
    } else {
      refuse(op, *backend);
      failed = true;
    }
    rewriter.setListener(nullptr);
  }
  return mlir::failure(failed);
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
