//===- StateModel.h - the model of sessions ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_PROGRAM_STATEMODEL_H
#define GLOW_RUNTIME_PROGRAM_STATEMODEL_H

#include "glow/Base/Hash.h"
#include "glow/Runtime/SessionStates.h"
#include <mutex>
#include <string>

namespace glow {

/// The facts of a program that its sessions need. Forks share it; any thread
/// may use it.
struct SessionStates::Model {
  explicit Model(const Program &program)
      : states(statesOf(program)), inputs(program.inputs),
        outputs(program.outputs), constants(program.constants) {}

  /// Sets `text` to the states, and a hash of inputs, outputs and weights. It
  /// reads all weights once. Fails if a file of weights was truncated.
  Status identify(std::string &text);

  const std::vector<StateInfo> states;
  const std::vector<Binding> inputs, outputs;
  const std::vector<Constant> constants;

private:
  std::mutex mutex; ///< of `known`
  std::string known;
};

} // namespace glow

#endif // GLOW_RUNTIME_PROGRAM_STATEMODEL_H
