//===- WeightRoot.cpp - the constant behind moved weights -----------------===//
// SPDX-License-Identifier: MIT

#include "WeightRoot.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "mlir/IR/IRMapping.h"

using namespace glow;
using namespace mlir;

/// The axis of `before` that has the same indices as an axis of its reshaped
/// form: both have the same size and as many elements after them. With
/// `mayJoin`, the axis may be the last of those that were joined. -1 if there
/// is none.
static int64_t axisBefore(ArrayRef<int64_t> before, ArrayRef<int64_t> after,
                          int64_t axis, bool mayJoin) {
  const auto elements = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<>());
  };
  const int64_t size = after[size_t(axis)];
  const int64_t inner = elements(after.drop_front(size_t(axis) + 1));
  for (size_t i = 0; i < before.size(); ++i) {
    const bool fits = before[i] == size ||
                      (mayJoin && before[i] > 1 && size % before[i] == 0);
    if (fits && elements(before.drop_front(i + 1)) == inner)
      return int64_t(i);
  }
  return -1;
}

/// The axis in the operand of a node that moves elements; nothing if the node
/// is another one, or joins the axis with others.
static std::optional<int64_t> stepBack(Operation *op, int64_t axis,
                                       bool mayJoin) {
  if (!isa<Transpose, Reshape>(op))
    return std::nullopt;
  if (axis < 0)
    return axis;
  if (auto transpose = dyn_cast<Transpose>(op))
    return transpose.getPermutation()[size_t(axis)];
  axis = axisBefore(tensorType(op->getOperand(0)).getShape(),
                    tensorType(op->getResult(0)).getShape(), axis, mayJoin);
  return axis < 0 ? std::nullopt : std::optional(axis);
}

WeightRoot glow::rootOf(Value weights, int64_t axis, const KnownValues &known,
                        bool mayJoin) {
  WeightRoot root{weights, axis, {}};
  while (Operation *op = root.value.getDefiningOp()) {
    std::optional<int64_t> before = stepBack(op, root.axis, mayJoin);
    if (!before || known.varies(op->getOperand(0)))
      break;
    root.movers.insert(root.movers.begin(), op);
    root.value = op->getOperand(0);
    root.axis = *before;
  }
  return root;
}

Value WeightRoot::moved(OpBuilder &builder, Value other) const {
  for (Operation *mover : movers) {
    Operation *copy = builder.clone(*mover);
    copy->setOperand(0, other);
    auto type = cast<RankedTensorType>(copy->getResult(0).getType());
    copy->getResult(0).setType(type.clone(kindOfElements(other)));
    other = copy->getResult(0);
  }
  return other;
}
