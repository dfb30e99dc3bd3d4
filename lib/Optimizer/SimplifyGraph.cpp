//===- SimplifyGraph.cpp - folds, and what nothing needs ------------------===//

#include "glow/Graph/Nodes.h"
#include "glow/Optimizer/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_SIMPLIFYGRAPH
#include "glow/Graph/Passes.h.inc"

namespace {

/// A node of one operand and one result that changes neither type nor values.
template <typename Node> struct SameType : OpRewritePattern<Node> {
  using OpRewritePattern<Node>::OpRewritePattern;
  LogicalResult matchAndRewrite(Node node,
                                PatternRewriter &rewriter) const override {
    if (node.getIn().getType() != node.getOut().getType())
      return rewriter.notifyMatchFailure(node, "the type changes");
    rewriter.replaceOp(node, node.getIn());
    return success();
  }
};

/// Applies rewrites that make the graph smaller, and removes nodes and storage
/// that nothing needs.
///
/// Pinned after folding, which makes the constants that rewrites look for. Ends
/// because every rewrite removes a node.
struct SimplifyGraph : impl::SimplifyGraphBase<SimplifyGraph> {
  using SimplifyGraphBase::SimplifyGraphBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SameType<Reshape>, SameType<Broadcast>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    removeUnread();
  }

private:
  void removeUnread() {
    llvm::StringSet<> used;
    getOperation().walk([&](ReadOp read) { used.insert(read.getStorage()); });
    for (ConstantOp constant :
         llvm::make_early_inc_range(getOperation().getOps<ConstantOp>()))
      if (!used.contains(constant.getSymName()))
        constant.erase();
  }
};

} // namespace
} // namespace glow
