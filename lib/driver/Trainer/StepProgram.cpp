//===- StepProgram.cpp - a step, or its evaluation, on a host -------------===//
// SPDX-License-Identifier: MIT

#include "StepProgram.h"
#include "glow/Base/VisitKind.h"
#include <algorithm>

using namespace glow;

Result<StepProgram> StepProgram::load(Host &host, Program program,
                                      const SessionStates &states,
                                      size_t place) {
  StepProgram step;
  step.theProgram = std::move(program);
  step.place = place;
  const auto places = states.places(place);
  auto allocate = [&](const std::vector<Binding> &bindings,
                      size_t StatePlace::*ofState,
                      std::map<std::string, Tensor> &tensors) {
    for (size_t i = 0; i < bindings.size(); ++i) {
      if (std::ranges::find(places, i, ofState) != places.end())
        continue;
      Result<Tensor> tensor = Tensor::zeros(bindings[i].type);
      if (!tensor)
        return tensor.status().prefixed("'" + bindings[i].name + "': ");
      tensors.emplace(bindings[i].name, tensor.take());
    }
    return Status();
  };
  if (Status status =
          allocate(step.theProgram.inputs, &StatePlace::input, step.inputs);
      !status.ok())
    return status;
  if (Status status =
          allocate(step.theProgram.outputs, &StatePlace::output, step.outputs);
      !status.ok())
    return status;
  Result<ModelId> loaded = host.load(step.theProgram);
  if (!loaded)
    return loaded.status();
  step.id = *loaded;
  return step;
}

double StepProgram::number(const std::string &name) const {
  const Tensor &tensor = outputs.at(name);
  double value = 0;
  visitKind(tensor.type().kind, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<T>)
      value = double(tensor.elements<T>()[0]);
  });
  return value;
}

bool StepProgram::hasOutput(const std::string &name) const {
  return outputs.contains(name);
}

/// Views of all inputs and outputs. The views of states are null.
Tensors StepProgram::tensors() {
  Tensors all;
  auto add = [](const std::vector<Binding> &bindings,
                std::map<std::string, Tensor> &own,
                std::vector<TensorView> &views) {
    for (const Binding &binding : bindings) {
      auto found = own.find(binding.name);
      views.push_back(found == own.end() ? TensorView{nullptr, &binding.type}
                                         : found->second.view());
    }
  };
  add(theProgram.inputs, inputs, all.inputs);
  add(theProgram.outputs, outputs, all.outputs);
  return all;
}

Status StepProgram::run(Host &host, SessionStates &states,
                        const std::function<void(size_t)> *outputDone) {
  Tensors all = tensors();
  all.outputDone = outputDone;
  if (Status status = states.bind(all, place); !status.ok())
    return status;
  return host.run(id, all);
}
