//===- GradientOfLoop.cpp - gradients of loops ----------------------------===//
// SPDX-License-Identifier: MIT
//
// The gradient of a loop is a loop that runs backwards over its trips. It
// carries the gradients of the carried values, and the sums of the gradients of
// the captured ones. Each trip computes the nodes of the body again, from the
// carried values at its begin, which the loop itself stacks: they are far
// smaller than all values of a trip.
//
//===----------------------------------------------------------------------===//

#include "CallGradients.h"
#include "DoneTrips.h"
#include "NewFunction.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;

std::string glow::faultOfCall(Operation *call) {
  auto loop = dyn_cast<LoopOp>(call);
  if (!loop || loop.getCount())
    return {};
  return "has no count, and should have one: its gradient reads values of all "
         "trips, whose number nothing bounds";
}

namespace {

/// A loop, and the loop that passes gradients back through it.
class LoopGradient {
public:
  LoopGradient(OpBuilder &builder, BackwardPass &pass, LoopOp loop,
               ArrayRef<Value> ofResults)
      : builder(builder), pass(pass), symbols(pass.module.symbols), loop(loop),
        given(ofResults), source(symbols.lookup<FuncOp>(loop.getBody())),
        count(sizesOf(*loop.getCount()).front()),
        made(symbols, source, ".gradient") {}

  FailureOr<SmallVector<Value>> build();

private:
  size_t carried() { return loop.carriedCount(); }
  size_t sliced() { return loop.getSliced().size(); }
  bool isLive(size_t index) { return live[unsigned(index)]; }

  void findLive();
  LogicalResult takeParameters();
  FailureOr<SmallVector<Value>> differentiate();
  LogicalResult giveCarried(ArrayRef<Value> gradients);
  LogicalResult giveSums(ArrayRef<Value> gradients);
  void giveSlices(ArrayRef<Value> gradients);
  void keepCarried();
  LoopOp createLoop(DoneTrips &trips);
  SmallVector<Value> gradientsFrom(LoopOp backward, DoneTrips &trips);

  OpBuilder &builder;
  BackwardPass &pass;
  SymbolTable &symbols;
  LoopOp loop;
  SmallVector<Value> given;
  FuncOp source;
  Size count;
  NewFunction made;
  BitVector live; ///< carried values that have a gradient in some trip

  // Parameters of the new function.
  Parameter trip, last;
  SmallVector<Parameter> ofSource;   ///< every parameter of the body
  SmallVector<Parameter> ofCarried;  ///< gradients of live carried values
  SmallVector<Parameter> ofCaptured; ///< sums of gradients
  SmallVector<Parameter> ofStacked;  ///< null for tensors without a gradient
  // Numbers of operands whose gradients are results of the new loop.
  SmallVector<size_t> summed, stacked;
};

} // namespace

/// Finds the carried values to which a gradient flows from a result, through
/// any number of trips.
void LoopGradient::findLive() {
  ArrayRef<Origins> body =
      pass.module.dependences.ofFunction(source).drop_front(
          loop.givesGoing(source));
  live.resize(unsigned(carried()));
  auto mark = [&](const Origins &from) {
    bool isNew = false;
    for (unsigned place : from.places.set_bits())
      if (place >= 1 && place <= carried() && !live[place - 1] &&
          pass.isActive(loop.getResult(place - 1))) {
        live.set(place - 1);
        isNew = true;
      }
    return isNew;
  };
  for (unsigned i = 0; i < carried(); ++i)
    live[i] = given[i] && pass.isActive(loop.getResult(i));
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (auto [i, from] : llvm::enumerate(body))
      if (i < carried() ? isLive(i) : bool(given[i]))
        isNew |= mark(from);
  }
}

/// Adds a parameter for each value that the new function may read.
LogicalResult LoopGradient::takeParameters() {
  const Type number = RankedTensorType::get({}, builder.getI64Type());
  trip = made.take("trip", number);
  for (unsigned i = 0; i < carried(); ++i) {
    if (!isLive(i))
      continue;
    Value initial = loop.getInitial()[i];
    Value gradient =
        given[i] ? given[i] : splatLike(builder, loop.getLoc(), 0, initial);
    if (!gradient)
      return failure();
    ofCarried.push_back(made.take("given", initial.getType(), gradient));
  }
  for (size_t i = 0; i < loop.stackedCount(); ++i) {
    Value gradient = given[carried() + i];
    ofStacked.push_back(
        gradient
            ? made.take("given", sliceTypeOf(tensorType(gradient)), gradient)
            : Parameter());
  }
  ofSource = made.takeAllOf(source);
  for (auto [i, value] : llvm::enumerate(loop.getSliced()))
    ofSource[1 + carried() + i].outside = value;
  for (auto [i, value] : llvm::enumerate(loop.getCaptured()))
    ofSource[1 + carried() + sliced() + i].outside = value;
  last = made.take("last", number);
  return success();
}

