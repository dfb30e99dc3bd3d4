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
  /// Fails as Host::load and Tensor::zeros do. The program is the `place`th of
  /// those of `states`, which decide which inputs and outputs have no memory
  /// here.
  static Result<StepProgram> load(Host &host, Program program,
                                  const SessionStates &states, size_t place);

  /// The inputs that are no states, by name.
  std::map<std::string, Tensor> inputs;

  /// An output of one number.
  double number(const std::string &name) const;
  bool hasOutput(const std::string &name) const;

  /// The outputs that are no states, by name.
  std::map<std::string, Tensor> outputs;

  /// Runs on the current values of the states, which are as before until
  /// SessionStates::advance. `outputDone` is that of Tensors.
  Status run(Host &host, SessionStates &states,
             const std::function<void(size_t)> *outputDone = nullptr);

  const Program &program() const { return theProgram; }

private:
  Tensors tensors();

  Program theProgram;
  size_t place = 0; ///< among the programs of the states
  ModelId id{};
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_STEPPROGRAM_H
