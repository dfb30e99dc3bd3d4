//===- CallSizes.cpp - sizes of the runs of a call ------------------------===//
// SPDX-License-Identifier: MIT

#include "Call.h"
#include "glow/Program/SizeValues.h"
#include "glow/Program/Steps.h"
#include <algorithm>

using namespace glow;
using namespace glow::capi;

Status capi::checkSizes(const glow_call &call) {
  if (!hasLengths(call.program->program.inputs) || !call.types.inputs.empty())
    return Status();
  return Status(Code::InvalidArgument,
                "the program has ranges of sizes, so that glow_call_set_shapes "
                "sets those of a run first");
}

/// Gives views their types, and unbinds those that change.
static void setTypes(std::vector<TensorType> types,
                     std::vector<TensorType> &kept,
                     std::vector<TensorView> &views) {
  for (size_t i = 0; i < views.size(); ++i)
    if (*views[i].type != types[i])
      views[i].data = nullptr;
  kept = std::move(types);
  for (size_t i = 0; i < views.size(); ++i)
    views[i].type = &kept[i];
}

/// Sets the types of the next runs from those of the inputs.
static Status setInputTypes(glow_call &call, std::vector<TensorType> inputs) {
  if (inputs == call.types.inputs)
    return Status();
  const Program &program = call.program->program;
  Result<std::vector<TensorType>> outputs =
      outputTypes(program, typedViews(inputs));
  if (!outputs)
    return outputs.status();
  setTypes(std::move(inputs), call.types.inputs, call.tensors.inputs);
  setTypes(outputs.take(), call.types.outputs, call.tensors.outputs);
  call.overlaps.reset();
  return Status();
}

/// Gives inputs that are states of a session the lengths of the states.
static void takeLengths(const glow_call &call, std::vector<TensorType> &types) {
  if (!call.states)
    return;
  const auto places = call.states->places(call.number);
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i].input != StatePlace::none)
      types[places[i].input] = call.states->all()[i].type;
}

static bool isState(const glow_call &call, size_t input) {
  if (!call.states)
    return false;
  const auto places = call.states->places(call.number);
  return std::ranges::find(places, input, &StatePlace::input) != places.end();
}

static Status setShapes(glow_call &call, const int64_t *const *shapes) {
  const Program &program = call.program->program;
  if (!hasLengths(program.inputs))
    return Status(Code::InvalidArgument,
                  "the program has fixed sizes, which no call sets");
  if (Status idle = checkIdle(call); !idle.ok())
    return idle;
  std::vector<TensorType> inputs;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const Binding &input = program.inputs[i];
    inputs.push_back(input.type);
    if (input.lengths.empty() || isState(call, i))
      continue;
    if (!shapes[i])
      return failure(Code::InvalidArgument, "the shape of input '", input.name,
                     "' is null, but it has sizes with ranges");
    inputs.back().shape.assign(shapes[i], shapes[i] + input.type.shape.size());
  }
  takeLengths(call, inputs);
  return setInputTypes(call, std::move(inputs));
}

Status capi::takeLengths(glow_call &call) {
  if (!call.states || !call.states->grow())
    return Status();
  const Program &program = call.program->program;
  std::vector<TensorType> inputs = call.types.inputs;
  if (inputs.empty())
    for (size_t i = 0; i < program.inputs.size(); ++i) {
      if (!program.inputs[i].lengths.empty() && !isState(call, i))
        return Status(); // reported by checkSizes
      inputs.push_back(program.inputs[i].type);
    }
  takeLengths(call, inputs);
  return setInputTypes(call, std::move(inputs));
}

glow_status glow_call_set_shapes(glow_call *call,
                                 const int64_t *const *shapes) {
  return guarded([&] {
    Status status = checkPointers({call, shapes});
    return status.ok() ? setShapes(*call, shapes) : status;
  });
}

/// Describes an output of a call with a shape of its own.
static Status describe(const glow_call &call, size_t index,
                       glow_tensor_info *info, const Ints *shape) {
  Status status = checkSizes(call);
  if (status.ok())
    status = call.program->outputs.at(index, info);
  if (!status.ok())
    return status;
  const TensorType &type = *call.tensors.outputs[index].type;
  if (!shape)
    shape = &type.shape;
  info->shape = shape->data();
  info->bytes = size_t(TensorType{type.kind, *shape}.bytes());
  return Status();
}

glow_status glow_call_output(const glow_call *call, size_t index,
                             glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({call});
    return status.ok() ? describe(*call, index, info, nullptr) : status;
  });
}

int glow_program_computes_sizes(const glow_program *program) {
  auto *code = program
                   ? dynamic_cast<const StepCode *>(program->program.code.get())
                   : nullptr;
  return code && computesLengths(*code);
}

glow_status glow_call_written(const glow_call *call, size_t index,
                              glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({call});
    if (status.ok())
      status = checkIdle(*call);
    if (!status.ok())
      return status;
    const bool isComputed = index < call->shapes.size();
    return describe(*call, index, info,
                    isComputed ? &call->shapes[index] : nullptr);
  });
}
