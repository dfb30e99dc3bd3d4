//===- FuseAttention.cpp - attention from what it consists of -------------===//

#include "Fusion.h"
#include "glow/Base/Functions.h"

using namespace mlir;

namespace glow::cpu {

using mlir::failure;

namespace {

/// Heads of an operand: columns of a tensor [batch, rows, columns].
struct Heads {
  Value tensor;
  int64_t first; ///< column of the first head
};

const Ints rowsFirst = {0, 2, 1, 3}; // between [b, h, s, d] and [b, s, h, d]

/// The columns that `heads`, [b, s, h, d], are. A part of a wider tensor is
/// taken where it is.
Heads columnsOf(OpBuilder &builder, Location location, Value heads) {
  Ints shape = shapeOf(heads);
  Value flat = createReshape(builder, location, heads,
                             {shape[0], shape[1], shape[2] * shape[3]});
  Value source = withoutReshapes(heads);
  auto split = source.getDefiningOp<Split>();
  // Queries, keys and values that were computed as one tensor are read where
  // they are, and not cut apart.
  if (!split || shapeOf(source) != shapeOf(flat) || split.getAxis() != 2)
    return {flat, 0};
  unsigned part = cast<OpResult>(source).getResultNumber();
  Ints sizes(split.getSizes());
  return {split.getIn(), expr::sum(expr::take(sizes, part))};
}

/// The same of `heads`, [b, h, s, d], or of [b, h, d, s] as `permutation`
/// says what brings it to [b, s, h, d].
Heads columnsOf(OpBuilder &builder, Location location, Value heads,
                const Ints &permutation) {
  if (auto transpose = heads.getDefiningOp<Transpose>()) {
    Ints before(transpose.getPermutation());
    // The transpose that brought the heads forward is undone by the one that
    // would bring them back.
    if (expr::pick(before, permutation) == Ints{0, 1, 2, 3})
      return columnsOf(builder, location, transpose.getIn());
  }
  return columnsOf(
      builder, location,
      createTranspose(builder, location, heads, permutation).getResult());
}

/// softmax(formula(q k')) v, over the last axis, of four-dimensional tensors.
struct MakeAttention : OpRewritePattern<MatMul> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatMul product,
                                PatternRewriter &rewriter) const override {
    auto softmax = product.getLhs().getDefiningOp<Softmax>();
    if (!softmax || softmax.getAxis() != 3 || shapeOf(product).size() != 4 ||
        !kindOfElements(product).isF32())
      return failure();
    MatMul scores;
    Formula formula;
    SmallVector<Value> extras;
    if (!takeScores(softmax.getIn(), scores, formula, extras))
      return failure();
    Location location = product.getLoc();
    Ints shape = shapeOf(product); // [b, h, s, e]
    int64_t depth = shapeOf(scores.getLhs())[3];
    // Heads of no columns are none.
    if (shape[1] == 0 || shape[3] == 0 || depth == 0)
      return failure();
    Heads q = columnsOf(rewriter, location, scores.getLhs(), rowsFirst);
    Heads k = columnsOf(rewriter, location, scores.getRhs(), {0, 3, 1, 2});
    Heads v = columnsOf(rewriter, location, product.getRhs(), rowsFirst);
    Value attention = createCpuAttention(
        rewriter, location, q.tensor, k.tensor, v.tensor, extras, shape[1],
        depth, shape[3], {q.first, k.first, v.first}, formula.text());
    Value heads = createReshape(rewriter, location, attention,
                                {shape[0], shape[2], shape[1], shape[3]});
    rewriter.replaceOp(product,
                       createTranspose(rewriter, location, heads, rowsFirst));
    return success();
  }

private:
  /// The product below `in`, and the formula between.
  static bool takeScores(Value in, MatMul &scores, Formula &formula,
                         SmallVectorImpl<Value> &extras) {
    if ((scores = in.getDefiningOp<MatMul>()))
      return true;
    auto fused = in.getDefiningOp<CpuFusedElementwise>();
    if (!fused)
      return false;
    for (auto [place, operand] : llvm::enumerate(fused.getIns())) {
      auto candidate = operand.getDefiningOp<MatMul>();
      if (!candidate || shapeOf(operand) != shapeOf(in))
        continue;
      scores = candidate;
      formula = joined(Formula(), formulaOf(fused), 1, place);
      for (auto [i, value] : llvm::enumerate(fused.getIns()))
        if (i != place)
          extras.push_back(value);
      return true;
    }
    return false;
  }
};

} // namespace

void addAttention(RewritePatternSet &patterns) {
  patterns.add<MakeAttention>(patterns.getContext());
}

} // namespace glow::cpu
