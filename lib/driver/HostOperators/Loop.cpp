//===- Loop.cpp - a graph as often as is said -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Without --max-iterations, a run lasts as long as its loops, and is bounded by
// memory. If a body returns its condition unchanged, no iteration
// ends the loop early. The first iteration then determines the memory that all
// of them would gather.
//
//===----------------------------------------------------------------------===//

#include "Iterations.h"
#include "Slices.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>

using namespace glow;
using Sequence = HostValue::Sequence;

static Result<bool> truthOf(const HostValue &value, const char *which) {
  const Tensor *tensor = value.tensor();
  if (tensor && tensor->type().kind == ElementKind::Bool &&
      tensor->type().elements() == 1)
    return tensor->elements<bool>()[0];
  return failure(Code::InvalidArgument, "the condition that ", which, " is ",
                 value.text(), ", it should be one bool");
}

template <typename T> static Result<HostValue> scalarOf(T value) {
  Result<Tensor> tensor = tensorOf<T>({}, std::span<const T>(&value, 1));
  if (!tensor)
    return tensor.status();
  return HostValue(tensor.take());
}

namespace {

/// The values that a loop carries from one iteration to the next, and the
/// values that it gathers.
struct LoopState {
  // Without a trip count, only the condition ends the loop.
  int64_t iterations = std::numeric_limits<int64_t>::max();
  bool accumulates = true;
  Sequence carried;
  std::vector<Sequence> gathered;
  std::vector<MemoryBudget::Share> shares; ///< for the gathered lists

  Status begin(const HostCall &call);
  Status iterate(const HostCall &call, int64_t iteration);
  Result<Sequence> arguments(int64_t iteration) const;
  Status carry(Sequence::iterator values);
  Status makeRoom(int64_t iteration);
  bool isSteady(const HostCall &call) const;
  Status checkEnd(const HostCall &call) const;
  Status checkRoom(const HostCall &call) const;
  Status setNone(HostCall &call) const;
};

} // namespace

Status LoopState::begin(const HostCall &call) {
  if (isGiven(call, 0)) {
    Result<int64_t> most = call.intOf(0);
    if (!most)
      return most.status();
    iterations = *most;
  }
  if (isGiven(call, 1)) {
    Result<bool> condition = truthOf(*call.input(1), "is given");
    if (!condition)
      return condition.status();
    accumulates = *condition;
  }
  for (unsigned i = 2; i < call.inputCount(); ++i)
    carried.push_back(call.input(i) ? *call.input(i) : HostValue());
  if (carried.size() > call.outputCount())
    return failure(Code::InvalidArgument, "it carries ", carried.size(),
                   " values, but lists ", call.outputCount(), " outputs");
  gathered.resize(call.outputCount() - carried.size());
  return Status();
}

Result<Sequence> LoopState::arguments(int64_t iteration) const {
  Result<HostValue> count = scalarOf(iteration);
  Result<HostValue> condition = scalarOf(accumulates);
  if (!count || !condition)
    return failure(Code::OutOfMemory, "there is no memory for an iteration");
  Sequence arguments = {*count, *condition};
  arguments.insert(arguments.end(), carried.begin(), carried.end());
  return arguments;
}

/// A value may change its sizes from iteration to iteration, but not its kind.
Status LoopState::carry(Sequence::iterator values) {
  for (size_t i = 0; i < carried.size(); ++i, ++values) {
    if (!carried[i].isNothing() && !isOfKind(*values, carried[i]))
      return failure(Code::InvalidArgument, "carried value ", i, " was ",
                     carried[i].text(), ", but the body gives ",
                     values->text());
    carried[i] = std::move(*values);
  }
  return Status();
}

