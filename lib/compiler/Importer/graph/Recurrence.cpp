//===- Recurrence.cpp - a net for each step of a sequence -----------------===//
// SPDX-License-Identifier: MIT
//
// A RecurrentNetwork of Caffe2 with few steps becomes one program, in which the
// nodes of the step are repeated. The host repeats the program of a step where
// there are more.
//
//===----------------------------------------------------------------------===//

#include "ModuleStorage.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "rows/ImportRegistry.h"
#include <limits>

using namespace glow;
using namespace mlir;

using Values = llvm::SmallVector<Value>;

/// More steps would take long to compile.
static constexpr int64_t mostSteps = 64;

namespace {

/// The node as the reader of nets writes it; see NetSteps.h.
class Recurrence {
public:
  explicit Recurrence(ImportContext &context)
      : context(context), builder(context.builder()) {}

  LogicalResult run();

private:
  LogicalResult read();
  LogicalResult start(Value initial);
  LogicalResult step(int64_t at);
  LogicalResult finish();
  FailureOr<Value> slice(Value from, const Size &start, const Size &count);

  ImportContext &context;
  OpBuilder &builder;
  Values sequences;
  std::vector<Values> states; ///< the values so far of each state
  Size steps, batch;
};

} // namespace

/// `count` slices along the first axis.
FailureOr<Value> Recurrence::slice(Value from, const Size &start,
                                   const Size &count) {
  Sizes starts(rankOf(from), 0), ones(rankOf(from), 1), sizes = shapeOf(from);
  starts.front() = start;
  sizes.front() = count;
  auto made =
      createSlice(builder, context.location(), from, starts, ones, sizes);
  if (!made)
    return mlir::failure();
  return made.getResult();
}

LogicalResult Recurrence::read() {
  const int64_t count = context.intAttribute("sequences", 0);
  Values inputs = context.inputsFrom(0);
  if (count < 1 || count > int64_t(inputs.size()))
    return context.fail("it cannot have " + Twine(count) + " sequences");
  sequences.assign(inputs.begin(), inputs.begin() + count);
  const Sizes shape = shapeOf(sequences.front());
  if (shape.size() < 2)
    return context.fail("its sequence must be steps of batches, but has " +
                        Twine(shape.size()) + " axes");
  steps = shape[0], batch = shape[1];
  if (!steps.isFixed() || steps.extent() > mostSteps)
    return context.fail("more than " + Twine(mostSteps) +
                        " steps are repeated by the host");
  for (Value sequence : sequences)
    if (rankOf(sequence) < 1 || shapeOf(sequence)[0] != steps)
      return context.fail("its sequences must have " + Twine(steps.extent()) +
                          " steps each");
  for (Value initial : llvm::drop_begin(inputs, count))
    if (failed(start(initial)))
      return mlir::failure();
  return success();
}

/// A first state is [1,n,d], or [n,d], or [d] for the whole batch.
LogicalResult Recurrence::start(Value initial) {
  Sizes shape = shapeOf(initial);
  const bool fits = shape.size() == 1 ||
                    (shape.size() == 2 && shape[0] == batch) ||
                    (shape.size() == 3 && shape[0] == 1 && shape[1] == batch);
  if (!fits)
    return context.fail("its first state is " + typeText(initial.getType()) +
                        ", but must be [1," + Twine(batch.extent()) + ",d]");
  const Sizes full = {1, batch, shape.back()};
  if (shape.size() == 2)
    initial = createReshape(builder, context.location(), initial, full);
  else if (shape.size() == 1)
    initial = createBroadcast(builder, context.location(), initial, full,
                              int64_t(-1));
  if (!initial)
    return mlir::failure();
  states.push_back({initial});
  return success();
}

LogicalResult Recurrence::step(int64_t at) {
  auto type = RankedTensorType::get({1}, builder.getI32Type());
  Values arguments = {
      context.constant(DenseElementsAttr::get(type, int32_t(at)), "timestep")};
  for (const Values &state : states)
    arguments.push_back(state.back());
  for (Value sequence : sequences) {
    FailureOr<Value> part = slice(sequence, at, 1);
    if (failed(part))
      return mlir::failure();
    arguments.push_back(*part);
  }
  FailureOr<Values> results = context.inlineGraph("step_net", arguments);
  if (failed(results))
    return mlir::failure();
  if (results->size() != states.size())
    return context.fail("its step has " + Twine(results->size()) +
                        " results, but there are " + Twine(states.size()) +
                        " states");
  for (auto [state, result] : llvm::zip_equal(states, *results)) {
    if (result.getType() != state.back().getType())
      return context.fail("its step makes " + typeText(result.getType()) +
                          " of a state that is " +
                          typeText(state.back().getType()));
    state.push_back(result);
  }
  return success();
}

/// A result is the values of a state from an offset on, which counts from
/// behind where it is negative.
LogicalResult Recurrence::finish() {
  const Ints of = context.intsAttribute("result_states", {});
  const Ints offsets = context.intsAttribute("result_offsets", {});
  if (of.size() != offsets.size())
    return context.fail("its results have " + Twine(of.size()) +
                        " states and " + Twine(offsets.size()) + " offsets");
  for (size_t i = 0; i < of.size(); ++i) {
    if (of[i] < 0 || of[i] >= int64_t(states.size()))
      return context.fail("it has no state " + Twine(of[i]));
    llvm::ArrayRef<Value> values = states[size_t(of[i])];
    const int64_t count = int64_t(values.size());
    const int64_t first = offsets[i] < 0 ? offsets[i] + count : offsets[i];
    if (first < 0 || first > count)
      return context.fail("offset " + Twine(offsets[i]) + " leads out of " +
                          Twine(count) + " values of a state");
    Value result;
    if (first == count) {
      FailureOr<Value> none = slice(values.front(), 0, 0);
      if (failed(none))
        return mlir::failure();
      result = *none;
    } else {
      result =
          createConcat(builder, context.location(),
                       Values(values.drop_front(size_t(first))), int64_t(0));
    }
    if (!result)
      return mlir::failure();
    context.setOutput(unsigned(i), result);
  }
  return success();
}

LogicalResult Recurrence::run() {
  if (failed(read()))
    return mlir::failure();
  for (int64_t at = 0; at < steps.extent(); ++at)
    if (failed(step(at)))
      return mlir::failure();
  return finish();
}

std::span<const ImportEntry> glow::recurrentImports() {
  static constexpr const char *inputs[] = {"inputs..."};
  static constexpr const char *attributes[] = {
      "sequences", "step_net", "result_states", "result_offsets"};
  static constexpr auto run = [](ImportContext &context) {
    return Recurrence(context).run();
  };
  static constexpr unsigned any = std::numeric_limits<unsigned>::max();
  static constexpr ImportEntry entries[] = {{"org.pytorch._caffe2",
                                             "RecurrentNetwork", 1, run, inputs,
                                             attributes, 1, any, any}};
  return entries;
}
