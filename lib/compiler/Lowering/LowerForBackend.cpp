//===- LowerForBackend.cpp - lowering for a backend -----------------------===//
// SPDX-License-Identifier: MIT
//
// Each node is checked against the backend's records: kinds, sizes and
// constants decide, not the name alone. A node is lowered by a rule if the
// backend has a rule of its own for it, or cannot run it. A node that cannot be
// lowered is reported with all reasons, including the conditions of the records
// that could run it.
//
//===----------------------------------------------------------------------===//

#include "Halves.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/HalfFactors.h"
#include "glow/Graph/Halves.h"
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

/// The reasons why a node can neither run nor be lowered.
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

/// Finds the nodes that a backend does not accept unchanged.
class Choice {
public:
  explicit Choice(const BackendInfo &backend) : backend(backend) {
    for (const RuleInfo &rule : rules())
      if (*rule.backend && StringRef(rule.backend) == backend.name)
        own.insert(rule.node);
  }

  /// Whether the backend has a rule of its own for the node, or cannot run it.
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

/// A node of the model that is lowered, and the reasons against the nodes that
/// it became.
struct Origin {
  const Operation *place; ///< where it was
  std::string node;
  Location location;
  std::vector<std::string> conditions; ///< conditions to run it unchanged
  SmallVector<std::string> reasons;    ///< empty when all nodes that it became
                                       ///< run
};

/// The rules of a backend, or of all backends, that match one kind of node.
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

/// Lowers the nodes one after the other, each with its successors. A rule for
/// all backends never sees a node that the backend runs.
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
      // Continues after a failure: all nodes that cannot run are reported at
      // once.
      if (failed(lower(op, origin)))
        refuse(op, origins[origin]);
    }
    return tell();
  }

private:
  /// The rules for a node. They are prepared when such a node first occurs,
  /// since there are hundreds of rules.
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
    // A stack: the nodes that a node becomes are visited before its neighbours.
    open.push_back(op);
    return true;
  }

  /// The index of the model's node that `op` comes from, or is.
  size_t originOf(Operation *op) {
    auto [found, isNew] = originOfMade.try_emplace(op, origins.size());
    if (isNew)
      origins.push_back({op,
                         op->getName().getStringRef().str(),
                         op->getLoc(),
                         whyItDoesNotRun(backend, op),
                         {}});
    size_t origin = found->second;
    // A new operation may get the address of an erased one.
    originOfMade.erase(found);
    return origin;
  }

  void refuse(Operation *op, Origin &origin) {
    SmallVector<std::string> reasons;
    if (StringRef name = op->getName().getStringRef(); name != origin.node) {
      // Users know the node of the model.
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

  /// Replaces a node of 16-bit floats by the node on f32, if its lowered nodes
  /// would round in between: a node rounds its result only once. Null for other
  /// nodes, and for backends that may lack the nodes on f32.
  Operation *inF32(Operation *op) {
    if (!backend.runsReference || !takesHalves(op))
      return nullptr;
    // The rule is tried on a copy of the node.
    ScopedDiagnosticHandler silent(op->getContext(),
                                   [](Diagnostic &) { return success(); });
    rewriter.setInsertionPoint(op);
    Operation *copy = rewriter.clone(*op);
    made.clear();
    bool applies = succeeded(rulesOf("", op->getName().getStringRef())
                                 .matchAndRewrite(copy, rewriter));
    bool rounds = applies && roundingsOf(made).between;
    for (Operation *node : llvm::reverse(made))
      rewriter.eraseOp(node);
    if (!applies)
      rewriter.eraseOp(copy);
    return rounds ? widenNode(rewriter, op) : nullptr;
  }

  /// Copies the mark of the original node to the new nodes that sum products.
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
                                     // The debug name of a pattern is its rule.
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
  DenseMap<Operation *, size_t> originOfMade; ///< for nodes still to be lowered
};

} // namespace

LogicalResult lowerForBackend(Operation *root, StringRef name,
                              LoweringObserver *observer) {
  const BackendInfo *backend = findBackendInfo(name);
  if (!backend)
    return emitError(root->getLoc()) << "no backend is named '" << name << "'";
  // Constant folding lowers a few nodes at a time, and nearly all of them run.
  Choice choice(*backend);
  if (!choice.hasOpen(root))
    return success();
  return Lowerer(root, *backend, choice, observer).run();
}

namespace {

/// Rewrites nodes by the chosen backend's own rules, and by the rules for all
/// backends, until the backend runs every node.
///
/// Pinned after every graph optimisation, which needs nodes as large as the
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
