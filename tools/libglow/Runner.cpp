//===- Runner.cpp - the runners of glow.h ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// A runner takes any shapes, and compiles or walks through stages as they need
// it; a program takes one. It copies its inputs, since the next run may be with
// a part of them.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "glow/Session/ModelRunner.h"
#include <algorithm>

using namespace glow;
using namespace glow::capi;

namespace {
/// A tensor that a run gave, or that is in a value that it gave.
struct FlatOutput {
  std::string name;
  std::shared_ptr<const Tensor> tensor;
};
} // namespace

struct glow_runner {
  std::shared_ptr<const MemoryFile> file; // of the session
  std::shared_ptr<Session> session;
  ModelRunner model;
  std::vector<NamedValue> inputs = {}, outputs = {};
  std::vector<FlatOutput> tensors = {}; // of the outputs
};

/// The model's session may be in use by another thread.
static Status makeRunner(const glow_model &model, const glow_options &options,
                         glow_runner **runner) {
  Result<std::unique_ptr<Session>> opened = model.session->another();
  if (!opened)
    return opened.status();
  std::shared_ptr<Session> session = opened.take();
  CompileRequest request = options.request;
  request.path = model.name;
  // They come with the inputs.
  request.shapes.clear();
  *runner = new glow_runner{model.file, session,
                            ModelRunner(session, std::move(request),
                                        DeviceOptions{options.run.threads})};
  return Status();
}

glow_status glow_runner_new(const glow_model *model,
                            const glow_options *options, glow_runner **runner) {
  return guarded([&] {
    if (Status status = checkPointers({model, runner}); !status.ok())
      return status;
    return makeRunner(*model, options ? *options : glow_options{bestRequest()},
                      runner);
  });
}
void glow_runner_free(glow_runner *runner) { delete runner; }

/// Whether a value is of the kind that the model declares; `bindShapes` looks
/// at its shape.
static bool fits(const HostValue &value, const Binding &input) {
  switch (kindOf(input)) {
  case GLOW_STRING:
    return value.strings();
  case GLOW_SEQUENCE:
    return value.sequence();
  case GLOW_MAP:
    return value.map();
  case GLOW_OPTIONAL:
    return true;
  default:
    return value.tensor() && value.tensor()->type().kind == input.type.kind;
  }
}

static Status checkInput(const Session &session, const std::string &name,
                         const HostValue &value) {
  const Binding *input = nullptr;
  for (const std::vector<Binding> *list :
       {&session.inputs(), &session.overridable()})
    for (const Binding &known : *list)
      input = known.name == name ? &known : input;
  if (!input)
    return failure(Code::NotFound, "no input is named '", name, "'");
  if (fits(value, *input))
    return Status();
  return failure(Code::ShapeMismatch, "'", name, "' is ", value.text(),
                 ", but the model takes ",
                 input->other.empty() ? input->type.text() : input->other);
}

static void drop(glow_runner &runner, std::string_view name) {
  std::erase_if(runner.inputs,
                [&](const NamedValue &input) { return input.name == name; });
}

/// Replaces the value of an input. The earlier value is dropped also where the
/// new one is refused, so that no run uses it.
static Status setInput(glow_runner &runner, const std::string &name,
                       Result<HostValue> value) {
  drop(runner, name);
  if (!value)
    return value.status();
  Status status = checkInput(*runner.session, name, *value);
  if (status.ok())
    runner.inputs.push_back({name, value.take()});
  return status;
}

static Result<HostValue> valueOf(const glow_tensor &tensor,
                                 const std::string &name) {
  Result<TensorType> type = typeOf(tensor);
  if (!type)
    return type.status();
  if (!type->isStatic())
    return failure(Code::InvalidArgument, "'", name, "' is ", type->text(),
                   ", which has no size in bytes");
  Result<Tensor> copy = copyOf(*type, tensor.data);
  return copy ? Result<HostValue>(copy.take()) : copy.status();
}

glow_status glow_runner_set(glow_runner *runner, const char *name,
                            glow_kind kind, size_t rank, const int64_t *shape,
                            const void *data) {
  return guarded([&] {
    Status status = checkPointers({runner, name});
    return status.ok() ? setInput(*runner, name,
                                  valueOf({kind, rank, shape, data}, name))
                       : status;
  });
}

glow_status glow_runner_set_value(glow_runner *runner, const char *name,
                                  const glow_value *value) {
  return guarded([&] {
    Status status = checkPointers({runner, name});
    if (!status.ok())
      return status;
    if (value)
      return setInput(*runner, name, value->value);
    drop(*runner, name);
    return status;
  });
}

static void flatten(const std::string &name, const HostValue &value,
                    std::vector<FlatOutput> &tensors) {
  if (value.tensor())
    tensors.push_back({name, value.sharedTensor()});
  else if (const HostValue::Sequence *sequence = value.sequence())
    for (size_t i = 0; i < sequence->size(); ++i)
      flatten(name + "[" + std::to_string(i) + "]", (*sequence)[i], tensors);
}

static Status run(glow_runner &runner) {
  // Outputs of an earlier run are no answer to this one.
  runner.outputs.clear();
  runner.tensors.clear();
  if (Status status = runner.model.prepare(runner.inputs); !status.ok())
    return status;
  std::vector<NamedValue> outputs;
  if (Status status = runner.model.runPrepared(runner.inputs, outputs);
      !status.ok())
    return status;
  for (const NamedValue &output : outputs)
    flatten(output.name, output.value, runner.tensors);
  runner.outputs = std::move(outputs);
  return Status();
}

glow_status glow_runner_run(glow_runner *runner) {
  return guarded([&] {
    Status status = checkPointers({runner});
    return status.ok() ? run(*runner) : status;
  });
}

size_t glow_runner_values(const glow_runner *runner) {
  return runner ? runner->outputs.size() : 0;
}

glow_status glow_runner_value(const glow_runner *runner, size_t index,
                              const char **name, glow_value **value) {
  return guarded([&] {
    if (Status status = checkPointers({runner, name, value}); !status.ok())
      return status;
    if (index >= runner->outputs.size())
      return noOutput(runner->outputs.size(), index);
    *value = new glow_value{runner->outputs[index].value};
    *name = runner->outputs[index].name.c_str();
    return Status();
  });
}

size_t glow_runner_outputs(const glow_runner *runner) {
  return runner ? runner->tensors.size() : 0;
}

glow_status glow_runner_output(const glow_runner *runner, size_t index,
                               glow_tensor_info *info, const void **data) {
  return guarded([&] {
    if (Status status = checkPointers({runner}); !status.ok())
      return status;
    if (index >= runner->tensors.size())
      return noOutput(runner->tensors.size(), index);
    const FlatOutput &output = runner->tensors[index];
    return describe(output.name, *output.tensor, info, data);
  });
}
