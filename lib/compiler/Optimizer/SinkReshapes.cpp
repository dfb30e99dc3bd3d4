//===- SinkReshapes.cpp - reshapes behind pointwise nodes -----------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Optimizer/Rewrites.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_SINKRESHAPES
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// Whether the value is one number repeated, which may have any shape.
bool isOneValue(Value value) {
  auto repeated = value.getDefiningOp<Broadcast>();
  return value.getDefiningOp<Splat>() ||
         (repeated && expr::isNumber(elementsOf(repeated.getIn()), 1));
}

/// Rewrites f(Reshape(x), ...) to Reshape(f(x, ...)), for f element by element.
struct ReshapeBehindPointwise : RewritePattern {
  explicit ReshapeBehindPointwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *node,
                                PatternRewriter &rewriter) const override {
    const NodeInfo *info = findNode(node->getName().getStringRef());
    if (!info || info->kernel != NodeKernel::Formula)
      return rewriter.notifyMatchFailure(node, "the node is not pointwise");
    std::optional<Sizes> shape = commonShape(node);
    if (!shape)
      return rewriter.notifyMatchFailure(
          node, "its operands are not reshaped from one shape");
    SmallVector<Value> operands;
    for (Value operand : node->getOperands())
      operands.push_back(reshaped(rewriter, operand, *shape));
    OperationState state(node->getLoc(), node->getName(), operands, {},
                         node->getAttrs());
    auto result = cast<RankedTensorType>(node->getResult(0).getType());
    state.addTypes(rankedTensorOf(*shape, result.getElementType()));
    Operation *made = rewriter.create(state);
    rewriter.replaceOp(node, createReshape(rewriter, node->getLoc(),
                                           made->getResult(0),
                                           shapeOf(node->getResult(0))));
    return success();
  }

private:
  /// The common shape before the operands' reshapes, if there is one and a
  /// reshape is removed.
  static std::optional<Sizes> commonShape(Operation *node) {
    std::optional<Sizes> shape;
    bool goes = false;
    for (Value operand : node->getOperands()) {
      if (auto reshape = operand.getDefiningOp<Reshape>()) {
        Sizes before = shapeOf(reshape.getIn());
        if (shape && !expr::areSame(*shape, before))
          return std::nullopt;
        shape = before;
        // A reshape with another reader stays. At least one reshape must be
        // removed for the one that is created.
        goes |= reshape->hasOneUse();
      } else if (!isOneValue(operand)) {
        return std::nullopt;
      }
    }
    return goes ? shape : std::nullopt;
  }

  static Value reshaped(OpBuilder &builder, Value value, const Sizes &shape) {
    if (auto reshape = value.getDefiningOp<Reshape>())
      return reshape.getIn();
    if (auto splat = value.getDefiningOp<Splat>())
      return createSplat(builder, value.getLoc(), splat.getValue(), shape,
                         splat.getKind());
    Value one = createReshape(builder, value.getLoc(),
                              value.getDefiningOp<Broadcast>().getIn(),
                              expr::repeat(Size(1), expr::size(shape)));
    return createBroadcast(builder, value.getLoc(), one, shape, -1);
  }
};

/// Moves reshapes behind pointwise nodes, where they meet and merge, and where
/// a layer and its activation become neighbours.
///
/// Pinned before the rewrites that merge reshapes. Ends because a reshape only
/// moves towards the results, past one node of finitely many, and their number
/// never grows.
struct SinkReshapes : impl::SinkReshapesBase<SinkReshapes> {
  using SinkReshapesBase::SinkReshapesBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReshapeBehindPointwise>(&getContext());
    if (failed(rewriteToTheEnd(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace glow
