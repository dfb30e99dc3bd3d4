//===- RaiseSlices.cpp - slices before pointwise nodes --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Slices.h"
#include "glow/Graph/Verify.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Optimizer/Rewrites.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_RAISESLICES
#include "glow/Optimizer/Passes.h.inc"

namespace {

const NodeInfo *infoOf(Operation *node) {
  return node ? findNode(node->getName().getStringRef()) : nullptr;
}

bool isPointwise(Operation *node) {
  const NodeInfo *info = infoOf(node);
  return info && info->kernel == NodeKernel::Formula &&
         node->getNumResults() == 1;
}

/// Rewrites Slice(f(x, ...)) to f(Slice(x), ...), for f element by element.
struct SliceBeforePointwise : OpRewritePattern<Slice> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Slice slice,
                                PatternRewriter &rewriter) const override {
    if (takesLengths(slice))
      return rewriter.notifyMatchFailure(slice, "a run gives its sizes");
    Operation *node = slice.getIn().getDefiningOp();
    if (!isPointwise(node) || !node->hasOneUse())
      return rewriter.notifyMatchFailure(
          slice, "no pointwise node makes its operand for it alone");
    const SlicePart part = SlicePart::of(slice);
    if (!movesFewer(node, part))
      return rewriter.notifyMatchFailure(slice, "it would cost as much");
    if (endsLayer(node, part))
      return rewriter.notifyMatchFailure(slice, "the node is part of a layer");
    SmallVector<Value> operands;
    for (Value operand : node->getOperands())
      operands.push_back(slicedBy(rewriter, slice.getLoc(), operand, part));
    OperationState state(node->getLoc(), node->getName(), operands, {},
                         node->getAttrs());
    state.addTypes(slice.getOut().getType());
    rewriter.replaceOp(slice, rewriter.create(state));
    return success();
  }

private:
  /// Whether fewer elements are read and written with the slices first.
  static bool movesFewer(Operation *node, const SlicePart &part) {
    const int64_t all = elementsOf(node->getResult(0)),
                  taken = expr::prod(part.sizes);
    int64_t before = all + 2 * taken, after = taken;
    for (Value operand : node->getOperands()) {
      const int64_t copied = elementsCopied(operand, part);
      after += 2 * copied + (copied ? taken : 0);
      before += copied ? all : 0;
    }
    return after < before;
  }

  /// Whether `node` ends a layer, as a bias or an activation does, so that
  /// backends run it in the layer's loops. Cutting it from the layer is allowed
  /// if the layer is cheaper sliced as well.
  static bool endsLayer(Operation *node, const SlicePart &part) {
    const NodeInfo *info = infoOf(node);
    if (!info || !node->hasOneUse())
      return false;
    if (auto reshape = dyn_cast<Reshape>(node)) {
      Operation *before = reshape.getIn().getDefiningOp();
      auto rows =
          beforeReshape(part, shapeOf(reshape.getIn()), shapeOf(reshape));
      return rows ? endsLayer(before, *rows) : isLayer(before);
    }
    if (isLayer(node)) {
      auto product = dyn_cast<MatMul>(node);
      return !product || !isCheaperSliced(product, part);
    }
    return isPointwise(node) &&
           llvm::any_of(node->getOperands(), [&](Value operand) {
             return endsLayer(operand.getDefiningOp(), part);
           });
  }

  static bool isLayer(Operation *node) {
    const NodeInfo *info = infoOf(node);
    return info && info->factors;
  }
};

/// Slices rows of a matrix before they are reshaped, in the form that layers
/// produce.
struct SliceBeforeReshape : OpRewritePattern<Slice> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Slice slice,
                                PatternRewriter &rewriter) const override {
    if (takesLengths(slice))
      return rewriter.notifyMatchFailure(slice, "a run gives its sizes");
    auto reshape = slice.getIn().getDefiningOp<Reshape>();
    if (!reshape || !reshape->hasOneUse())
      return rewriter.notifyMatchFailure(slice, "nothing is reshaped for it");
    auto rows = beforeReshape(SlicePart::of(slice), shapeOf(reshape.getIn()),
                              shapeOf(reshape));
    if (!rows)
      return rewriter.notifyMatchFailure(slice, "it takes no slice of rows");
    Value taken = slicedBy(rewriter, slice.getLoc(), reshape.getIn(), *rows);
    rewriter.replaceOp(slice, createReshape(rewriter, reshape.getLoc(), taken,
                                            shapeOf(slice)));
    return success();
  }
};

/// Moves slices before pointwise nodes, which then compute fewer elements.
///
/// The rewrites of the records apply too. They merge slices of slices, and move
/// slices before products and rows, in front of which are more pointwise nodes.
/// Pinned after other views have moved, which would separate the nodes. Ends
/// because a slice only moves towards the operands, past a node without another
/// reader, which is removed.
struct RaiseSlices : impl::RaiseSlicesBase<RaiseSlices> {
  using RaiseSlicesBase::RaiseSlicesBase;

  void runOnOperation() override {
    auto hasSlices = [](FuncOp function) {
      return !function.block().getOps<Slice>().empty();
    };
    if (llvm::none_of(getOperation().getOps<FuncOp>(), hasSlices))
      return;
    ConstantTable constants(getOperation());
    RewritePatternSet patterns(&getContext());
    patterns.add<SliceBeforePointwise, SliceBeforeReshape>(&getContext());
    // No node is lowered yet.
    RewriteChoice choice;
    choice.raising = true;
    addRewrites(patterns, choice);
    addPatterns(patterns);
    if (failed(rewriteToTheEnd(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace glow