/// Builds the gradients of one trip.
FailureOr<SmallVector<Value>> LoopGradient::differentiate() {
  Value number =
      createSub(made.builder, loop.getLoc(), last.inside, trip.inside);
  SmallVector<Parameter> parameters = ofSource;
  parameters.front().inside = number;
  BitVector isSource(unsigned(parameters.size()));
  for (unsigned i = 0; i < carried(); ++i)
    isSource[1 + i] = pass.isActive(loop.getResult(i));
  for (size_t i = 1 + carried(); i < parameters.size(); ++i)
    isSource[unsigned(i)] = pass.isActive(parameters[i].outside);
  SmallVector<Value> ofResults;
  if (loop.givesGoing(source))
    ofResults.push_back({});
  for (size_t i = 0, next = 0; i < carried(); ++i)
    ofResults.push_back(isLive(i) ? ofCarried[next++].inside : Value());
  for (const Parameter &one : ofStacked)
    ofResults.push_back(one.inside);
  return made.differentiate(pass, loop, source, parameters, isSource,
                            ofResults);
}

LogicalResult LoopGradient::giveCarried(ArrayRef<Value> gradients) {
  for (size_t i = 0; i < carried(); ++i) {
    if (!isLive(i))
      continue;
    Value gradient = gradients[1 + i];
    if (!gradient)
      gradient =
          splatLike(made.builder, loop.getLoc(), 0, loop.getInitial()[i]);
    if (!gradient)
      return failure();
    made.give("next", gradient);
  }
  return success();
}

LogicalResult LoopGradient::giveSums(ArrayRef<Value> gradients) {
  const size_t first = 1 + carried() + sliced();
  for (size_t i = 0; i < loop.getCaptured().size(); ++i) {
    Value gradient = gradients[first + i], captured = loop.getCaptured()[i];
    if (!gradient)
      continue;
    Value zeros = splatLike(builder, loop.getLoc(), 0, captured);
    if (!zeros)
      return failure();
    ofCaptured.push_back(made.take("sum", captured.getType(), zeros));
    Value sum = createAdd(made.builder, loop.getLoc(), ofCaptured.back().inside,
                          gradient);
    if (!sum)
      return failure();
    made.give("next", sum);
    summed.push_back(i);
  }
  return success();
}

void LoopGradient::giveSlices(ArrayRef<Value> gradients) {
  for (size_t i = 0; i < sliced(); ++i)
    if (Value gradient = gradients[1 + carried() + i]) {
      made.give("slice", gradient);
      stacked.push_back(i);
    }
}

/// Replaces the loop by one that also stacks the carried values which the new
/// function reads, as they are when a trip begins. The loop itself is erased
/// with all other nodes that nothing uses: gradients may be results of it.
void LoopGradient::keepCarried() {
  SmallVector<size_t> kept;
  for (size_t i = 0; i < carried(); ++i)
    if (ofSource[1 + i].isRead())
      kept.push_back(i);
  if (kept.empty())
    return;
  NewFunction forward(symbols, source, ".forward");
  SmallVector<Parameter> parameters = forward.takeAllOf(source);
  SmallVector<Value> arguments = llvm::map_to_vector(
      parameters, [](const Parameter &one) { return one.inside; });
  SmallVector<Value> results = inlineCall(forward.builder, source, arguments);
  for (auto [port, result] : llvm::zip_equal(source.getGivesAttr(), results))
    forward.give(wordOf(port, source), result);
  LoopParts parts(loop);
  for (size_t i : kept) {
    forward.give("kept", arguments[1 + i]);
    parts.results.insert(parts.results.end() - 1,
                         stackTypeOf(tensorType(arguments[1 + i]), count));
    parts.backwards.push_back(0);
  }
  forward.finish(parameters);
  LoopOp keeping = rebuilt(loop, parts);
  keeping.setBodyAttr(forward.name());
  // The new tensors stand before the number of trips.
  const unsigned before = loop.getNumResults() - 1;
  SmallVector<Value> same(keeping.getResults().take_front(before));
  same.push_back(keeping.getValues().back());
  for (auto [i, index] : llvm::enumerate(kept))
    ofSource[1 + index].outside = keeping.getResult(before + unsigned(i));
  loop.replaceAllUsesWith(same);
  loop = keeping;
}

