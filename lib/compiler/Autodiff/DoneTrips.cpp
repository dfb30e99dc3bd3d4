//===- DoneTrips.cpp - slices of the trips that a loop has done -----------===//
// SPDX-License-Identifier: MIT

#include "DoneTrips.h"
#include "glow/Graph/Nodes.h"

using namespace glow;
using namespace mlir;

DoneTrips::DoneTrips(OpBuilder &builder, LoopOp loop, FuncOp function)
    : builder(builder), location(loop.getLoc()),
      count(sizesOf(*loop.getCount()).front()),
      mayEnd(loop.mayEndEarly(function)), givesGoing(loop.givesGoing(function)),
      wanted(loop.getTrips()), done(loop.getValues().back()) {}

Value DoneTrips::number(const Size &value) {
  return createLiteral(builder, location, Sizes{value}, Sizes(),
                       builder.getI64Type());
}

Value DoneTrips::forAll(Value number) {
  return createBroadcast(builder, location, number, Sizes{count}, -1);
}

Value DoneTrips::minus(Value left, Value right) {
  return createSub(builder, location, left, right);
}

Value DoneTrips::indices() {
  return createIota(builder, location, 0.0, 1.0, 0, Sizes{count},
                    builder.getI64Type());
}

Value DoneTrips::missing() {
  Value limit = number(count);
  if (wanted)
    limit = createMax(builder, location,
                      createMin(builder, location, limit, wanted), number(0));
  return minus(limit, done);
}

Value DoneTrips::last() {
  return mayEnd ? minus(done, number(1)) : number(expr::subtract(count, 1));
}

/// The first trip has the last slice of all trips that are allowed, so that the
/// slices of the trips that were done stand behind those that are missing.
Value DoneTrips::reversed(Value stack, bool isBackwards) {
  if (!givesGoing || !isBackwards)
    return stack;
  Value from =
      createAdd(builder, location, indices(), forAll(missing())).getResult();
  // No trip reads the slices behind the last index, which has any for them.
  from = createMin(builder, location, from,
                   forAll(number(expr::subtract(count, 1))));
  return createGather(builder, location, stack, from, 0);
}

Value DoneTrips::inPlace(Value stack, bool isBackwards) {
  if (!mayEnd)
    return stack;
  Value trip = indices();
  Value isDone;
  if (givesGoing && isBackwards) {
    Value zero = forAll(number(0));
    trip = minus(trip, forAll(missing()));
    isDone = createLessEqual(builder, location, zero, trip);
    trip = createMax(builder, location, trip, zero);
    stack = createGather(builder, location, stack, trip, 0);
  }
  Value isBelow = createLess(builder, location, trip, forAll(done));
  isDone =
      isDone ? Value(createAnd(builder, location, isDone, isBelow)) : isBelow;
  const Sizes shape = shapeOf(stack);
  Sizes column(shape.size(), 1);
  column.front() = count;
  Value mask = createBroadcast(builder, location,
                               createReshape(builder, location, isDone, column),
                               shape, -1);
  return createSelect(builder, location, mask, stack,
                      splatLike(builder, location, 0, stack));
}
