//===- Scan.cpp - a graph for each slice ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// The body runs once per slice. The two versions differ in more than names: the
// first has a batch as its first axis, and each element of the batch is scanned
// by itself.
//
//===----------------------------------------------------------------------===//

#include "Iterations.h"
#include "Slices.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>

using namespace glow;
using Sequence = HostValue::Sequence;

namespace {

/// One scan: states that pass from step to step, inputs that are cut into
/// slices, and outputs that are stacked from slices.
struct Scan {
  Sequence states;
  std::vector<const Tensor *> inputs;
  Ints inputAxes, outputAxes;     ///< made positive
  Ints backwards, backwardsOut;   ///< 1: from the end on
  std::vector<Sequence> gathered; ///< by output
  int64_t length = 0;

  Status checkLengths();
  Status step(const HostCall &call, int64_t at);
  Result<HostValue> output(size_t index) const;
  Status setNone(HostCall &call) const;
};

} // namespace

/// The list in an attribute, with `size` numbers; zeros if it is absent.
static Result<Ints> listOf(const HostCall &call, const std::string &name,
                           size_t size) {
  Ints list = call.attribute<Ints>(name, {});
  if (list.empty())
    list.assign(size, 0);
  if (list.size() == size)
    return list;
  return failure(Code::InvalidArgument, name, " has ", list.size(),
                 " numbers, but there are ", size);
}

/// The same, for numbers that are 0 or 1.
static Result<Ints> directionsOf(const HostCall &call, const std::string &name,
                                 size_t size) {
  Result<Ints> list = listOf(call, name, size);
  for (int64_t direction : list ? *list : Ints())
    if (direction != 0 && direction != 1)
      return failure(Code::InvalidArgument, name, " has ", direction,
                     ", it should be 0 or 1");
  return list;
}

Status Scan::checkLengths() {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Ints &shape = inputs[i]->type().shape;
    int64_t rank = int64_t(shape.size()), &axis = inputAxes[i];
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
      return failure(Code::InvalidArgument, "scan input ", i, " is ",
                     inputs[i]->type().text(), ", which has no such axis");
    if (i && shape[size_t(axis)] != length)
      return failure(Code::ShapeMismatch, "scan input ", i, " has ",
                     shape[size_t(axis)], " slices, but scan input 0 has ",
                     length);
    length = shape[size_t(axis)];
  }
  return Status();
}

Status Scan::step(const HostCall &call, int64_t at) {
  Sequence arguments = states;
  for (size_t i = 0; i < inputs.size(); ++i) {
    // Each input has a direction of its own.
    int64_t place = backwards[i] ? length - 1 - at : at;
    Result<Tensor> slice =
        sliceOf(*inputs[i], inputAxes[i], place, 1, /*keep=*/false);
    if (!slice)
      return slice.status();
    arguments.push_back(slice.take());
  }
  Result<Sequence> results = call.runGraph("body", std::move(arguments));
  if (!results)
    return results.status().prefixed("step " + std::to_string(at) + ": ");
  if (results->size() != states.size() + gathered.size())
    return failure(Code::InvalidArgument, "the body has ", results->size(),
                   " outputs, but ", states.size() + gathered.size(),
                   " are wanted");
  std::move(results->begin(), results->begin() + long(states.size()),
            states.begin());
  for (size_t i = 0; i < gathered.size(); ++i)
    gathered[i].push_back(std::move((*results)[states.size() + i]));
  return Status();
}

Result<HostValue> Scan::output(size_t index) const {
  Sequence slices = gathered[index];
  if (backwardsOut[index])
    std::reverse(slices.begin(), slices.end());
  Result<Tensor> result = stacked(slices, outputAxes[index]);
  if (!result)
    return result.status();
  return HostValue(result.take());
}

/// The outputs of a scan without slices.
Status Scan::setNone(HostCall &call) const {
  Sequence arguments = states;
  for (size_t i = 0; i < inputs.size(); ++i) {
    TensorType type = inputs[i]->type();
    type.shape.erase(type.shape.begin() + inputAxes[i]);
    Result<Tensor> slice = Tensor::zeros(type);
    if (!slice)
      return slice.status();
    arguments.push_back(slice.take());
  }
  Result<Sequence> none = noneOfAll(call, std::move(arguments), outputAxes);
  if (!none)
    return none.status();
  for (size_t i = 0; i < none->size(); ++i)
    call.setOutput(unsigned(states.size() + i), (*none)[i]);
  return Status();
}

