//===- Runner.cpp - the runners of glow.h ---------------------------------===//
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

struct glow_runner {
  std::shared_ptr<const MemoryFile> file; // of the session
  std::shared_ptr<Session> session;
  ModelRunner model;
  std::vector<NamedValue> inputs;
  std::vector<NamedTensor> outputs;
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
  *runner = new glow_runner{model.file,
                            session,
                            ModelRunner(session, std::move(request),
                                        DeviceOptions{options.run.threads}),
                            {},
                            {}};
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

/// What `bindShapes` does not see: the name and the kind.
static Status checkInput(const std::vector<Binding> &known,
                         const std::string &name, const TensorType &type) {
  auto input = std::ranges::find(known, name, &Binding::name);
  if (input == known.end())
    return failure(Code::NotFound, "no input is named '", name, "'");
  if (!type.isStatic())
    return failure(Code::InvalidArgument, "'", name, "' is ", type.text(),
                   ", which has no size in bytes");
  if (input->other.empty() && input->type.kind != type.kind)
    return failure(Code::ShapeMismatch, "'", name, "' is ", type.text(),
                   ", but the model takes ", input->type.text());
  return Status();
}

static Status setInput(glow_runner &runner, const std::string &name,
                       const glow_tensor &tensor) {
  Result<TensorType> type = typeOf(tensor);
  if (!type)
    return type.status();
  Status status = checkInput(runner.session->inputs(), name, *type);
  if (!status.ok())
    return status;
  Result<Tensor> copy = copyOf(*type, tensor.data);
  if (!copy)
    return copy.status();
  // Set again, an input is replaced.
  std::erase_if(runner.inputs,
                [&](const NamedValue &value) { return value.name == name; });
  runner.inputs.push_back({name, copy.take()});
  return Status();
}

glow_status glow_runner_set(glow_runner *runner, const char *name,
                            glow_kind kind, size_t rank, const int64_t *shape,
                            const void *data) {
  return guarded([&] {
    Status status = checkPointers({runner, name});
    return status.ok() ? setInput(*runner, name, {kind, rank, shape, data})
                       : status;
  });
}

static Status run(glow_runner &runner) {
  if (Status status = runner.model.prepare(runner.inputs); !status.ok())
    return status;
  std::vector<NamedValue> outputs;
  if (Status status = runner.model.runPrepared(runner.inputs, outputs);
      !status.ok())
    return status;
  Result<std::vector<NamedTensor>> tensors = tensorsOf(outputs);
  if (tensors)
    runner.outputs = tensors.take();
  return tensors.status();
}

glow_status glow_runner_run(glow_runner *runner) {
  return guarded([&] {
    Status status = checkPointers({runner});
    return status.ok() ? run(*runner) : status;
  });
}

size_t glow_runner_outputs(const glow_runner *runner) {
  return runner ? runner->outputs.size() : 0;
}

glow_status glow_runner_output(const glow_runner *runner, size_t index,
                               glow_tensor_info *info, const void **data) {
  return guarded([&] {
    Status status = checkPointers({runner});
    return status.ok() ? outputAt(runner->outputs, index, info, data) : status;
  });
}
