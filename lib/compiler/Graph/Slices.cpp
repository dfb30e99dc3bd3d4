//===- Slices.cpp - slices of nodes' results ------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Slices.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Parts.h"

using namespace mlir;
using namespace glow;

SlicePart SlicePart::of(Slice slice) {
  return {Ints(slice.getStarts()), Ints(slice.getSteps()),
          Ints(slice.getSizes())};
}

SlicePart SlicePart::along(int64_t first, int64_t last,
                           const Ints &shape) const {
  SlicePart part = {Ints(shape.size(), 0), Ints(shape.size(), 1), shape};
  for (int64_t axis = first; axis < last; ++axis) {
    part.starts[axis] = starts[axis];
    part.steps[axis] = steps[axis];
    part.sizes[axis] = sizes[axis];
  }
  return part;
}

bool SlicePart::isAll(const Ints &shape) const {
  return sizes == shape &&
         llvm::all_of(starts, [](int64_t start) { return start == 0; }) &&
         llvm::all_of(steps, [](int64_t step) { return step == 1; });
}

namespace {
/// `count` rows of a matrix, from `start` on, `step` apart.
struct EvenRows {
  int64_t start = 0, step = 1, count = 1;
};
} // namespace

/// The rows that a slice selects, as rows of the matrix that the tensor is when
/// its outer axes are flattened.
static std::optional<EvenRows> rowsOf(const SlicePart &part,
                                      const Ints &shape) {
  EvenRows rows;
  int64_t stride = 1;
  // From the innermost axis outwards: each axis must continue where the inner
  // ones end.
  for (size_t axis = shape.size() - 1; axis-- > 0; stride *= shape[axis]) {
    rows.start += part.starts[axis] * stride;
    if (part.sizes[axis] == 1)
      continue;
    if (rows.count == 1)
      rows.step = part.steps[axis] * stride;
    else if (part.steps[axis] * stride != rows.step * rows.count)
      return std::nullopt;
    rows.count *= part.sizes[axis];
  }
  return rows;
}

/// The same rows as a slice of a tensor of another shape, if there is one.
static std::optional<SlicePart> partOf(EvenRows rows, const Ints &shape) {
  SlicePart part = {Ints(shape.size(), 0), Ints(shape.size(), 1), shape};
  int64_t stride = 1;
  for (size_t axis = shape.size() - 1; axis-- > 0; stride *= shape[axis]) {
    const int64_t size = shape[axis], start = rows.start / stride % size,
                  step = rows.step / stride;
    part.starts[axis] = start;
    part.sizes[axis] = 1;
    if (rows.count == 1 || step % size == 0)
      continue; // the index is the same for all
    const int64_t last = start + (rows.count - 1) * step;
    if (last >= 0 && last < size) {
      part.steps[axis] = step;
      part.sizes[axis] = std::exchange(rows.count, 1);
    } else if (step == 1 && start == 0 && rows.count % size == 0) {
      part.sizes[axis] = size;
      rows.count /= size;
      rows.step = stride * size;
    } else {
      return std::nullopt;
    }
  }
  return rows.count == 1 ? std::optional(part) : std::nullopt;
}

std::optional<SlicePart> glow::beforeReshape(const SlicePart &part,
                                             const Ints &before,
                                             const Ints &after) {
  if (before.size() < 2 || after.size() < 2 || before.back() != after.back() ||
      llvm::is_contained(part.sizes, 0))
    return std::nullopt;
  std::optional<EvenRows> rows = rowsOf(part, after);
  std::optional<SlicePart> result = rows ? partOf(*rows, before) : std::nullopt;
  if (result) {
    result->starts.back() = part.starts.back();
    result->steps.back() = part.steps.back();
    result->sizes.back() = part.sizes.back();
  }
  return result;
}

/// The matching part of a Broadcast's operand, in the result's rank: repeated
/// axes have size 1.
static SlicePart beforeRepetition(Broadcast repeated, const SlicePart &part) {
  SlicePart before = part;
  for (auto [axis, size] : llvm::enumerate(sizesBefore(repeated)))
    if (size == 1) {
      before.starts[axis] = 0;
      before.steps[axis] = 1;
      before.sizes[axis] = 1;
    }
  return before;
}

Value glow::slicedBy(OpBuilder &builder, Location location, Value tensor,
                     const SlicePart &part) {
  if (part.isAll(shapeOf(tensor)))
    return tensor;
  if (auto splat = tensor.getDefiningOp<Splat>())
    return createSplat(builder, location, splat.getValue(), part.sizes,
                       splat.getKind());
  auto repeated = tensor.getDefiningOp<Broadcast>();
  if (!repeated)
    return createSlice(builder, location, tensor, part.starts, part.steps,
                       part.sizes);
  Sizes before = sizesBefore(repeated);
  Value source = repeated.getIn();
  if (shapeOf(source) != before)
    source = createReshape(builder, location, source, before);
  source =
      slicedBy(builder, location, source, beforeRepetition(repeated, part));
  return createBroadcast(builder, location, source, part.sizes, -1);
}

int64_t glow::elementsCopied(Value tensor, const SlicePart &part) {
  if (isConstant(tensor) || part.isAll(shapeOf(tensor)))
    return 0;
  if (auto repeated = tensor.getDefiningOp<Broadcast>()) {
    SlicePart before = beforeRepetition(repeated, part);
    return before.isAll(sizesBefore(repeated)) ? 0 : expr::prod(before.sizes);
  }
  return expr::prod(part.sizes);
}

bool glow::isCheaperSliced(MatMul product, const SlicePart &part) {
  const Ints shape = shapeOf(product.getOut());
  const int64_t rank = expr::size(shape), row = rank - 2;
  auto takesHalf = [&](int64_t first, int64_t last) {
    int64_t all = 1, taken = 1;
    for (int64_t axis = first; axis < last; ++axis) {
      all *= shape[axis];
      taken *= part.sizes[axis];
    }
    return 2 * taken <= all;
  };
  const bool allRows = part.along(0, row + 1, shape).isAll(shape),
             allColumns = part.along(row + 1, rank, shape).isAll(shape);
  return (allRows || takesHalf(0, row + 1)) &&
         (allColumns || isConstant(product.getRhs())) &&
         !(allRows && allColumns);
}

//===----------------------------------------------------------------------===//
// The pattern SliceOfProduct
//===----------------------------------------------------------------------===//

bool glow::takesPartOfProduct(Value value) {
  auto slice = value.getDefiningOp<Slice>();
  auto product = slice.getIn().getDefiningOp<MatMul>();
  return product && product->hasOneUse() &&
         isCheaperSliced(product, SlicePart::of(slice));
}

Value glow::productOfSlices(OpBuilder &builder, Location location,
                            Value value) {
  auto slice = value.getDefiningOp<Slice>();
  auto product = slice.getIn().getDefiningOp<MatMul>();
  const SlicePart part = SlicePart::of(slice);
  const Ints lhs = shapeOf(product.getLhs());
  Ints rhs = shapeOf(product.getRhs());
  const int64_t rank = expr::size(lhs);
  SlicePart rows = part.along(0, rank - 1, lhs);
  SlicePart columns = part.along(rank - 1, rank, rhs);
  for (int64_t axis = 0; axis < rank - 2; ++axis) {
    columns.starts[axis] = part.starts[axis];
    columns.steps[axis] = part.steps[axis];
    columns.sizes[axis] = part.sizes[axis];
  }
  return createMatMul(builder, location,
                      slicedBy(builder, location, product.getLhs(), rows),
                      slicedBy(builder, location, product.getRhs(), columns));
}
