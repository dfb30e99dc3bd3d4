//===- FuseAttention.cpp - attention by any formula, and what it reads
// SPDX-License-Identifier: MIT
//
//-----===//

#include "Fusion.h"
#include "glow/Base/Functions.h"

using namespace mlir;

namespace glow::cpu {

using mlir::failure;

namespace {

/// Matches softmax(formula(q k')) v, over the last axis, of four-dimensional
/// tensors. It finds attention that no record matches, with scores that are
/// masked or added to in any order.
struct MakeAttention : OpRewritePattern<MatMul> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatMul product,
                                PatternRewriter &rewriter) const override {
    auto softmax = product.getLhs().getDefiningOp<Softmax>();
    if (!softmax || softmax.getAxis() != 3 || shapeOf(product).size() != 4 ||
        !kindOfElements(product).isF32())
      return failure();
    auto fused = softmax.getIn().getDefiningOp<CpuFusedLoops>();
    MatMul scores;
    Formula formula;
    SmallVector<Value> extras;
    if (!fused || !isElementwise(fused) ||
        !takeScores(fused, scores, formula, extras))
      return failure();
    Ints shape = shapeOf(product); // [b, h, s, e]
    int64_t depth = shapeOf(scores.getLhs())[3];
    // Heads without columns have no code.
    if (shape[1] == 0 || shape[3] == 0 || depth == 0)
      return failure();
    Location location = product.getLoc();
    const Ints rowsFirst = {0, 2, 1, 3}; // between [b, h, s, d], [b, s, h, d]
    auto columns = [&](Value heads, const Ints &permutation) -> Value {
      Value rows = createTranspose(rewriter, location, heads, permutation);
      Ints sizes = shapeOf(rows);
      return createReshape(rewriter, location, rows,
                           {sizes[0], sizes[1], sizes[2] * sizes[3]});
    };
    Value attention = createCpuAttention(
        rewriter, location, columns(scores.getLhs(), rowsFirst),
        columns(scores.getRhs(), {0, 3, 1, 2}),
        columns(product.getRhs(), rowsFirst), extras, shape[1], depth, shape[3],
        Ints{0, 0, 0}, formula.text());
    Value heads = createReshape(rewriter, location, attention,
                                {shape[0], shape[2], shape[1], shape[3]});
    rewriter.replaceOp(product,
                       createTranspose(rewriter, location, heads, rowsFirst));
    return success();
  }

private:
  /// Finds the product whose scores `fused` reads, and the formula between
  /// them.
  static bool takeScores(CpuFusedLoops fused, MatMul &scores, Formula &formula,
                         SmallVectorImpl<Value> &extras) {
    for (auto [place, operand] : llvm::enumerate(fused.getIns())) {
      scores = operand.getDefiningOp<MatMul>();
      if (!scores || shapeOf(operand) != Ints(fused.getShape()))
        continue;
      formula = joined(Formula(), formulaOf(fused), 1, place);
      for (auto [i, value] : llvm::enumerate(fused.getIns()))
        if (i != place)
          extras.push_back(value);
      return true;
    }
    return false;
  }
};

/// Lets attention read queries, keys and values in place from the one tensor
/// that holds them, without slices.
struct ReadPartsInPlace : OpRewritePattern<CpuAttention> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CpuAttention node,
                                PatternRewriter &rewriter) const override {
    for (unsigned operand : {0, 1, 2})
      if (succeeded(readInPlace(node, operand, rewriter)))
        return success();
    return failure();
  }

private:
  static LogicalResult readInPlace(CpuAttention node, unsigned operand,
                                   PatternRewriter &rewriter) {
    Value columns = node->getOperand(operand);
    Value source = withoutReshapes(columns);
    auto split = source.getDefiningOp<Split>();
    if (!split || shapeOf(source) != shapeOf(columns) || split.getAxis() != 2)
      return failure();
    unsigned part = cast<OpResult>(source).getResultNumber();
    Ints first(node.getFirst());
    first[operand] += expr::sum(expr::take(Ints(split.getSizes()), part));
    rewriter.modifyOpInPlace(node, [&] {
      node->setOperand(operand, split.getIn());
      node.setFirst(first);
    });
    return success();
  }
};

/// Drops operands that the score formula does not read.
struct DropUnread : OpRewritePattern<CpuAttention> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CpuAttention node,
                                PatternRewriter &rewriter) const override {
    FusedFormula scores =
        *withOrderedOperands(node.getScoreFormulaAttr().value(),
                             SmallVector<Value>(node.getExtras()), /*first=*/1);
    if (scores.operands.size() == node.getExtras().size())
      return failure();
    rewriter.replaceOp(
        node,
        createCpuAttention(rewriter, node.getLoc(), node.getQ(), node.getK(),
                           node.getV(), scores.operands, node.getHeads(),
                           node.getDepth(), node.getWidth(),
                           Ints(node.getFirst()), scores.formula.text()));
    return success();
  }
};

} // namespace

void addAttention(RewritePatternSet &patterns) {
  patterns.add<MakeAttention, ReadPartsInPlace, DropUnread>(
      patterns.getContext());
}

} // namespace glow::cpu
