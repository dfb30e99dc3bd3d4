//===- Parts.cpp - what patterns ask of parts and wholes ------------------===//

#include "glow/Graph/Parts.h"
#include "glow/Graph/Nodes.h"

using namespace mlir;
using namespace glow;

bool glow::areAllParts(ValueRange parts, IntegerAttr axis) {
  auto split = parts.empty() ? Split() : parts.front().getDefiningOp<Split>();
  return split && split.getAxis() == axis.getInt() &&
         llvm::equal(parts, split->getResults());
}

bool glow::cutsBetween(ValueRange parts, IntegerAttr axis,
                       DenseI64ArrayAttr sizes) {
  Ints found;
  for (Value part : parts)
    found.push_back(expr::at(shapeOf(part), axis.getInt()));
  return llvm::equal(found, sizes.asArrayRef());
}

bool glow::areNeighbours(ValueRange parts, IntegerAttr axis) {
  auto first = parts.empty() ? Slice() : parts.front().getDefiningOp<Slice>();
  if (!first || parts.size() < 2)
    return false;
  Ints expected(first.getStarts());
  for (Value part : parts) {
    auto slice = part.getDefiningOp<Slice>();
    if (!slice || slice.getIn() != first.getIn() ||
        slice.getSteps() != first.getSteps() ||
        Ints(slice.getStarts()) != expected)
      return false;
    int64_t along = axis.getInt();
    expected = expr::set(expected, along,
                         expected[along] +
                             slice.getSizes()[along] * slice.getSteps()[along]);
  }
  return true;
}

Value glow::sourceOf(ValueRange parts) {
  return parts.front().getDefiningOp()->getOperand(0);
}

DenseI64ArrayAttr glow::startsOf(ValueRange parts) {
  return parts.front().getDefiningOp<Slice>().getStartsAttr();
}

DenseI64ArrayAttr glow::stepsOf(ValueRange parts) {
  return parts.front().getDefiningOp<Slice>().getStepsAttr();
}

DenseI64ArrayAttr glow::sizesOf(ValueRange parts, IntegerAttr axis) {
  Ints sizes = shapeOf(parts.front());
  int64_t sum = 0;
  for (Value part : parts)
    sum += shapeOf(part)[axis.getInt()];
  return DenseI64ArrayAttr::get(axis.getContext(),
                                expr::set(sizes, axis.getInt(), sum));
}
