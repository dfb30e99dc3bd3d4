//===- Checkpoint.cpp - states of a training as a file --------------------===//
// SPDX-License-Identifier: MIT

#include "Checkpoint.h"
#include <map>

using namespace glow;

Checkpoint::Checkpoint(const SessionStates &states,
                       const std::string &identity) {
  std::map<std::string, const StateInfo *> byName;
  for (const StateInfo &state : states.all())
    byName[state.pair.input] = &state;
  program.states.emplace();
  for (const auto &[name, state] : byName) {
    Binding &input = program.inputs.emplace_back();
    input.name = name, input.type = state->type;
    Binding &output = program.outputs.emplace_back();
    output.name = state->pair.output, output.type = state->type;
    program.states->push_back(state->pair);
  }
  auto text = std::make_shared<const std::string>(identity);
  program.constants.push_back(
      {"", {ElementKind::U8, {int64_t(text->size())}}, text->data(), text});
}

Status Checkpoint::save(const SessionStates &states,
                        const std::string &path) const {
  auto copy = SessionStates::create(program);
  if (!copy)
    return copy.status();
  for (size_t i = 0; i < states.all().size(); ++i) {
    Result<size_t> place = (*copy)->find(states.all()[i].pair.input);
    Status status =
        place ? (*copy)->set(*place, states.value(i)) : place.status();
    if (!status.ok())
      return status;
  }
  return (*copy)->save(path);
}

Status Checkpoint::restore(SessionStates &states,
                           const std::string &path) const {
  auto copy = SessionStates::create(program);
  if (!copy)
    return copy.status();
  if (Status status = (*copy)->restore(path); !status.ok())
    return status;
  for (size_t i = 0; i < states.all().size(); ++i) {
    Result<size_t> place = (*copy)->find(states.all()[i].pair.input);
    Status status =
        place ? states.set(i, (*copy)->value(*place)) : place.status();
    if (!status.ok())
      return status;
  }
  return Status();
}
