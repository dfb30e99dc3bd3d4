//===- Recurrence.cpp - a net for each step of a sequence -----------------===//
// SPDX-License-Identifier: MIT
//
// The step of a RecurrentNetwork of Caffe2 takes the number of the step, the
// states and a slice of each sequence, and gives the next states. A result is
// the values of a state from an offset on: its first value is that before the
// first step.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Boxes.h"
#include "Slices.h"
#include "glow/HostOperators/Functions.h"
#include <cstring>

using namespace glow;
using Sequence = HostValue::Sequence;

namespace {

struct Recurrence {
  std::vector<const Tensor *> sequences;
  std::vector<Sequence> states; ///< the values so far of each state
  int64_t steps = 0, batch = 0;

  Status read(const HostCall &call, int64_t count);
  Result<HostValue> firstState(const Tensor &given) const;
  Status step(const HostCall &call, int64_t at);
  Result<Tensor> result(int64_t state, int64_t offset) const;
};

/// A first state is [1,n,d], or [n,d], or [d] for the whole batch.
Result<HostValue> Recurrence::firstState(const Tensor &given) const {
  const Ints &shape = given.type().shape;
  const size_t rank = shape.size();
  if (rank < 1 || rank > 3 || (rank == 3 && shape[0] != 1) ||
      (rank > 1 && shape[rank - 2] != batch))
    return failure(Code::ShapeMismatch, "the first state is ",
                   given.type().text(), ", but should be [1,", batch, ",d]");
  Result<Tensor> state =
      Tensor::zeros({given.type().kind, {1, batch, shape.back()}});
  if (!state)
    return state.status();
  auto *to = static_cast<char *>(state->data());
  const uint64_t bytes = given.type().bytes();
  for (uint64_t at = 0; bytes && at < state->type().bytes(); at += bytes)
    std::memcpy(to + at, given.data(), bytes);
  return HostValue(state.take());
}

Status Recurrence::read(const HostCall &call, int64_t count) {
  if (count < 1 || count > int64_t(call.inputCount()))
    return failure(Code::InvalidArgument, "it cannot have ", count,
                   " sequences");
  for (unsigned i = 0; i < call.inputCount(); ++i) {
    Result<const Tensor *> input = call.tensor(i);
    if (!input)
      return input.status();
    const Ints &shape = (*input)->type().shape;
    if (int64_t(i) < count) {
      if (shape.size() < (i ? 1u : 2u) || (i && shape[0] != steps))
        return failure(Code::ShapeMismatch, "sequence ", i, " is ",
                       (*input)->type().text(),
                       ", but should be [steps,batch,d], all of them of as "
                       "many steps");
      if (i == 0)
        steps = shape[0], batch = shape[1];
      sequences.push_back(*input);
      continue;
    }
    Result<HostValue> state = firstState(**input);
    if (!state)
      return state.status();
    states.push_back({state.take()});
  }
  return Status();
}

Status Recurrence::step(const HostCall &call, int64_t at) {
  Result<Tensor> number = int32Of({1}, {at});
  if (!number)
    return number.status();
  Sequence arguments = {number.take()};
  for (const Sequence &state : states)
    arguments.push_back(state.back());
  for (const Tensor *sequence : sequences) {
    Result<Tensor> slice = sliceOf(*sequence, 0, at, 1, /*keep=*/true);
    if (!slice)
      return slice.status();
    arguments.push_back(slice.take());
  }
  Result<Sequence> results = call.runGraph("step_net", std::move(arguments));
  if (!results)
    return results.status().prefixed("step " + std::to_string(at) + ": ");
  for (size_t i = 0; i < states.size(); ++i) {
    const Tensor *next = i < results->size() ? (*results)[i].tensor() : nullptr;
    const TensorType &type = states[i].back().tensor()->type();
    if (!next || next->type() != type)
      return failure(Code::ShapeMismatch, "step ", at, " makes ",
                     next ? next->type().text() : "no tensor",
                     " of a state that is ", type.text());
    states[i].push_back((*results)[i]);
  }
  return Status();
}

Result<Tensor> Recurrence::result(int64_t state, int64_t offset) const {
  if (state < 0 || state >= int64_t(states.size()))
    return failure(Code::InvalidArgument, "it has no state ", state);
  const Sequence &values = states[size_t(state)];
  const int64_t count = int64_t(values.size());
  const int64_t first = offset < 0 ? offset + count : offset;
  if (first < 0 || first > count)
    return failure(Code::InvalidArgument, "offset ", offset, " leads out of ",
                   count, " values of a state");
  if (first == count)
    return slicesAt(values.front().tensor()->view(), 0, {});
  return concatenated(Sequence(values.begin() + first, values.end()), 0);
}

} // namespace

Status glow::host::recurrentNetwork(HostCall &call) {
  Arguments arguments(call);
  const int64_t count = arguments.integer("sequences", 0);
  const Ints of = arguments.integers("result_states");
  const Ints offsets = arguments.integers("result_offsets");
  if (!arguments.status().ok())
    return arguments.status();
  if (of.size() != offsets.size())
    return failure(Code::InvalidArgument, "its results have ", of.size(),
                   " states and ", offsets.size(), " offsets");
  Recurrence recurrence;
  if (Status status = recurrence.read(call, count); !status.ok())
    return status;
  for (int64_t at = 0; at < recurrence.steps; ++at)
    if (Status status = recurrence.step(call, at); !status.ok())
      return status;
  for (size_t i = 0; i < of.size(); ++i)
    if (Status status =
            call.setOutput(unsigned(i), recurrence.result(of[i], offsets[i]));
        !status.ok())
      return status;
  return Status();
}
