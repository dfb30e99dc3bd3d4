//===- StagedModel.h - a model that the host walks through ------*- C++ -*-===//

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

/// A model of which a run alone knows sizes or structure. The host walks its
/// graph: what can be compiled, given what is known by then, is a stage, which
/// is kept for the next time; between them operators run on the host.
///
/// Its methods are for one thread at a time.
class StagedModel {
public:
  virtual ~StagedModel() = default;

  /// Runs on inputs by name; initializers that it replaces must be the same in
  /// all runs. Fails, naming the node, when one cannot run on
  /// what it is given, or when values and programs together would take more
  /// than the memory limit of the request. `outputs` becomes one value an
  /// output of the model.
  virtual Status run(std::span<const NamedValue> inputs,
                     std::vector<NamedValue> &outputs) = 0;

  /// What a run did, in order; the same once.
  struct Step {
    std::string name;               ///< of the node; of the first in a stage
    std::string op;                 ///< "" for a stage
    std::vector<std::string> nodes; ///< of a stage
    std::string why;                ///< of a node: what keeps it from a program
    unsigned depth = 0;             ///< how many graphs are around it
    bool operator==(const Step &) const = default;
  };
  /// Notes the steps of later runs in `steps`; null for none.
  virtual void observe(std::vector<Step> *steps) = 0;

  /// Tells of the program of every stage that is compiled from now on.
  virtual void
  observePrograms(std::function<void(const Program &program)> told) = 0;

  /// Lets later runs go through the graphs of nodes at most so many times
  /// together, since a Loop may have no end. The run that would exceed it
  /// fails.
  virtual void stopAfter(uint64_t graphs) = 0;
  virtual bool wasStopped() const = 0;

  /// What its values count in.
  virtual const MemoryBudget &memory() const = 0;

  /// How long was spent in compiling and loading by the last run, in ms.
  virtual double compileTime() const = 0;
};

} // namespace glow

#endif // GLOW_SESSION_STAGEDMODEL_H
