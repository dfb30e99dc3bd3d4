//===- StagedModel.h - a model in stages ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_SESSION_STAGEDMODEL_H
#define GLOW_SESSION_STAGEDMODEL_H

#include "glow/Program/Program.h"
#include "glow/Values/HostValue.h"
#include "glow/Values/MemoryBudget.h"
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace glow {

/// A model whose sizes or structure are known only during a run. The host walks
/// its graph. Nodes that can be compiled with the values known so far become a
/// stage, which is kept for later runs. Operators between stages run on the
/// host.
///
/// One thread at a time may call its methods.
class StagedModel {
public:
  virtual ~StagedModel() = default;

  /// Runs on inputs by name; the initializers that inputs replace must be the
  /// same in all runs. Fails, naming the node, if a node cannot run on its
  /// inputs. Fails if values and programs together would exceed the memory
  /// limit of the request. `outputs` gets one value for each output of the
  /// model.
  virtual Status run(std::span<const NamedValue> inputs,
                     std::vector<NamedValue> &outputs) = 0;

  /// An action of a run, in order; repeated actions are listed once.
  struct Action {
    std::string name; ///< name of the node, or of the first in a stage
    std::string op;   ///< "" for a stage
    std::vector<std::string> nodes; ///< nodes of a stage
    std::string why;                ///< the reason why a node is not compiled
    unsigned depth = 0;             ///< number of enclosing graphs
    bool operator==(const Action &) const = default;
  };
  /// Records the actions of later runs in `actions`; null stops recording.
  virtual void observe(std::vector<Action> *actions) = 0;

  /// Calls `observer` with the program of every stage that is compiled from now
  /// on.
  virtual void
  observePrograms(std::function<void(const Program &program)> observer) = 0;

  /// Limits how often later runs may execute graphs of nodes in total, since a
  /// Loop may never end. The run that would exceed the limit fails.
  virtual void stopAfter(uint64_t graphs) = 0;
  virtual bool wasStopped() const = 0;

  /// The budget in which its values count.
  virtual const MemoryBudget &memory() const = 0;

  /// Time of compiling and loading in the last run, in ms.
  virtual double compileTime() const = 0;
};

} // namespace glow

#endif // GLOW_SESSION_STAGEDMODEL_H
