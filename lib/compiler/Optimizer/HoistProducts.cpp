//===- HoistProducts.cpp - products of slices, for all trips at once ------===//
// SPDX-License-Identifier: MIT
//
// A recurrent net multiplies each step of its sequence by a matrix. One product
// of the whole sequence reads the matrix once, and not once a step.
//
//===----------------------------------------------------------------------===//

#include "HoistProducts.h"
#include "glow/Base/Functions/Lists.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"

using namespace mlir;
using namespace glow;

namespace {

/// A product in the body of a loop, of which the first factor is a slice.
class ProductOfSlice {
public:
  ProductOfSlice(LoopOp loop, CalledBody &body, const SymbolTable &symbols)
      : loop(loop), body(body), symbols(symbols) {}

  bool hoist(MatMul product) {
    if (rankOf(product.getLhs()) != 2)
      return false;
    std::optional<size_t> slice = sliceBehind(product.getLhs());
    if (!slice)
      return false;
    OpBuilder builder(loop);
    Value matrix = outside(builder, product.getRhs());
    return matrix && move(builder, product, *slice, matrix);
  }

private:
  size_t firstSlice() { return 1 + loop.carriedCount(); }

  /// The number of the sliced tensor whose elements are those of the value.
  std::optional<size_t> sliceBehind(Value value) {
    while (auto reshape = value.getDefiningOp<Reshape>())
      value = reshape.getIn();
    auto read = value.getDefiningOp<ReadOp>();
    for (size_t i = 0; read && i < loop.getSliced().size(); ++i)
      if (read.getStorageAttr() ==
          body.function.getTakesAttr()[firstSlice() + i])
        return i;
    return std::nullopt;
  }

  /// A constant or captured value in front of the loop; null for others.
  Value outside(OpBuilder &builder, Value value) {
    if (constantValue(value, symbols))
      return builder.clone(*value.getDefiningOp())->getResult(0);
    const size_t first = firstSlice() + loop.getSliced().size();
    auto read = value.getDefiningOp<ReadOp>();
    for (size_t i = 0; read && i < loop.getCaptured().size(); ++i)
      if (read.getStorageAttr() == body.function.getTakesAttr()[first + i])
        return loop.getCaptured()[i];
    return {};
  }

  bool move(OpBuilder &builder, MatMul product, size_t slice, Value matrix) {
    const Location location = product.getLoc();
    const Size trips = sizesOf(*loop.getCount()).front();
    const Sizes factor = shapeOf(product.getLhs()),
                result = shapeOf(product.getOut());
    const Size rows = expr::multiply(trips, factor[0]);
    Value all = createReshape(builder, location, loop.getSliced()[slice],
                              Sizes{rows, factor[1]});
    Value products =
        all ? Value(createMatMul(builder, location, all, matrix)) : Value();
    Value stack = products
                      ? Value(createReshape(builder, location, products,
                                            Sizes{trips, result[0], result[1]}))
                      : Value();
    if (!stack)
      return false;
    LoopParts parts(loop);
    const size_t place = parts.sliced.size();
    parts.sliced.push_back(stack);
    parts.backwards.insert(parts.backwards.begin() + long(place),
                           parts.backwards[slice]);
    Value parameter = body.addParameter("products", product.getOut().getType(),
                                        firstSlice() + place);
    product.getOut().replaceAllUsesWith(parameter);
    product.erase();
    LoopOp other = rebuilt(loop, parts);
    loop.replaceAllUsesWith(other.getValues());
    loop.erase();
    return true;
  }

  LoopOp loop;
  CalledBody &body;
  const SymbolTable &symbols;
};

} // namespace

bool glow::hoistProduct(LoopOp loop, CalledBody &body,
                        const SymbolTable &symbols) {
  for (Operation &op : body.function.block())
    if (auto product = dyn_cast<MatMul>(op))
      if (ProductOfSlice(loop, body, symbols).hoist(product))
        return true;
  return false;
}
