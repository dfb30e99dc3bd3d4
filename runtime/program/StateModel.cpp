//===- StateModel.cpp - the states that programs share --------------------===//
// SPDX-License-Identifier: MIT

#include "StateModel.h"
#include "glow/Program/Failure.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>

using namespace glow;

/// A state that does not grow has one size.
static Status checkSizes(const Program &program, const StateInfo &state) {
  const std::vector<Length> &lengths = program.inputs[state.input].lengths;
  if (state.grows() || lengths.empty())
    return Status();
  return failureOf(Code::Unsupported,
                   {"state '", state.pair.input, "' has the sizes ",
                    lengthsText(lengths),
                    ", but does not grow in runs: give one size in place of "
                    "each range"});
}

static Status refuse(const StateInfo &state, const std::string &owner,
                     const std::string &what, const std::string &program) {
  return failureOf(Code::ShapeMismatch,
                   {"state '", state.pair.input, "=", state.pair.output,
                    "' is ", state.type.text(),
                    state.grows() ? " and grows" : "", " in function '", owner,
                    "', but ", what, " in '", program, "'"});
}

/// The name of the program that declared the state first.
const std::string &SessionStates::Model::ownerOf(const StateInfo &state) const {
  return std::ranges::find_if(
             programs,
             [&](const OfProgram &program) {
               return program.declares &&
                      std::ranges::find(program.inputs, state.pair.input,
                                        &Binding::name) != program.inputs.end();
             })
      ->name;
}

Status SessionStates::Model::addState(const Program &program,
                                      const StateInfo &state) {
  if (Status status = checkSizes(program, state); !status.ok())
    return status;
  for (StateInfo &known : states) {
    const bool isInput = known.pair.input == state.pair.input,
               isOutput = known.pair.output == state.pair.output;
    if (!isInput && !isOutput)
      continue;
    if (isInput != isOutput)
      return refuse(known, ownerOf(known),
                    state.pair.input + "=" + state.pair.output, program.entry);
    // A type differs for another capacity as well.
    if (known.type != state.type || known.grows() != state.grows())
      return refuse(known, ownerOf(known), state.type.text(), program.entry);
    known.isUpdated &= state.isUpdated;
    return Status();
  }
  states.push_back(state);
  return Status();
}

template <typename Bindings>
static size_t indexOf(const Bindings &bindings, const std::string &name) {
  auto found = std::ranges::find(bindings, name, &Binding::name);
  return found == bindings.end() ? StatePlace::none
                                 : size_t(found - bindings.begin());
}

Status SessionStates::Model::findPlaces(const Program &program,
                                        OfProgram &found) {
  const std::vector<StateInfo> own = statesOf(program);
  for (const StateInfo &state : states) {
    auto declared = std::ranges::find_if(own, [&](const StateInfo &one) {
      return one.pair.input == state.pair.input &&
             one.pair.output == state.pair.output;
    });
    StatePlace place{indexOf(program.inputs, state.pair.input),
                     indexOf(program.outputs, state.pair.output),
                     declared != own.end() && declared->isUpdated};
    for (auto [index, list] : {std::pair(place.input, &program.inputs),
                               std::pair(place.output, &program.outputs)})
      if (index != StatePlace::none && declared == own.end()) {
        const Binding &port = (*list)[index];
        if (port.type != state.type || state.grows() == port.lengths.empty())
          return refuse(state, ownerOf(state), port.type.text(), program.entry);
        if (state.grows() && list == &program.outputs)
          return refuse(state, ownerOf(state), "written as a whole",
                        program.entry);
      }
    found.places.push_back(place);
  }
  return Status();
}

Status SessionStates::Model::add(std::span<const Program *const> all) {
  for (const Program *program : all) {
    const std::vector<StateInfo> own = statesOf(*program);
    programs.push_back({program->entry,
                        !own.empty(),
                        program->inputs,
                        program->outputs,
                        program->constants,
                        {}});
    for (const StateInfo &state : own)
      if (Status status = addState(*program, state); !status.ok())
        return status;
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (Status status = findPlaces(*all[i], programs[i]); !status.ok())
      return status;
  return Status();
}
