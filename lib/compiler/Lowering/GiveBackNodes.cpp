//===- GiveBackNodes.cpp - nodes of one backend, for others ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/Backend.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Lowering/Passes.h"
#include "glow/Lowering/Rules.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_GIVEBACKNODES
#include "glow/Lowering/Passes.h.inc"

/// Whether this backend alone has records for a node.
static bool isOnlyOf(const BackendInfo &backend, StringRef node) {
  return llvm::all_of(allBackends(), [&](const BackendInfo &one) {
    return whenItRuns(one, node).empty() ==
           (StringRef(one.name) != backend.name);
  });
}

namespace {

/// Decomposes nodes of this backend alone that the backend cannot run, applying
/// one rule to each node.
///
/// Pinned after the backend's own rewrites, which create such nodes. Before
/// nodes are assigned to other backends, whose passes look for nodes of the
/// library and not for their lowered forms. Ends because it visits each node
/// once.
struct GiveBackNodes : impl::GiveBackNodesBase<GiveBackNodes> {
  using GiveBackNodesBase::GiveBackNodesBase;

  void runOnOperation() override {
    const BackendInfo *info = findBackendInfo(backend);
    if (!info) {
      getOperation()->emitError() << "no backend is named '" << backend << "'";
      return signalPassFailure();
    }
    SmallVector<Operation *> unable;
    getOperation().walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (findNode(name) && isOnlyOf(*info, name) && !runs(*info, op))
        unable.push_back(op);
    });
    if (unable.empty())
      return;
    RewritePatternSet patterns(&getContext());
    addRules("", patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator rules(frozen);
    rules.applyDefaultCostModel();
    for (Operation *node : unable)
      giveBack(node, rules, *info);
  }

private:
  /// Records the nodes that a rule creates.
  struct Made : RewriterBase::Listener {
    void notifyOperationInserted(Operation *op,
                                 OpBuilder::InsertPoint) override {
      nodes.push_back(op);
    }
    SmallVector<Operation *> nodes;
  };

  static void giveBack(Operation *node, PatternApplicator &rules,
                       const BackendInfo &info) {
    Builder builder(node);
    SmallVector<Attribute> reasons;
    for (const std::string &reason : whyItDoesNotRun(info, node))
      reasons.push_back(builder.getStringAttr(reason));
    ArrayAttr why = builder.getArrayAttr(reasons);
    PatternRewriter rewriter(node->getContext());
    Made made;
    rewriter.setListener(&made);
    rewriter.setInsertionPoint(node);
    // A node without a rule is reported where it is lowered.
    if (succeeded(rules.matchAndRewrite(node, rewriter)))
      for (Operation *one : made.nodes)
        one->setAttr(givenBack, why);
  }
};

} // namespace
} // namespace glow