Status LoopState::iterate(const HostCall &call, int64_t iteration) {
  Result<Sequence> given = arguments(iteration);
  if (!given)
    return given.status();
  Result<Sequence> results = call.runGraph("body", given.take());
  if (!results)
    return results.status();
  if (results->size() != 1 + carried.size() + gathered.size())
    return failure(Code::InvalidArgument, "the body has ", results->size(),
                   " outputs, but ", 1 + carried.size() + gathered.size(),
                   " are wanted");
  Result<bool> next = truthOf((*results)[0], "the body gives");
  if (!next)
    return next.status();
  accumulates = *next;
  if (Status status = carry(results->begin() + 1); !status.ok())
    return status;
  for (size_t i = 0; i < gathered.size(); ++i)
    gathered[i].push_back(std::move((*results)[1 + carried.size() + i]));
  return makeRoom(iteration);
}

/// Whether no iteration changes the condition, after the first one.
bool LoopState::isSteady(const HostCall &call) const {
  const HostGraph *body = call.graph("body");
  if (!body || body->outputs.empty())
    return false;
  const HostPort &condition = body->outputs[0];
  return condition.constant || condition.input == 1;
}

Status LoopState::checkEnd(const HostCall &call) const {
  // A condition that is given may be another one in the next run.
  if (!accumulates || isGiven(call, 0) || isGiven(call, 1) ||
      call.maxIterations() || !isSteady(call))
    return Status();
  return Status(Code::InvalidArgument,
                "it never ends: it has no trip count, and its condition is "
                "always true");
}

/// If no iteration changes the condition, the trip count is exact. Then the
/// values that all iterations gather must fit, each as large as the first.
Status LoopState::checkRoom(const HostCall &call) const {
  if (gathered.empty() || !accumulates || !isGiven(call, 0) || !isSteady(call))
    return Status();
  uint64_t each = 0;
  for (const Sequence &values : gathered)
    each += sizeof(HostValue) +
            (values[0].tensor() ? values[0].tensor()->type().bytes() : 0);
  uint64_t all = 0;
  if (__builtin_mul_overflow(each, uint64_t(iterations), &all))
    all = std::numeric_limits<uint64_t>::max();
  return MemoryBudget::check(all).prefixed(
      "it gathers for " + std::to_string(iterations) + " iterations: ");
}

/// Lists may grow for ever, even with values that take no memory of their own.
Status LoopState::makeRoom(int64_t iteration) {
  constexpr int64_t step = 1024;
  if (gathered.empty() || iteration % step != step - 1)
    return Status();
  Result<MemoryBudget::Share> share = MemoryBudget::take(
      uint64_t(step) * gathered.size() * 2 * sizeof(HostValue));
  if (share)
    shares.push_back(share.take());
  return share.status();
}

/// The outputs of a loop without iterations.
Status LoopState::setNone(HostCall &call) const {
  Result<Sequence> given = arguments(0);
  Result<Sequence> none =
      given ? noneOfAll(call, given.take(), Ints(gathered.size(), 0))
            : given.status();
  if (!none)
    return none.status();
  unsigned output = 0;
  for (const Sequence &values : {carried, *none})
    for (const HostValue &value : values)
      call.setOutput(output++, value);
  return Status();
}

Status glow::host::loop(HostCall &call) {
  LoopState state;
  if (Status status = state.begin(call); !status.ok())
    return status;
  for (int64_t i = 0; i < state.iterations && state.accumulates; ++i) {
    if (i > 0 && i == call.maxIterations())
      return failure(Code::InvalidArgument, "more trips than ", i,
                     ", the limit of max-iterations");
    Status status = state.iterate(call, i).prefixed("iteration " +
                                                    std::to_string(i) + ": ");
    if (status.ok() && i == 0)
      status = state.checkEnd(call);
    if (status.ok() && i == 0)
      status = state.checkRoom(call);
    if (!status.ok())
      return status;
  }
  // Without iterations, the body determines the sizes of results as far as
  // possible.
  if (!state.gathered.empty() && state.gathered[0].empty())
    return state.setNone(call);
  unsigned output = 0;
  for (HostValue &value : state.carried)
    call.setOutput(output++, std::move(value));
  for (Sequence &values : state.gathered) {
    Status status = call.setOutput(output++, stacked(values, 0));
    if (!status.ok())
      return status;
  }
  return Status();
}
