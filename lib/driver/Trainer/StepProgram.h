//===- StepProgram.h - a step, or its evaluation, on a host -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_STEPPROGRAM_H
#define GLOW_DRIVER_TRAINER_STEPPROGRAM_H

#include "glow/Runtime/Host.h"
#include <map>

namespace glow {

/// A loaded program with memory for its inputs and outputs. The states of a
/// session are in memory of the session.
class StepProgram {
public:
  /// Fails as Host::load and Tensor::zeros do. `states` decides which inputs
  /// and outputs have no memory here.
  static Result<StepProgram> load(Host &host, Program program,
                                  const SessionStates &states);

  /// The inputs that are no states, by name.
  std::map<std::string, Tensor> inputs;

  /// An output of one number.
  double number(const std::string &name) const;
  bool hasOutput(const std::string &name) const;

  /// Runs a step. The states are as before until SessionStates::advance.
  Status run(Host &host, SessionStates &states);

  /// Runs on the current values of the states, and changes none.
  Status evaluate(Host &host, const SessionStates &states);

  const Program &program() const { return theProgram; }

private:
  Tensors tensors();

  Program theProgram;
  ModelId id{};
  std::map<std::string, Tensor> outputs;
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_STEPPROGRAM_H
