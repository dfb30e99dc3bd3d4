//===- StagedModel.h - a model that the host walks through ------*- C++ -*-===//

#ifndef GLOW_STAGES_STAGEDMODEL_H
#define GLOW_STAGES_STAGEDMODEL_H

#include "glow/Values/HostValue.h"
#include "glow/Pipeline/Session.h"
#include "glow/Runtime/Host.h"

namespace glow {

/// A model of which a run alone knows sizes or structure. The host walks its
/// graph: what can be compiled, given what is known by then, is a stage, which
/// is kept for the next time; between them operators run on the host.
///
/// Its methods are for one thread at a time.
class StagedModel {
public:
  /// Reads the model of `request`, whose shapes and values are not looked at.
  /// Fails, naming all of them, when it has nodes that nothing runs. `host`
  /// must outlive it.
  static Result<std::unique_ptr<StagedModel>>
  open(const CompileRequest &request, Host &host);

  ~StagedModel();

  /// Runs on inputs by name. Fails, naming the node, when one cannot run on
  /// what it is given, or when values and programs together would take more
  /// than the memory limit of the request. `outputs` becomes one value an
  /// output of the model.
  Status run(std::span<const NamedValue> inputs,
             std::vector<NamedValue> &outputs);

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
  void observe(std::vector<Step> *steps);

  /// Lets later runs go through the graphs of nodes at most so many times
  /// together, since a Loop may have no end. The run that would exceed it
  /// fails.
  void stopAfter(uint64_t graphs);
  bool wasStopped() const;

  /// What its values count in.
  const MemoryBudget &memory() const;

  /// How long was spent in compiling and loading by the last run, in ms.
  double compileTime() const;

private:
  struct State;
  explicit StagedModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace glow

#endif // GLOW_STAGES_STAGEDMODEL_H
