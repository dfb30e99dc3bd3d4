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
  std::unique_ptr<SessionRun> run(new SessionRun(options, model.inputs()));
  Status status = run->compile(options, model);
  if (status.ok())
    status = run->prepare(options.model);
  if (!status.ok())
    return status;
  return run;
}

/// Compiles a function, and sets `sized` to its programs of one size.
static Result<Program> compileWith(const ModelOptions &options, Session &model,
                                   std::unique_ptr<SizedPrograms> &sized) {
  Result<CompileRequest> request = completeRequest(options, model.inputs());
  if (!request)
    return request.status();
  if (!request->sizes.empty())
    request->states.appends = true;
  Result<Program> program = model.compile(*request);
  if (program)
    sized = SizedPrograms::create(model, *request, *program);
  return program;
}

Status SessionRun::compile(const RunOptions &options, Session &model) {
  Activity compiling("compiling");
  const std::vector<std::string> &functions = model.functions();
  for (size_t i = 0; i == 0 || i < functions.size(); ++i) {
    const bool isChosen =
        functions.size() < 2 || functions[i] == model.function();
    std::unique_ptr<Session> other;
    if (!isChosen && !model.function().empty()) {
      Result<std::unique_ptr<Session>> opened = model.another();
      if (!opened)
        return opened.status();
      other = opened.take();
      if (Status status = other->choose(functions[i]); !status.ok())
        return status;
    }
    std::unique_ptr<SizedPrograms> beside;
    Result<Program> program =
        compileWith(options.model, other ? *other : model, beside);
    if (!program)
      return program.status();
    if (isChosen)
      number = programs.size(), sized = std::move(beside);
    programs.push_back(program.take());
  }
  return Status();
}

Status SessionRun::prepare(const ModelOptions &options) {
  std::vector<const Program *> all;
  for (const Program &program : programs)
    all.push_back(&program);
  Result<std::unique_ptr<SessionStates>> made = SessionStates::create(all);
  if (!made)
    return made.status().prefixed(options.model + ": ");
  states = made.take();
  std::error_code error;
  if ((isRestored = std::filesystem::exists(file, error)))
    if (Status status = states->restore(file); !status.ok())
      return status.prefixed("--session: ");
  if (Status status = tool::addDevices(host, options); !status.ok())
    return status;
  Result<ModelId> loaded = host.load(programs[number]);
  if (loaded)
    id = *loaded;
  return loaded.status();
}

std::vector<Binding> SessionRun::inputs() const {
  std::vector<Binding> others;
  const auto places = states->places(number);
  const std::vector<Binding> &all = programs[number].inputs;
  for (size_t i = 0; i < all.size(); ++i) {
    auto open = std::ranges::find(model, all[i].name, &Binding::name);
    if (std::ranges::find(places, i, &StatePlace::input) == places.end())
      others.push_back(open == model.end() ? all[i] : *open);
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
  const Program &program = programs[number];
  const auto places = states->places(number);
  for (const Binding &input : program.inputs) {
    auto given = std::ranges::find(inputs, input.name, &NamedValue::name);
    tensors.inputs.push_back(given == inputs.end()
                                 ? TensorView{nullptr, &input.type}
                                 : given->value.tensor()->view());
  }
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i].input != StatePlace::none)
      tensors.inputs[places[i].input].type = &states->all()[i].type;
  Result<std::vector<TensorType>> found = outputTypes(program, tensors.inputs);
  if (!found)
    return found.status();
  const std::vector<TensorType> types = found.take();
  std::vector<std::pair<std::string, Tensor>> results;
  results.reserve(program.outputs.size());
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    const Binding &output = program.outputs[i];
    tensors.outputs.push_back({nullptr, &types[i]});
    if (std::ranges::find(places, i, &StatePlace::output) != places.end())
      continue;
    Result<Tensor> result = Tensor::zeros(types[i]);
    if (!result)
      return result.status().prefixed("output '" + output.name + "': ");
    results.emplace_back(output.name, result.take());
    tensors.outputs.back() = results.back().second.view();
  }
  Status status = states->bind(tensors, number);
  if (!status.ok())
    return status;
  Stopwatch watch;
  status =
      host.run(sized ? sized->choose(tensors.inputs, host, id) : id, tensors);
  runTime = watch.milliseconds();
  if (!status.ok())
    return status;
  states->advance(number);
  outputs.clear();
  for (auto &[name, tensor] : results)
    outputs.push_back({name, std::move(tensor)});
  return Status();
}

std::string SessionRun::beginning() const {
  return isRestored ? "session restored from '" + file + "'"
                    : "session began with zeros";
}
