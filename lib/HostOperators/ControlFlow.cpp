//===- ControlFlow.cpp - nodes that run graphs ----------------------------===//

#include "Slices.h"
#include "glow/HostOperators/Functions.h"

using namespace glow;
using Sequence = HostValue::Sequence;

Status glow::host::ifThenElse(HostCall &call) {
  Result<int64_t> condition = call.intOf(0);
  if (!condition)
    return condition.status();
  const char *branch = *condition ? "then_branch" : "else_branch";
  Result<Sequence> results = call.runGraph(branch, {});
  if (!results)
    return results.status();
  if (results->size() != call.outputCount())
    return failure(Code::InvalidArgument, branch, " has ", results->size(),
                   " outputs, but the node lists ", call.outputCount());
  for (size_t i = 0; i < results->size(); ++i)
    call.setOutput(unsigned(i), std::move((*results)[i]));
  return Status();
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

static bool isGiven(const HostCall &call, unsigned index) {
  return call.input(index) && !call.input(index)->isNothing();
}

static Result<bool> truthOf(const HostValue &value) {
  const Tensor *tensor = value.tensor();
  if (tensor && tensor->type().kind == ElementKind::Bool &&
      tensor->type().elements() == 1)
    return tensor->elements<bool>()[0];
  return failure(Code::InvalidArgument, "the condition that the body gives is ",
                 value.text(), ", it should be one bool");
}

template <typename T> static Result<HostValue> scalarOf(T value) {
  Result<Tensor> tensor = tensorOf<T>({}, std::span<const T>(&value, 1));
  if (!tensor)
    return tensor.status();
  return HostValue(tensor.take());
}

namespace {

/// What a loop carries from one iteration to the next, and what it gathers.
struct LoopState {
  int64_t iterations = std::numeric_limits<int64_t>::max();
  bool goesOn = true;
  Sequence carried;
  std::vector<Sequence> gathered;
  std::vector<MemoryBudget::Share> shares; ///< of the lists that are gathered

  Status begin(const HostCall &call);
  Status iterate(const HostCall &call, int64_t iteration);
  Status makeRoom(int64_t iteration);
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
    Result<int64_t> condition = call.intOf(1);
    if (!condition)
      return condition.status();
    goesOn = *condition != 0;
  }
  for (unsigned i = 2; i < call.inputCount(); ++i)
    carried.push_back(call.input(i) ? *call.input(i) : HostValue());
  if (carried.size() > call.outputCount())
    return failure(Code::InvalidArgument, "it carries ", carried.size(),
                   " values, but lists ", call.outputCount(), " outputs");
  gathered.resize(call.outputCount() - carried.size());
  return Status();
}

Status LoopState::iterate(const HostCall &call, int64_t iteration) {
  Result<HostValue> count = scalarOf(iteration);
  Result<HostValue> condition = scalarOf(goesOn);
  if (!count || !condition)
    return failure(Code::OutOfMemory, "there is no memory for an iteration");
  Sequence arguments = {*count, *condition};
  arguments.insert(arguments.end(), carried.begin(), carried.end());
  Result<Sequence> results = call.runGraph("body", std::move(arguments));
  if (!results)
    return results.status().prefixed("iteration " + std::to_string(iteration) +
                                     ": ");
  if (results->size() != 1 + carried.size() + gathered.size())
    return failure(Code::InvalidArgument, "the body has ", results->size(),
                   " outputs, but ", 1 + carried.size() + gathered.size(),
                   " are wanted");
  Result<bool> next = truthOf((*results)[0]);
  if (!next)
    return next.status();
  goesOn = *next;
  std::move(results->begin() + 1, results->begin() + 1 + long(carried.size()),
            carried.begin());
  for (size_t i = 0; i < gathered.size(); ++i)
    gathered[i].push_back(std::move((*results)[1 + carried.size() + i]));
  return makeRoom(iteration);
}

/// Lists may grow for ever, also of values that take no memory of their own.
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

Status glow::host::loop(HostCall &call) {
  LoopState state;
  if (Status status = state.begin(call); !status.ok())
    return status;
  for (int64_t i = 0; i < state.iterations && state.goesOn; ++i)
    if (Status status = state.iterate(call, i); !status.ok())
      return status;
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

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {

/// One scan: states that go from step to step, inputs that are cut into slices,
/// outputs that are stacked from them.
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
};

} // namespace

static Ints padded(Ints list, size_t size) {
  list.resize(size, 0);
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

/// Reads what both versions have in common; `first` is the first state.
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
  scan.inputAxes = padded(call.attribute<Ints>("scan_input_axes", {}), inputs);
  scan.outputAxes =
      padded(call.attribute<Ints>("scan_output_axes", {}), outputs);
  scan.backwards = padded(call.attribute<Ints>(directions, {}), inputs);
  scan.backwardsOut =
      padded(call.attribute<Ints>("scan_output_directions", {}), outputs);
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
    call.setOutput(output++, std::move(state));
  for (size_t i = 0; i < scan->gathered.size(); ++i) {
    Result<HostValue> result = scan->output(i);
    if (!result)
      return result.status().prefixed("scan output " + std::to_string(i) +
                                      ": ");
    call.setOutput(output++, result.take());
  }
  return Status();
}

/// Slice `batch` of a tensor's first axis, without it.
static Result<Tensor> batchOf(const Tensor *tensor, int64_t batch) {
  if (tensor && !tensor->type().shape.empty() &&
      batch < tensor->type().shape[0])
    return sliceOf(*tensor, 0, batch, 1, /*keep=*/false);
  return failure(Code::InvalidArgument, "an input is ",
                 tensor ? tensor->type().text() : "no tensor",
                 ", which has no such batch");
}

/// The scan of one batch: the states in the end, then what was stacked.
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
