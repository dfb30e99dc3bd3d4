//===- ControlFlow.cpp - nodes that run graphs ----------------------------===//

#include "Slices.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>

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
// What no iteration gives
//===----------------------------------------------------------------------===//

/// Of what is stacked: that there is none of it, with the sizes that each would
/// have. A size that nobody knows is 0.
static Result<HostValue> noneOf(const HostPort &port,
                                const std::optional<TensorType> &type,
                                int64_t axis) {
  Ints shape = type ? type->shape : port.shape.value_or(Ints());
  for (size_t i = 0; i < shape.size(); ++i)
    if (int64_t known =
            port.shape && i < port.shape->size() ? (*port.shape)[i] : -1;
        known >= 0 || shape[i] < 0)
      shape[i] = std::max<int64_t>(known, 0);
  Result<int64_t> at = resolveAxis(axis, int64_t(shape.size()) + 1);
  if (!at)
    return at.status();
  shape.insert(shape.begin() + *at, 0);
  if (port.other == "strings")
    return HostValue::counted(Strings{std::move(shape), {}});
  ElementKind kind = type ? type->kind : port.kind.value_or(ElementKind::F32);
  Result<Tensor> none = Tensor::zeros({kind, std::move(shape)});
  if (!none)
    return none.status();
  return HostValue(none.take());
}

/// The last outputs of a body that never ran, one for each axis. The body is
/// looked at where it does not declare all sizes.
static Result<Sequence> noneOfAll(const HostCall &call, Sequence arguments,
                                  const Ints &axes) {
  const HostGraph *body = call.graph("body");
  if (!body || body->outputs.size() < axes.size())
    return failure(Code::InvalidArgument, "the body has fewer outputs than ",
                   axes.size());
  const size_t first = body->outputs.size() - axes.size();
  std::vector<std::optional<TensorType>> types(body->outputs.size());
  const bool declared =
      std::all_of(body->outputs.begin() + long(first), body->outputs.end(),
                  [](const HostPort &port) {
                    return port.shape &&
                           std::ranges::none_of(*port.shape, [](int64_t size) {
                             return size < 0;
                           });
                  });
  if (!declared)
    types = call.typesOf("body", std::move(arguments));
  Sequence results;
  for (size_t i = first; i < body->outputs.size(); ++i) {
    Result<HostValue> none =
        noneOf(body->outputs[i], i < types.size() ? types[i] : std::nullopt,
               axes[i - first]);
    if (!none)
      return none.status();
    results.push_back(none.take());
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

static bool isGiven(const HostCall &call, unsigned index) {
  return call.input(index) && !call.input(index)->isNothing();
}

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

/// What a loop carries from one iteration to the next, and what it gathers.
struct LoopState {
  int64_t iterations = std::numeric_limits<int64_t>::max();
  bool goesOn = true;
  Sequence carried;
  std::vector<Sequence> gathered;
  std::vector<MemoryBudget::Share> shares; ///< of the lists that are gathered

  Status begin(const HostCall &call);
  Status iterate(const HostCall &call, int64_t iteration);
  Result<Sequence> arguments(int64_t iteration) const;
  Status carry(Sequence::iterator values);
  Status makeRoom(int64_t iteration);
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
    goesOn = *condition;
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
  Result<HostValue> condition = scalarOf(goesOn);
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
    return results.status().prefixed("iteration " + std::to_string(iteration) +
                                     ": ");
  if (results->size() != 1 + carried.size() + gathered.size())
    return failure(Code::InvalidArgument, "the body has ", results->size(),
                   " outputs, but ", 1 + carried.size() + gathered.size(),
                   " are wanted");
  Result<bool> next = truthOf((*results)[0], "the body gives");
  if (!next)
    return next.status();
  goesOn = *next;
  if (Status status = carry(results->begin() + 1); !status.ok())
    return status.prefixed("iteration " + std::to_string(iteration) + ": ");
  for (size_t i = 0; i < gathered.size(); ++i)
    gathered[i].push_back(std::move((*results)[1 + carried.size() + i]));
  return makeRoom(iteration);
}

/// Where no iteration changes the condition, as many are made as was said: what
/// they gather, each as much as the first, must fit.
Status LoopState::checkRoom(const HostCall &call) const {
  const HostGraph *body = call.graph("body");
  if (!body || body->outputs.empty() || gathered.empty() || !goesOn ||
      !isGiven(call, 0))
    return Status();
  const HostPort &condition = body->outputs[0];
  if (!condition.constant && condition.input != 1)
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

/// The outputs where there was no iteration.
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
  for (int64_t i = 0; i < state.iterations && state.goesOn; ++i) {
    Status status = state.iterate(call, i);
    if (status.ok() && i == 0)
      status = state.checkRoom(call);
    if (!status.ok())
      return status;
  }
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
  Status setNone(HostCall &call) const;
};

} // namespace

/// The list in an attribute, one number for each of `size`; zeros without it.
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

/// The same, of numbers that are 0 or 1.
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

/// The outputs where there is no slice.
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