/// Reads the common parts of both versions; `first` is the first state.
static Result<Scan> scanOf(const HostCall &call, unsigned first,
                           const char *directions) {
  Scan scan;
  int64_t count = call.attribute<int64_t>("num_scan_inputs", 0);
  int64_t states = int64_t(call.inputCount()) - first - count;
  if (count < 1 || states < 0 || states > int64_t(call.outputCount()))
    return failure(Code::InvalidArgument, "it cannot have ", count,
                   " scan inputs among its inputs");
  for (unsigned i = 0; i < unsigned(states); ++i)
    scan.states.push_back(call.input(first + i) ? *call.input(first + i)
                                                : HostValue());
  for (unsigned i = first + unsigned(states); i < call.inputCount(); ++i) {
    Result<const Tensor *> input = call.tensor(i);
    if (!input)
      return input.status();
    scan.inputs.push_back(*input);
  }
  scan.gathered.resize(call.outputCount() - size_t(states));
  const size_t inputs = scan.inputs.size(), outputs = scan.gathered.size();
  std::pair<Ints *, Result<Ints>> lists[] = {
      {&scan.inputAxes, listOf(call, "scan_input_axes", inputs)},
      {&scan.outputAxes, listOf(call, "scan_output_axes", outputs)},
      {&scan.backwards, directionsOf(call, directions, inputs)},
      {&scan.backwardsOut,
       directionsOf(call, "scan_output_directions", outputs)}};
  for (auto &[list, found] : lists) {
    if (!found)
      return found.status();
    *list = found.take();
  }
  return scan;
}

Status glow::host::scan(HostCall &call) {
  Result<Scan> scan = scanOf(call, 0, "scan_input_directions");
  if (!scan)
    return scan.status();
  if (Status status = scan->checkLengths(); !status.ok())
    return status;
  for (int64_t at = 0; at < scan->length; ++at)
    if (Status status = scan->step(call, at); !status.ok())
      return status;
  unsigned output = 0;
  for (HostValue &state : scan->states)
    call.setOutput(output++, state);
  if (scan->length == 0)
    return scan->setNone(call);
  for (size_t i = 0; i < scan->gathered.size(); ++i) {
    Result<HostValue> result = scan->output(i);
    if (!result)
      return result.status().prefixed("scan output " + std::to_string(i) +
                                      ": ");
    call.setOutput(output++, result.take());
  }
  return Status();
}

/// Slice `batch` of a tensor's first axis, without that axis.
static Result<Tensor> batchOf(const Tensor *tensor, int64_t batch) {
  if (tensor && !tensor->type().shape.empty() &&
      batch < tensor->type().shape[0])
    return sliceOf(*tensor, 0, batch, 1, /*keep=*/false);
  return failure(Code::InvalidArgument, "an input is ",
                 tensor ? tensor->type().text() : "no tensor",
                 ", which has no such batch");
}

/// The scan of one batch: the final states, then the stacked outputs.
static Result<Sequence> scanBatch(const HostCall &call, const Scan &all,
                                  int64_t batch) {
  Scan scan = all;
  std::vector<Tensor> inputs;
  for (HostValue &state : scan.states) {
    Result<Tensor> slice = batchOf(state.tensor(), batch);
    if (!slice)
      return slice.status();
    state = HostValue(slice.take());
  }
  for (const Tensor *input : scan.inputs) {
    Result<Tensor> slice = batchOf(input, batch);
    if (!slice)
      return slice.status();
    inputs.push_back(slice.take());
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    scan.inputs[i] = &inputs[i];
  if (Status status = scan.checkLengths(); !status.ok())
    return status;
  for (int64_t at = 0; at < scan.length; ++at)
    if (Status status = scan.step(call, at); !status.ok())
      return status;
  for (size_t i = 0; i < scan.gathered.size(); ++i) {
    Result<HostValue> result = scan.output(i);
    if (!result)
      return result.status();
    scan.states.push_back(result.take());
  }
  return std::move(scan.states);
}

/// The first version scans each element of a batch by itself.
Status glow::host::scanBatches(HostCall &call) {
  if (isGiven(call, 0))
    return failure(Code::Unsupported, "input 'sequence_lens' is not supported");
  Result<Scan> scan = scanOf(call, 1, "directions");
  if (!scan)
    return scan.status();
  const Ints &shape = scan->inputs[0]->type().shape;
  int64_t batches = shape.empty() ? 0 : shape[0];
  std::vector<Sequence> results(call.outputCount());
  for (int64_t batch = 0; batch < batches; ++batch) {
    Result<Sequence> one = scanBatch(call, *scan, batch);
    if (!one)
      return one.status().prefixed("batch " + std::to_string(batch) + ": ");
    for (size_t i = 0; i < results.size(); ++i)
      results[i].push_back(std::move((*one)[i]));
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (Status status = call.setOutput(unsigned(i), stacked(results[i], 0));
        !status.ok())
      return status;
  return Status();
}
