//===- FuseTransposed.cpp - products with transposed matrices -------------===//
// SPDX-License-Identifier: MIT

#include "Algorithm.h"
#include "Fusion.h"
#include "Passes.h"
#include "glow/Backend/Backend.h"
#include "glow/Base/Functions.h"

using namespace mlir;

namespace glow::cpu {

using mlir::failure;

namespace {

/// The transpose whose result `rhs` is, with or without axes of one element
/// before its matrices; null if there is none, or if other nodes read it.
Transpose transposeOf(Value rhs, Operation *product) {
  if (!onlyUser(rhs, product))
    return Transpose();
  if (auto reshape = rhs.getDefiningOp<Reshape>()) {
    const Sizes to = shapeOf(rhs), from = shapeOf(reshape.getIn());
    auto matrix = [](const Sizes &shape) {
      return expr::drop(shape, expr::size(shape) - 2);
    };
    if (from.size() < 2 || !expr::areSame(matrix(from), matrix(to)) ||
        !onlyUser(reshape.getIn(), reshape))
      return Transpose();
    rhs = reshape.getIn();
  }
  return rhs.getDefiningOp<Transpose>();
}

/// The matrices whose rows are the columns of `rhs`; null if `rhs` is not
/// transposed. Other axes stay transposed: their elements move in whole rows.
Value rowsOf(OpBuilder &builder, Operation *product, Value rhs) {
  Transpose turned = transposeOf(rhs, product);
  if (!turned)
    return Value();
  Ints order(turned.getPermutation());
  const size_t rank = order.size();
  if (rank < 2 || order[rank - 2] != int64_t(rank) - 1)
    return Value();
  std::swap(order[rank - 2], order[rank - 1]);
  Value rows = turned.getIn();
  if (!llvm::is_sorted(order))
    rows = createTranspose(builder, product->getLoc(), rows, order);
  Sizes shape = shapeOf(rhs);
  std::iter_swap(shape.end() - 2, shape.end() - 1);
  return expr::areSame(shapeOf(rows), shape)
             ? rows
             : createReshape(builder, product->getLoc(), rows, shape);
}

/// Lets a product read its second matrix as it was before it was transposed.
template <typename Product> struct TakeTransposed : OpRewritePattern<Product> {
  using OpRewritePattern<Product>::OpRewritePattern;
  LogicalResult matchAndRewrite(Product product,
                                PatternRewriter &rewriter) const override {
    if (isScalar(product) || !kindOfElements(product.getRhs()).isF32())
      return failure();
    Value rows = rowsOf(rewriter, product, product.getRhs());
    if (!rows)
      return failure();
    Value bias;
    SmallVector<Value> extras;
    std::string epilogue;
    if constexpr (std::is_same_v<Product, CpuMatMul>) {
      bias = product.getBias();
      extras.assign(product.getExtras().begin(), product.getExtras().end());
      epilogue = product.getEpilogue().str();
    }
    Value made =
        createCpuMatMulTransposed(rewriter, product.getLoc(), product.getLhs(),
                                  rows, bias, extras, epilogue);
    keepMark(product, made);
    rewriter.replaceOp(product, made);
    return success();
  }
};

} // namespace

void addTransposed(RewritePatternSet &patterns) {
  patterns.add<TakeTransposed<MatMul>, TakeTransposed<CpuMatMul>>(
      patterns.getContext());
}

} // namespace glow::cpu
