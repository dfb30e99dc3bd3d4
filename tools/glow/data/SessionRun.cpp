//===- SessionRun.cpp - runs on states in a file --------------------------===//
// SPDX-License-Identifier: MIT

#include "SessionRun.h"
#include "glow/Program/SizeValues.h"
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
  if (!request->sizes.empty())
    request->states.appends = true;
  Activity compiling("compiling");
  Result<Program> program = model.compile(*request);
  if (!program)
    return program.status();
  std::unique_ptr<SessionRun> run(
      new SessionRun(options, model.inputs(), program.take()));
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
    id = *loaded;
  return loaded.status();
}

/// Whether one of the states has an input or output.
static bool isState(const SessionStates &states, size_t StateInfo::*member,
                    size_t index) {
  return std::ranges::find(states.all(), index, member) != states.all().end();
}

std::vector<Binding> SessionRun::inputs() const {
  std::vector<Binding> others;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    auto open =
        std::ranges::find(model, program.inputs[i].name, &Binding::name);
    if (!isState(*states, &StateInfo::input, i))
      others.push_back(open == model.end() ? program.inputs[i] : *open);
  }
  return others;
}

InputOptions SessionRun::optionsFor(InputOptions given) const {
  const std::vector<Binding> others = inputs();
  auto isOfState = [&](const std::string &flag) {
    const std::string name = flag.substr(0, flag.find('='));
    return flag != name &&
           std::ranges::none_of(others, [&](const Binding &input) {
             bool isNamed = input.name == name;
             for (size_t d = 0; d < input.type.shape.size(); ++d)
               isNamed |= sizeName(input, d) == name;
             return isNamed;
           });
  };
  std::erase_if(given.shapes, isOfState);
  return given;
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
  for (const StateInfo &state : states->all())
    tensors.inputs[state.input].type = &state.type;
  Result<std::vector<TensorType>> found = outputTypes(program, tensors.inputs);
  if (!found)
    return found.status();
  const std::vector<TensorType> types = found.take();
  std::vector<std::pair<std::string, Tensor>> results;
  results.reserve(program.outputs.size());
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    const Binding &output = program.outputs[i];
    tensors.outputs.push_back({nullptr, &types[i]});
    if (isState(*states, &StateInfo::output, i))
      continue;
    Result<Tensor> result = Tensor::zeros(types[i]);
    if (!result)
      return result.status().prefixed("output '" + output.name + "': ");
    results.emplace_back(output.name, result.take());
    tensors.outputs.back() = results.back().second.view();
  }
  Status status = states->bind(tensors);
  if (!status.ok())
    return status;
  Stopwatch watch;
  status = host.run(id, tensors);
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
