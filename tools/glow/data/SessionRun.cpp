//===- SessionRun.cpp - runs on states in a file --------------------------===//
// SPDX-License-Identifier: MIT

#include "SessionRun.h"
#include <algorithm>
#include <filesystem>

using namespace glow;
using namespace glow::tool;

Result<std::unique_ptr<SessionRun>> SessionRun::open(const RunOptions &options,
                                                     Session &model) {
  Result<CompileRequest> request =
      completeRequest(options.model, model.inputs());
  if (!request)
    return request.status();
  Activity compiling("compiling");
  Result<Program> program = model.compile(*request);
  if (!program)
    return program.status();
  std::unique_ptr<SessionRun> run(new SessionRun(options, program.take()));
  Status status = run->prepare(options.model);
  if (!status.ok())
    return status;
  return run;
}

Status SessionRun::prepare(const ModelOptions &options) {
  Result<std::unique_ptr<SessionStates>> made = SessionStates::create(program);
  if (!made)
    return made.status().prefixed(options.model + ": ");
  states = made.take();
  std::error_code error;
  if ((isRestored = std::filesystem::exists(file, error)))
    if (Status status = states->restore(file); !status.ok())
      return status.prefixed("--session: ");
  if (Status status = tool::addDevices(host, options); !status.ok())
    return status;
  Result<ModelId> loaded = host.load(program);
  if (loaded)
    model = *loaded;
  return loaded.status();
}

/// Whether one of the states has an input or output.
static bool isState(const SessionStates &states, size_t StateInfo::*member,
                    size_t index) {
  return std::ranges::find(states.all(), index, member) != states.all().end();
}

std::vector<Binding> SessionRun::inputs() const {
  std::vector<Binding> others;
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (!isState(*states, &StateInfo::input, i))
      others.push_back(program.inputs[i]);
  return others;
}

Status SessionRun::run(std::span<const NamedValue> inputs,
                       std::vector<NamedValue> &outputs) {
  Tensors tensors;
  for (const Binding &input : program.inputs) {
    auto given = std::ranges::find(inputs, input.name, &NamedValue::name);
    tensors.inputs.push_back(given == inputs.end()
                                 ? TensorView{nullptr, &input.type}
                                 : given->value.tensor()->view());
  }
  std::vector<std::pair<std::string, Tensor>> results;
  results.reserve(program.outputs.size());
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    const Binding &output = program.outputs[i];
    tensors.outputs.push_back({nullptr, &output.type});
    if (isState(*states, &StateInfo::output, i))
      continue;
    Result<Tensor> result = Tensor::zeros(output.type);
    if (!result)
      return result.status().prefixed("output '" + output.name + "': ");
    results.emplace_back(output.name, result.take());
    tensors.outputs.back() = results.back().second.view();
  }
  if (Status status = states->bind(tensors); !status.ok())
    return status;
  Stopwatch watch;
  Status status = host.run(model, tensors);
  runTime = watch.milliseconds();
  if (!status.ok())
    return status;
  states->advance();
  outputs.clear();
  for (auto &[name, tensor] : results)
    outputs.push_back({name, std::move(tensor)});
  return Status();
}

std::string SessionRun::beginning() const {
  return isRestored ? "session restored from '" + file + "'"
                    : "session began with zeros";
}