/// Builds the loop of the new function, without parameters that it does not
/// read.
LoopOp LoopGradient::createLoop(DoneTrips &trips) {
  SmallVector<Parameter> parameters = {trip};
  SmallVector<Value> initial, slices, captured;
  SmallVector<Type> results;
  SmallVector<int64_t> backwards;
  for (ArrayRef<Parameter> list : {ArrayRef(ofCarried), ArrayRef(ofCaptured)})
    for (const Parameter &one : list) {
      parameters.push_back(one);
      initial.push_back(one.outside);
      results.push_back(one.outside.getType());
    }
  auto addSlices = [&](const Parameter &one, bool isBackwards) {
    if (!one.port || !one.isRead())
      return;
    parameters.push_back(one);
    slices.push_back(trips.reversed(one.outside, isBackwards));
    backwards.push_back(!isBackwards);
  };
  for (size_t i = 0; i < carried(); ++i)
    addSlices(ofSource[1 + i], false);
  for (size_t i = 0; i < sliced(); ++i)
    addSlices(ofSource[1 + carried() + i], loop.isBackwards(i));
  for (size_t i = 0; i < ofStacked.size(); ++i)
    addSlices(ofStacked[i], loop.isBackwards(sliced() + i));
  auto addCaptured = [&](const Parameter &one) {
    if (!one.isRead())
      return;
    parameters.push_back(one);
    captured.push_back(one.outside);
  };
  for (const Parameter &one :
       ArrayRef(ofSource).drop_front(1 + carried() + sliced()))
    addCaptured(one);
  if (last.isRead())
    last.outside = trips.last();
  addCaptured(last);
  for (size_t i : stacked) {
    results.push_back(loop.getSliced()[i].getType());
    backwards.push_back(!loop.isBackwards(i));
  }
  results.push_back(loop.getValues().back().getType());
  made.finish(parameters);
  const bool hasBackwards = llvm::is_contained(backwards, 1);
  return LoopOp::create(builder, loop.getLoc(), results, trips.trips(), Value(),
                        initial, slices, captured, made.name(),
                        loop.getCountAttr(), UnitAttr(),
                        hasBackwards ? builder.getDenseI64ArrayAttr(backwards)
                                     : DenseI64ArrayAttr());
}

/// The gradients of the operands, from the results of the new loop.
SmallVector<Value> LoopGradient::gradientsFrom(LoopOp backward,
                                               DoneTrips &trips) {
  SmallVector<Value> gradients(loop->getNumOperands());
  const size_t first = loop.firstCarried();
  unsigned next = 0;
  for (size_t i = 0; i < carried(); ++i)
    if (isLive(i))
      gradients[first + i] = backward.getResult(next++);
  for (size_t i : summed)
    gradients[first + carried() + sliced() + i] = backward.getResult(next++);
  for (size_t i : stacked) {
    Value stack = backward.getResult(next++);
    gradients[first + carried() + i] =
        trips.inPlace(stack, loop.isBackwards(i));
  }
  return gradients;
}

FailureOr<SmallVector<Value>> LoopGradient::build() {
  findLive();
  if (failed(takeParameters()))
    return failure();
  FailureOr<SmallVector<Value>> gradients = differentiate();
  if (failed(gradients) || failed(giveCarried(*gradients)) ||
      failed(giveSums(*gradients)))
    return failure();
  giveSlices(*gradients);
  if (ofCarried.empty() && summed.empty() && stacked.empty()) {
    made.erase();
    return SmallVector<Value>(loop->getNumOperands());
  }
  made.sweep();
  keepCarried();
  DoneTrips trips(builder, loop, symbols.lookup<FuncOp>(loop.getBody()));
  LoopOp backward = createLoop(trips);
  return gradientsFrom(backward, trips);
}

FailureOr<SmallVector<Value>> glow::gradientsOfLoop(OpBuilder &builder,
                                                    BackwardPass &pass,
                                                    LoopOp loop,
                                                    ArrayRef<Value> ofResults) {
  return LoopGradient(builder, pass, loop, ofResults).build();
}
