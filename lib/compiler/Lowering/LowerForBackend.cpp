//===- LowerForBackend.cpp - down to what a backend runs ------------------===//
//
// What a backend runs is asked for each node in front of it: kinds, sizes and
// constants decide, not the name alone. A node for which the backend has a rule
// of its own, or that it does not run, is replaced by what a rule makes of it;
// what cannot be replaced is told with all reasons, those of the records that
// would run it included.
//
//===----------------------------------------------------------------------===//

#include "Halves.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/HalfFactors.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Lowering/Passes.h"
#include "glow/Lowering/Rules.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/ADT/StringSet.h"
#include <map>

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
    if (backend == rule.backend)
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
  llvm::append_range(reasons, whyItDoesNotRun(backend, node));
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

namespace {

/// Which nodes a backend does not take as they stand.
class Choice {
public:
  explicit Choice(const BackendInfo &backend) : backend(backend) {
    for (const RuleInfo &rule : rules())
      if (*rule.backend && StringRef(rule.backend) == backend.name)
        own.insert(rule.node);
  }

  /// It may have a rule of its own, or cannot run it.
  bool isOpen(Operation *op) const {
    return own.contains(op->getName().getStringRef()) || isIllegal(op, backend);
  }
  bool hasOpen(Operation *root) const {
    return root
        ->walk([&](Operation *op) {
          return isOpen(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

private:
  const BackendInfo &backend;
  llvm::StringSet<> own; // names of nodes
};

} // namespace

namespace {

/// A node of the model that is lowered, and what speaks against what it became.
struct Origin {
  const Operation *place; ///< where it was
  std::string node;
  Location location;
  std::vector<std::string> conditions; ///< by which it would run as it was
  SmallVector<std::string> reasons;    ///< "" when all that it became runs
};

/// Those of a backend, or of all, that take one node.
struct RulesOfNode {
  RulesOfNode(MLIRContext *context, StringRef backend, StringRef node)
      : patterns(setOf(context, backend, node)), applicator(patterns) {
    applicator.applyDefaultCostModel();
  }

  FrozenRewritePatternSet patterns;
  PatternApplicator applicator;

private:
  static FrozenRewritePatternSet setOf(MLIRContext *context, StringRef backend,
                                       StringRef node) {
    RewritePatternSet patterns(context);
    for (const RuleInfo &rule : rules())
      if (node == rule.node && backend == rule.backend)
        rule.add(patterns);
    return FrozenRewritePatternSet(std::move(patterns));
  }
};

/// One node after the other, and what it becomes: a rule for all never sees a
/// node that the backend runs.
class Lowerer : RewriterBase::Listener {
public:
  Lowerer(Operation *root, const BackendInfo &backend, const Choice &choice,
          LoweringObserver *observer)
      : backend(backend), choice(choice), observer(observer),
        rewriter(root->getContext()) {
    rewriter.setListener(this);
    root->walk([&](Operation *op) { addIfOpen(op); });
  }

  LogicalResult run() {
    while (!open.empty()) {
      Operation *op = open.pop_back_val();
      size_t origin = originOf(op);
      // On to the others: all that cannot run are told at once.
      if (failed(lower(op, origin)))
        refuse(op, origins[origin]);
    }
    return tell();
  }

private:
  /// Made ready when the first such node is met: there are hundreds of rules.
  PatternApplicator &rulesOf(StringRef backend, StringRef node) {
    std::unique_ptr<RulesOfNode> &rules = ready[{backend, node}];
    if (!rules)
      rules =
          std::make_unique<RulesOfNode>(rewriter.getContext(), backend, node);
    return rules->applicator;
  }

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    made.push_back(op);
  }

  bool addIfOpen(Operation *op) {
    if (!choice.isOpen(op))
      return false;
    // A stack: what a node becomes is looked at before its neighbours.
    open.push_back(op);
    return true;
  }

  /// The node that it was in the model, or is.
  size_t originOf(Operation *op) {
    auto [found, isNew] = originOfMade.try_emplace(op, origins.size());
    if (isNew)
      origins.push_back({op,
                         op->getName().getStringRef().str(),
                         op->getLoc(),
                         whyItDoesNotRun(backend, op),
                         {}});
    size_t origin = found->second;
    // A new operation may have the address of one that is gone.
    originOfMade.erase(found);
    return origin;
  }

  void refuse(Operation *op, Origin &origin) {
    SmallVector<std::string> reasons;
    if (StringRef name = op->getName().getStringRef(); name != origin.node) {
      // What the user knows is the node of the model.
      if (origin.reasons.empty())
        llvm::append_range(reasons, origin.conditions);
      reasons.push_back("it becomes '" + name.str() + "'");
    }
    reasons.append(reasonsAgainst(op, backend));
    if (observer)
      observer->refused(origin.place, op, reasons);
    origin.reasons.append(reasons);
  }

  LogicalResult tell() {
    bool refusedAny = false;
    for (const Origin &origin : origins) {
      if (origin.reasons.empty())
        continue;
      refusedAny = true;
      if (observer)
        continue;
      InFlightDiagnostic error = emitError(origin.location)
                                 << "backend '" << backend.name
                                 << "' cannot run '" << origin.node << "'";
      for (const std::string &reason : origin.reasons)
        error.attachNote() << reason;
    }
    return mlir::failure(refusedAny);
  }

  /// Replaces a node of 16-bit floats by one of f32 where the nodes that it
  /// becomes would round in between: a node rounds its result once, whatever it
  /// is made of. Null for other nodes, and for backends that may lack the nodes
  /// on f32.
  Operation *inF32(Operation *op) {
    if (!backend.runsReference || !takesHalves(op))
      return nullptr;
    // The rule is tried on a copy.
    ScopedDiagnosticHandler silent(op->getContext(),
                                   [](Diagnostic &) { return success(); });
    rewriter.setInsertionPoint(op);
    Operation *copy = rewriter.clone(*op);
    made.clear();
    bool applies = succeeded(
        rulesOf("", op->getName().getStringRef())
            .matchAndRewrite(copy, rewriter));
    bool rounds = applies && roundTwice(made);
    for (Operation *node : llvm::reverse(made))
      rewriter.eraseOp(node);
    if (!applies)
      rewriter.eraseOp(copy);
    return rounds ? widenNode(rewriter, op) : nullptr;
  }

  /// Gives the nodes that sum products the mark of what they were.
  void handOn(Attribute mark) {
    for (Operation *node : made) {
      const NodeInfo *info = findNode(node->getName().getStringRef());
      if (mark && info && info->factors)
        node->setAttr(halfFactors, mark);
    }
  }

  LogicalResult lower(Operation *op, size_t origin) {
    made.clear();
    Attribute mark = op->getAttr(halfFactors);
    StringRef name = op->getName().getStringRef(), applied;
    rewriter.setInsertionPoint(op);
    auto apply = [&](PatternApplicator &rules) {
      return rules.matchAndRewrite(op, rewriter, /*canApply=*/{},
                                   /*onFailure=*/{},
                                   [&](const Pattern &pattern) {
                                     // A pattern is known by its rule.
                                     applied = pattern.getDebugName();
                                     return success();
                                   });
    };
    if (failed(apply(rulesOf(backend.name, name)))) {
      if (!isIllegal(op, backend))
        return success();
      if (Operation *wide = inF32(op)) {
        if (addIfOpen(wide))
          originOfMade[wide] = origin;
        return success();
      }
      made.clear();
      rewriter.setInsertionPoint(op);
      if (failed(apply(rulesOf("", name))))
        return mlir::failure();
    }
    handOn(mark);
    if (observer)
      for (const RuleInfo &rule : rulesFor(name))
        if (applied == rule.name)
          observer->lowered(op, rule, made);
    for (Operation *next : made)
      if (addIfOpen(next))
        originOfMade[next] = origin;
    return success();
  }

  const BackendInfo &backend;
  const Choice &choice;
  LoweringObserver *observer;
  PatternRewriter rewriter;
  std::map<std::pair<StringRef, StringRef>, std::unique_ptr<RulesOfNode>> ready;
  SmallVector<Operation *> open, made;
  std::vector<Origin> origins;
  DenseMap<Operation *, size_t> originOfMade; ///< of those that are open
};

} // namespace

LogicalResult lowerForBackend(Operation *root, StringRef name,
                              LoweringObserver *observer) {
  const BackendInfo *backend = findBackendInfo(name);
  if (!backend)
    return emitError(root->getLoc()) << "no backend is named '" << name << "'";
  // Constants are computed a few nodes at a time, nearly all of which run.
  Choice choice(*backend);
  if (!choice.hasOpen(root))
    return success();
  return Lowerer(root, *backend, choice, observer).run();
}

namespace {

/// Rewrites nodes by the chosen backend's own rules, and by those for all until
/// it runs every one of them.
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
