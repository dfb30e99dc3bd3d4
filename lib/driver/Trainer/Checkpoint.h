//===- Checkpoint.h - states of a training as a file ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_CHECKPOINT_H
#define GLOW_DRIVER_TRAINER_CHECKPOINT_H

#include "glow/Program/Program.h"
#include "glow/Runtime/SessionStates.h"

namespace glow {

/// The file of the states of a training. The rows of a process, and so its
/// programs, differ with the number of processes: the file belongs to the names
/// and types of the states, and to a text.
class Checkpoint {
public:
  /// `identity` stands for the model and the options of its training.
  Checkpoint(const SessionStates &states, const std::string &identity);

  /// As SessionStates::save and SessionStates::restore.
  Status save(const SessionStates &states, const std::string &path) const;
  Status restore(SessionStates &states, const std::string &path) const;

private:
  /// A program without code that has the states, by name, and the identity as
  /// a constant.
  Program program;
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_CHECKPOINT_H
