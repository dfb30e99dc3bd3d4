//===- SharedValues.h - values of a step that processes share ---*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_SHAREDVALUES_H
#define GLOW_DRIVER_TRAINER_SHAREDVALUES_H

#include "Group.h"
#include "StepProgram.h"

namespace glow {

/// The gradients of a step and its running statistics, whose means over the
/// processes of a group update the weights. A mean begins when the backward
/// pass is done with the gradient, while the pass goes on.
class SharedValues {
public:
  /// The gradients are the outputs of `backward` that `update` has as inputs,
  /// and the statistics are states. All processes call it, and agree on the
  /// order in which the gradients are added up.
  static Result<std::unique_ptr<SharedValues>>
  create(Group &group, StepProgram &backward, StepProgram &update,
         const SessionStates &states,
         const std::vector<std::string> &statistics);

  SharedValues(const SharedValues &) = delete;

  /// Computes the gradients of `backward`, unless this process has no rows, and
  /// the means over all processes. `weight` is the part of the rows that this
  /// process has. Also where the run of this process fails, all processes add
  /// up the same tensors.
  Status run(Host &host, SessionStates &states, double weight);

  /// Gives the means to `update` and to the states.
  Status take(SessionStates &states);

private:
  SharedValues(Group &group, StepProgram &backward, StepProgram &update)
      : group(group), backward(backward), update(update) {}
  Status order();
  void gradientDone(size_t output);
  void beginUntil(size_t end);

  Group &group;
  StepProgram &backward, &update;
  struct Gradient {
    std::string name;
    size_t output; ///< of `backward`
    bool isDone = false;
  };
  std::vector<Gradient> gradients;              ///< in the order of their sums
  std::vector<std::pair<size_t, Tensor>> moved; ///< statistics, by states

  // The current step:
  double weight = 0;
  size_t begun = 0; ///< gradients whose sums have begun
  Status status;    ///< of the sums
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_SHAREDVALUES_H
