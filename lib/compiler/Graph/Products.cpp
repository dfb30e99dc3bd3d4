//===- Products.cpp - products of one tensor, side by side ----------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Nodes.h"
#include "glow/Graph/Parts.h"

using namespace mlir;
using namespace glow;

namespace {

/// A product with a constant matrix, whose rows may be reshaped, plus a bias of
/// its columns, if any.
struct Product {
  MatMul node;
  Value matrix; ///< of rank 2
  Value bias;   ///< of as many elements as the matrix has columns; or null
};

} // namespace

/// The constant matrix of a product, which may be the same for a whole batch;
/// null if there is none.
static Value constantMatrix(MatMul product) {
  Value matrix = product.getRhs();
  if (auto repeated = matrix.getDefiningOp<Broadcast>();
      repeated && repeated.getAxis() < 0)
    matrix = repeated.getIn();
  return rankOf(matrix) == 2 && isConstant(matrix) ? matrix : Value();
}

/// The constant that `term` adds to each column of a result; null if it depends
/// on the row.
static Value biasOf(Value term, const Ints &shape) {
  BroadcastView repeated(term);
  const int64_t columns = shape.back();
  if (!repeated || !isConstant(repeated.getIn()) ||
      elementsOf(repeated.getIn()) != columns)
    return {};
  const Ints small = shapeOf(repeated.getIn());
  const int64_t last = repeated.getAxis() < 0
                           ? expr::size(shape)
                           : repeated.getAxis() + expr::size(small);
  return last == expr::size(shape) && !small.empty() && small.back() == columns
             ? repeated.getIn()
             : Value();
}

/// The product behind `value` that has the same columns and no other reader, or
/// null.
static MatMul productBehind(Value value) {
  if (auto reshape = value.getDefiningOp<Reshape>();
      reshape && value.hasOneUse() && rankOf(value) > 0 &&
      rankOf(reshape.getIn()) > 0 &&
      shapeOf(reshape.getIn()).back() == shapeOf(value).back())
    value = reshape.getIn();
  return value.hasOneUse() ? value.getDefiningOp<MatMul>() : MatMul();
}

static std::optional<Product> productOf(Value part) {
  if (!part.hasOneUse())
    return std::nullopt;
  Product product;
  product.node = productBehind(part);
  if (auto sum = part.getDefiningOp<Add>())
    for (auto [value, term] : {std::pair(sum.getLhs(), sum.getRhs()),
                               std::pair(sum.getRhs(), sum.getLhs())})
      if (MatMul node = productBehind(value))
        if (Value bias = biasOf(term, shapeOf(part))) {
          product.node = node;
          product.bias = bias;
        }
  if (product.node)
    product.matrix = constantMatrix(product.node);
  return product.matrix ? std::optional(product) : std::nullopt;
}

bool glow::areProductsOfOne(ValueRange parts, IntegerAttr axis) {
  if (llvm::any_of(parts, [](Value part) {
        return bool(tensorType(part).getEncoding());
      }))
    return false;
  if (parts.size() < 2 || axis.getInt() != rankOf(parts.front()) - 1)
    return false;
  std::optional<Product> first = productOf(parts.front());
  // A missing bias is not the same as a bias of 0: adding 0 to -0 gives 0.
  return first && llvm::all_of(parts, [&](Value part) {
           std::optional<Product> product = productOf(part);
           return product && product->node.getLhs() == first->node.getLhs() &&
                  !product->bias == !first->bias;
         });
}

Value glow::joinedProducts(OpBuilder &builder, Location location,
                           ValueRange parts) {
  SmallVector<Value> matrices, biases;
  Value left;
  for (Value part : parts) {
    Product product = *productOf(part);
    left = product.node.getLhs();
    matrices.push_back(product.matrix);
    if (product.bias)
      biases.push_back(createReshape(builder, location, product.bias,
                                     {shapeOf(product.matrix)[1]}));
  }
  Value matrix = createConcat(builder, location, matrices, 1);
  const Ints rows = expr::take(shapeOf(left), rankOf(left) - 2);
  if (!rows.empty()) {
    Ints whole = rows;
    llvm::append_range(whole, shapeOf(matrix));
    matrix = createBroadcast(builder, location, matrix, whole, -1);
  }
  Value product = createMatMul(builder, location, left, matrix);
  Sizes shape = shapeOf(parts.front());
  shape.back() = shapeOf(product).back();
  if (shapeOf(product) != shape)
    product = createReshape(builder, location, product, shape);
  if (biases.empty())
    return product;
  Value bias = createConcat(builder, location, biases, 0);
  return createAdd(
      builder, location, product,
      createBroadcast(builder, location, bias, shapeOf(product), -1));
}
