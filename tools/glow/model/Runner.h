//===- Runner.h - a model compiled for requested shapes ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_MODEL_RUNNER_H
#define GLOW_TOOLS_GLOW_MODEL_RUNNER_H

#include "Shapes.h"
#include "cli/Tool.h"
#include "glow/Session/ModelRunner.h"
#include <memory>

namespace glow::tool {

/// Runs one model on one backend: a ModelRunner that takes the times, and looks
/// at shapes and names as users know them.
class Runner {
public:
  /// Several runners may share a session.
  Runner(std::shared_ptr<Session> session, CompileRequest request,
         unsigned threads);

  /// Prepares for the shapes and values of `inputs` and runs. `outputs` as
  /// ModelRunner::runPrepared.
  Status run(std::span<const NamedTensor> inputs,
             std::vector<NamedTensor> &outputs);

  /// The same for inputs and outputs of any kind.
  Status run(std::span<const NamedValue> inputs,
             std::vector<NamedValue> &outputs);

  /// Runs on inputs of the shapes it is prepared for, without looking at the
  /// model again.
  Status runPrepared(std::span<const NamedTensor> inputs,
                     std::vector<NamedTensor> &outputs);

  /// Runs go to devices that the user names, before the first one.
  Status addDevices(const ModelOptions &options) {
    return tool::addDevices(model.host(), options);
  }

  /// The observer receives the steps of all runs from now on.
  void collect(std::shared_ptr<StepObserver> observer);

  const std::string &backend() const { return theBackend; }

  /// The request of the program that was compiled last.
  const CompileRequest &request() const { return model.lastRequest(); }

  /// As ModelRunner::specialized.
  unsigned specialized() const { return model.specialized(); }

  // The times of the last compile, load and run, in milliseconds.
  double compileTime = 0, loadTime = 0, runTime = 0;

  /// The work before the first run: "compiled in 12 ms, loaded in 1 ms", or
  /// "found in the cache in ...", or "loaded in ..." for a compiled file. As
  /// members of an object: compile_ms or cache_ms, and load_ms.
  std::string preparation() const;
  void addPreparation(Json &json) const;

private:
  template <typename Value>
  Result<std::map<std::string, Ints>> shapesOf(std::span<const Value> inputs);
  template <typename Run> Status timed(Run run);

  std::shared_ptr<Session> session;
  std::string theBackend;
  ModelRunner model;
};

/// The compile request of the flags, with shapes for the inputs.
CompileRequest requestOf(const ModelOptions &options,
                         std::map<std::string, Ints> shapes = {});

/// Reads the model's file. If it fails, the compiler's messages go to stderr.
/// The second one chooses the function of the options.
Result<std::shared_ptr<Session>> openModel(SessionFactory &sessions,
                                           const std::string &path);
Result<std::shared_ptr<Session>> openModel(const ModelOptions &options);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_MODEL_RUNNER_H
