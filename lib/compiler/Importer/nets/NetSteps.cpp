//===- NetSteps.cpp - nets that run for each step -------------------------===//
// SPDX-License-Identifier: MIT

#include "NetSteps.h"
#include "GraphMaker.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace glow;

bool glow::isRecurrence(const caffe2::Operator &op) {
  return op.type() == "RecurrentNetwork";
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {

using Texts = std::vector<std::string>;

/// The arguments of an operator that are lists.
class Lists {
public:
  explicit Lists(caffe2::Operator &op) : op(op) {}

  caffe2::Argument *find(const std::string &name) {
    for (caffe2::Argument &argument : *op.mutable_arg())
      if (argument.name() == name)
        return &argument;
    return nullptr;
  }
  Texts texts(const std::string &name) {
    caffe2::Argument *found = find(name);
    return found ? Texts(found->strings().begin(), found->strings().end())
                 : Texts();
  }
  std::vector<int64_t> ints(const std::string &name) {
    caffe2::Argument *found = find(name);
    return found ? std::vector<int64_t>(found->ints().begin(),
                                        found->ints().end())
                 : std::vector<int64_t>();
  }

  /// Fails unless two lists have as many elements.
  static Status checkSame(const std::string &name, size_t size,
                          const std::string &other, size_t otherSize) {
    if (size == otherSize)
      return Status();
    return failure(Code::InvalidArgument, ", has ", size, " elements in '",
                   name, "', but ", otherSize, " in '", other, "'");
  }

private:
  caffe2::Operator &op;
};

} // namespace

static Status readStepNet(Lists &lists, StepNet &step) {
  caffe2::Argument *found = lists.find("step_net");
  if (!found || !found->has_n())
    return failure(Code::InvalidArgument, ", has no net 'step_net'");
  step.net.Swap(found->mutable_n());
  caffe2::Argument *timestep = lists.find("timestep");
  step.timestep = timestep && timestep->has_s() ? timestep->s() : "timestep";
  return Status();
}

static Status readStates(Lists &lists, const caffe2::Operator &op,
                         StepNet &step) {
  const Texts names = lists.texts("recurrent_states");
  const auto inputs = lists.ints("initial_recurrent_state_ids");
  if (Status status =
          Lists::checkSame("recurrent_states", names.size(),
                           "initial_recurrent_state_ids", inputs.size());
      !status.ok())
    return status;
  for (size_t i = 0; i < names.size(); ++i) {
    if (inputs[i] < 0 || inputs[i] >= op.input_size())
      return failure(Code::InvalidArgument, ", has the state '", names[i],
                     "' of input ", inputs[i], ", but has ", op.input_size(),
                     " inputs");
    step.states.push_back({names[i], op.input(int(inputs[i])), {}, ""});
  }
  return Status();
}

/// The state of that name; null if there is none.
static StepNet::State *stateOf(StepNet &step, const std::string &name) {
  auto found = std::ranges::find(step.states, name, &StepNet::State::name);
  return found == step.states.end() ? nullptr : &*found;
}

/// Each blob of a step is a slice of a sequence, or the value of a state before
/// or after the step.
static Status readLink(StepNet &step, const std::string &blob,
                       const std::string &source, int64_t offset,
                       int64_t window) {
  if (window != 1)
    return failure(Code::Unsupported, ", has a link_window of ", window,
                   " for blob '", blob, "', which is not supported");
  StepNet::State *state = stateOf(step, source);
  if (state && offset == 0)
    state->before.push_back(blob);
  else if (state && offset == 1)
    state->after = blob;
  else if (!state && offset == 0)
    step.slices.push_back({blob, source});
  else
    return failure(Code::Unsupported, ", has a link_offset of ", offset,
                   " for blob '", blob, "', which is not supported");
  return Status();
}

static Status readLinks(Lists &lists, const caffe2::Operator &op,
                        StepNet &step) {
  const Texts blobs = lists.texts("link_internal");
  const Texts sources = lists.texts("link_external");
  const auto offsets = lists.ints("link_offset");
  auto windows = lists.ints("link_window");
  if (windows.empty())
    windows.assign(blobs.size(), 1);
  for (auto [name, size] : {std::pair("link_external", sources.size()),
                            std::pair("link_offset", offsets.size()),
                            std::pair("link_window", windows.size())})
    if (Status status =
            Lists::checkSame("link_internal", blobs.size(), name, size);
        !status.ok())
      return status;
  for (size_t i = 0; i < blobs.size(); ++i)
    if (Status status =
            readLink(step, blobs[i], sources[i], offsets[i], windows[i]);
        !status.ok())
      return status;
  // The first input of the operator has as many slices as there are steps.
  const std::string first = op.input_size() ? op.input(0) : "";
  auto found = std::ranges::find(step.slices, first, &StepNet::Slice::sequence);
  if (found == step.slices.end())
    return failure(Code::Unsupported, ", links no blob to its first input, '",
                   first, "', which is not supported");
  std::swap(*found, step.slices.front());
  for (const StepNet::State &state : step.states)
    if (state.after.empty())
      return failure(Code::InvalidArgument,
                     ", links no blob to the next value "
                     "of the state '",
                     state.name, "'");
  return Status();
}

static Status readOutputs(Lists &lists, const caffe2::Operator &op,
                          StepNet &step) {
  const Texts sources = lists.texts("alias_src");
  const Texts blobs = lists.texts("alias_dst");
  const auto offsets = lists.ints("alias_offset");
  for (auto [name, size] : {std::pair("alias_dst", blobs.size()),
                            std::pair("alias_offset", offsets.size())})
    if (Status status =
            Lists::checkSame("alias_src", sources.size(), name, size);
        !status.ok())
      return status;
  for (size_t i = 0; i < blobs.size(); ++i) {
    StepNet::State *state = stateOf(step, sources[i]);
    if (!state || !llvm::is_contained(op.output(), blobs[i]))
      return failure(Code::InvalidArgument, ", has an alias '", blobs[i],
                     "' of '", sources[i],
                     "', which should be one of its outputs and a state");
    step.outputs.push_back(
        {blobs[i], size_t(state - step.states.data()), offsets[i]});
  }
  return Status();
}

Result<StepNet> glow::stepNetOf(caffe2::Operator &op) {
  StepNet step;
  Lists lists(op);
  Status status = readStepNet(lists, step);
  if (status.ok())
    status = readStates(lists, op, step);
  if (status.ok())
    status = readLinks(lists, op, step);
  if (status.ok())
    status = readOutputs(lists, op, step);
  if (!status.ok())
    return status;
  return step;
}

//===----------------------------------------------------------------------===//
// The graph of a step
//===----------------------------------------------------------------------===//

/// Inputs are the number of the step, the states and the slices; outputs are
/// the next values of the states.
Status GraphMaker::addStep(StepNet &step, const std::string &place,
                           onnx::GraphProto &body) {
  onnx::GraphProto *outer = std::exchange(graph, &body);
  scopes.emplace_back();
  body.set_name(step.net.name());
  auto take = [&](const std::string &blob) {
    std::string name = written(blob);
    body.add_input()->set_name(name);
    scopes.back()[blob] = name;
    return name;
  };
  take(step.timestep);
  for (const StepNet::State &state : step.states) {
    const std::string name =
        take(state.before.empty() ? state.name : state.before.front());
    for (const std::string &blob : state.before)
      scopes.back()[blob] = name;
  }
  for (const StepNet::Slice &slice : step.slices)
    take(slice.blob);
  Status status = addNodes(step.net, " of the net of " + place);
  for (const StepNet::State &state : step.states) {
    if (!status.ok())
      break;
    auto value = scopes.back().find(state.after);
    if (value != scopes.back().end())
      body.add_output()->set_name(value->second);
    else
      status = failure(Code::InvalidArgument, place,
                       ", has a net that makes "
                       "no blob '",
                       state.after, "'");
  }
  scopes.pop_back();
  graph = outer;
  return status;
}

Status GraphMaker::addRecurrence(caffe2::Operator &op,
                                 const std::string &place) {
  Result<StepNet> step = stepNetOf(op);
  if (!step)
    return step.status().prefixed(place);
  onnx::NodeProto &node = newNode(op, place);
  for (const StepNet::Slice &slice : step->slices)
    if (Status status = addInput(slice.sequence, place, node); !status.ok())
      return status;
  for (const StepNet::State &state : step->states)
    if (Status status = addInput(state.first, place, node); !status.ok())
      return status;
  auto add =
      [&](const char *name,
          onnx::AttributeProto::AttributeType type) -> onnx::AttributeProto & {
    onnx::AttributeProto &attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
  };
  add("sequences", onnx::AttributeProto::INT)
      .set_i(int64_t(step->slices.size()));
  onnx::GraphProto &body =
      *add("step_net", onnx::AttributeProto::GRAPH).mutable_g();
  if (Status status = addStep(*step, place, body); !status.ok())
    return status;
  auto &states = add("result_states", onnx::AttributeProto::INTS);
  auto &offsets = add("result_offsets", onnx::AttributeProto::INTS);
  // Other outputs, which only training reads, have no value.
  for (const StepNet::Output &output : step->outputs) {
    std::string value = written(output.blob);
    node.add_output(value);
    scopes.back()[output.blob] = std::move(value);
    states.add_ints(int64_t(output.state));
    offsets.add_ints(output.offset);
  }
  return Status();
}
