//===- StateModel.h - the model of sessions ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_PROGRAM_STATEMODEL_H
#define GLOW_RUNTIME_PROGRAM_STATEMODEL_H

#include "glow/Base/Hash.h"
#include "glow/Runtime/SessionStates.h"
#include <mutex>
#include <string>

namespace glow {

/// The facts of programs that their sessions need. Forks share it; any thread
/// may use it.
struct SessionStates::Model {
  struct OfProgram {
    std::string name; ///< Program::entry
    bool declares;    ///< whether the program declares states
    std::vector<Binding> inputs, outputs;
    std::vector<Constant> constants;
    std::vector<StatePlace> places; ///< in the order of `states`
  };

  /// Collects the states of all programs. Fails as SessionStates::create does.
  Status add(std::span<const Program *const> all);

  /// Sets `text` to the states, and a hash of inputs, outputs and weights. It
  /// reads all weights once. Fails if a file of weights was truncated.
  Status identify(std::string &text);

  // Constant after `add`.
  std::vector<StateInfo> states;
  std::vector<OfProgram> programs;

private:
  Status addState(const Program &program, const StateInfo &state);
  Status findPlaces(const Program &program, OfProgram &found);
  const std::string &ownerOf(const StateInfo &state) const;

  std::mutex mutex; ///< of `known`
  std::string known;
};

} // namespace glow

#endif // GLOW_RUNTIME_PROGRAM_STATEMODEL_H
