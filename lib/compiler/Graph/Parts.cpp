//===- Parts.cpp - helpers for patterns on slices -------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Parts.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Verify.h"

using namespace mlir;
using namespace glow;

bool glow::areAllParts(ValueRange parts, IntegerAttr axis) {
  auto split = parts.empty() ? Split() : parts.front().getDefiningOp<Split>();
  return split && split.getAxis() == axis.getInt() &&
         llvm::equal(parts, split->getResults());
}

bool glow::cutsBetween(ValueRange parts, IntegerAttr axis, Attribute sizes) {
  Sizes found;
  for (Value part : parts)
    found.push_back(expr::at(shapeOf(part), axis.getInt()));
  return isProven([&] { return found == glow::sizesOf(sizes); });
}

bool glow::areNeighbours(ValueRange parts, IntegerAttr axis) {
  auto first = parts.empty() ? Slice() : parts.front().getDefiningOp<Slice>();
  if (!first || parts.size() < 2)
    return false;
  if (llvm::any_of(parts, [](Value part) {
        Operation *slice = part.getDefiningOp();
        return slice && takesLengths(slice);
      }))
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

Attribute glow::startsOf(ValueRange parts) {
  return parts.front().getDefiningOp<Slice>().getStartsAttr();
}

Attribute glow::stepsOf(ValueRange parts) {
  return parts.front().getDefiningOp<Slice>().getStepsAttr();
}

Attribute glow::sizesOf(ValueRange parts, IntegerAttr axis) {
  Size sum;
  for (Value part : parts)
    sum = expr::add(sum, shapeOf(part)[size_t(axis.getInt())]);
  return attributeOf(axis.getContext(),
                     expr::set(shapeOf(parts.front()), axis.getInt(), sum));
}

/// The Concat along `axis` that makes the part, if nothing else reads it.
static Concat innerConcat(Value part, IntegerAttr axis) {
  auto inner = part.getDefiningOp<Concat>();
  bool merges = inner && inner.getAxis() == axis.getInt() && part.hasOneUse();
  return merges ? inner : Concat();
}

bool glow::hasInnerConcat(ValueRange parts, IntegerAttr axis) {
  return llvm::any_of(
      parts, [&](Value part) { return bool(innerConcat(part, axis)); });
}

Value glow::flattenedConcat(OpBuilder &builder, Location location,
                            ValueRange parts, IntegerAttr axis) {
  SmallVector<Value> all;
  for (Value part : parts)
    if (Concat inner = innerConcat(part, axis))
      llvm::append_range(all, inner.getIns());
    else
      all.push_back(part);
  return createConcat(builder, location, all, axis.getInt());
}

/// The part of a Concat that holds all elements of a slice, and where the part
/// begins along the axis.
static std::optional<std::pair<Value, int64_t>> partOf(Slice slice) {
  auto joined = slice.getIn().getDefiningOp<Concat>();
  if (!joined || takesLengths(slice) || llvm::is_contained(slice.getSizes(), 0))
    return std::nullopt;
  int64_t axis = joined.getAxis();
  int64_t first = slice.getStarts()[axis];
  int64_t last = first + (slice.getSizes()[axis] - 1) * slice.getSteps()[axis];
  int64_t begin = 0;
  for (Value part : joined.getIns()) {
    int64_t end = begin + shapeOf(part)[axis];
    if (std::min(first, last) >= begin && std::max(first, last) < end)
      return std::pair(part, begin);
    begin = end;
  }
  return std::nullopt;
}

bool glow::liesInPart(Value slice) {
  return partOf(slice.getDefiningOp<Slice>()).has_value();
}

Value glow::sliceOfPart(OpBuilder &builder, Location location, Value value) {
  auto slice = value.getDefiningOp<Slice>();
  auto [part, begin] = *partOf(slice);
  int64_t axis = slice.getIn().getDefiningOp<Concat>().getAxis();
  Ints starts(slice.getStarts());
  starts[axis] -= begin;
  return createSlice(builder, location, part, starts, Ints(slice.getSteps()),
                     Ints(slice.getSizes()));
}
