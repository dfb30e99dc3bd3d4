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
    Sizes shape = shapeOf(product); // [b, h, s, e]
    Size depth = shapeOf(scores.getLhs())[3];
    // Heads without columns have no code.
    for (const Size &size : {shape[1], shape[3], depth})
      if (!size.isFixed() || size.extent() == 0)
        return failure();
    Location location = product.getLoc();
    const Ints rowsFirst = {0, 2, 1, 3}; // between [b, h, s, d], [b, s, h, d]
    auto columns = [&](Value heads, const Ints &permutation) -> Value {
      Value rows = createTranspose(rewriter, location, heads, permutation);
      Sizes sizes = shapeOf(rows);
      return createReshape(
          rewriter, location, rows,
          Sizes{sizes[0], sizes[1], expr::multiply(sizes[2], sizes[3])});
    };
    Value attention = createCpuAttention(
        rewriter, location, columns(scores.getLhs(), rowsFirst),
        columns(scores.getRhs(), {0, 3, 1, 2}),
        columns(product.getRhs(), rowsFirst), extras, shape[1].extent(),
        depth.extent(), shape[3].extent(), Ints{0, 0, 0}, formula.text(),
        /*keyHeads=*/0);
    Value heads = createReshape(rewriter, location, attention,
                                Sizes{shape[0], shape[2], shape[1], shape[3]});
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
      if (!scores || !expr::areSame(shapeOf(operand), shapeOf(fused)))
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
    if (!split || !expr::areSame(shapeOf(source), shapeOf(columns)) ||
        split.getAxis() != 2)
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

/// Lets attention read keys and values in place that have their heads before
/// their rows, as caches do, and heads that several heads of queries share.
struct ReadHeadsInPlace : OpRewritePattern<CpuAttention> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CpuAttention node,
                                PatternRewriter &rewriter) const override {
    Ints first(node.getFirst());
    if (node.getKeyHeads() != 0 || first[1] != 0 || first[2] != 0)
      return failure();
    Value k = headsOf(node.getK()), v = headsOf(node.getV());
    if (!k || !v)
      return failure();
    Value oneK = sharedOf(k), oneV = sharedOf(v);
    if (oneK && oneV && shapeOf(oneK)[1] == shapeOf(oneV)[1])
      k = oneK, v = oneV;
    const Size heads = shapeOf(k)[1];
    if (!heads.isFixed() || heads.extent() == 0)
      return failure();
    auto alone = [&](Value heads) -> Value {
      Sizes sizes = shapeOf(heads);
      return createReshape(rewriter, node.getLoc(), heads,
                           Sizes{expr::multiply(sizes[0], sizes[1]),
                                 sizes[sizes.size() - 2], sizes.back()});
    };
    rewriter.modifyOpInPlace(node, [&] {
      node.getKMutable().assign(alone(k));
      node.getVMutable().assign(alone(v));
      node.setKeyHeads(heads.extent());
    });
    return success();
  }

private:
  /// Heads [b, h, t, d], if `columns` are [b, t, h * d] of them; else null.
  static Value headsOf(Value columns) {
    auto reshape = columns.getDefiningOp<Reshape>();
    auto rows =
        reshape ? reshape.getIn().getDefiningOp<Transpose>() : Transpose();
    if (!rows || Ints(rows.getPermutation()) != Ints{0, 2, 1, 3})
      return Value();
    Sizes of = shapeOf(rows), joined = shapeOf(columns);
    return expr::areSame(Sizes{of[0], of[1]}, Sizes{joined[0], joined[1]})
               ? rows.getIn()
               : Value();
  }

  /// Heads [b, g, 1, t, d], if `heads` are repetitions of them; else null.
  static Value sharedOf(Value heads) {
    auto reshape = heads.getDefiningOp<Reshape>();
    auto each =
        reshape ? reshape.getIn().getDefiningOp<Broadcast>() : Broadcast();
    if (!each)
      return Value();
    Sizes once = shapeOf(each.getIn()), all = shapeOf(each),
          of = shapeOf(heads);
    if (once.size() != 5 || all.size() != 5 || !expr::isNumber(once[2], 1))
      return Value();
    const Size copies = all[2];
    all[2] = 1;
    return expr::areSame(once, all) &&
                   expr::areSame(of,
                                 Sizes{all[0], expr::multiply(all[1], copies),
                                       all[3], all[4]})
               ? each.getIn()
               : Value();
  }
};

/// Lets attention read heads in place that lie side by side in rows, as in a
/// cache that grows, instead of those of a transpose.
struct ReadRowsInPlace : OpRewritePattern<CpuAttention> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CpuAttention node,
                                PatternRewriter &rewriter) const override {
    const Size heads = node.getKeyHeads();
    if (!expr::isNumber(shapeOf(node.getQ())[0], 1) || heads.extent() < 2 ||
        !expr::isSame(shapeOf(node.getK())[0], heads))
      return failure();
    Value k = rowsOf(node.getK()), v = rowsOf(node.getV());
    if (!k || !v)
      return failure();
    auto columns = [&](Value rows, Value heads) -> Value {
      Sizes sizes = shapeOf(heads);
      return createReshape(
          rewriter, node.getLoc(), rows,
          Sizes{1, sizes[1], expr::multiply(sizes[0], sizes[2])});
    };
    rewriter.modifyOpInPlace(node, [&] {
      node.getKMutable().assign(columns(k, node.getK()));
      node.getVMutable().assign(columns(v, node.getV()));
    });
    return success();
  }

private:
  /// The tensor of rows whose first two axes a transpose turns, besides axes of
  /// size 1, if `heads` are its result; else null.
  static Value rowsOf(Value heads) {
    auto turned = withoutReshapes(heads).getDefiningOp<Transpose>();
    if (!turned)
      return Value();
    Sizes from = shapeOf(turned.getIn()), to = shapeOf(heads);
    Ints axes, order; // those larger than 1, and as the result has them
    for (size_t i = 0; i < from.size(); ++i) {
      const int64_t axis = turned.getPermutation()[i];
      if (!expr::isNumber(from[i], 1))
        axes.push_back(int64_t(i));
      if (!expr::isNumber(from[size_t(axis)], 1))
        order.push_back(axis);
    }
    if (axes.size() != 3 || order != Ints{axes[1], axes[0], axes[2]})
      return Value();
    Sizes turnedSizes;
    for (int64_t axis : order)
      turnedSizes.push_back(from[size_t(axis)]);
    return expr::areSame(to, turnedSizes) ? turned.getIn() : Value();
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
        node, createCpuAttention(rewriter, node.getLoc(), node.getQ(),
                                 node.getK(), node.getV(), scores.operands,
                                 node.getHeads(), node.getDepth(),
                                 node.getWidth(), Ints(node.getFirst()),
                                 scores.formula.text(), node.getKeyHeads()));
    return success();
  }
};

} // namespace

void addAttention(RewritePatternSet &patterns) {
  patterns.add<MakeAttention, ReadPartsInPlace, ReadHeadsInPlace,
               ReadRowsInPlace, DropUnread>(patterns.getContext());
}

} // namespace glow::cpu
