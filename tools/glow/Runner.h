//===- Runner.h - a model, compiled for the shapes it is given --*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_RUNNER_H
#define GLOW_TOOLS_GLOW_RUNNER_H

#include "Shapes.h"
#include "Tool.h"
#include "glow/Pipeline/Session.h"
#include "glow/Runtime/Host.h"
#include <memory>
#include <optional>

namespace glow::tool {

/// Runs one model on one backend. Compiles when the shapes change, or the value
/// of an input that the program was specialised on.
class Runner {
public:
  /// Several runners may share a session.
  Runner(std::shared_ptr<Session> session, CompileRequest request,
         unsigned threads);

  /// Compiles and loads the model for these shapes, unless it is already.
  Status prepare(const std::map<std::string, Ints> &shapes);

  /// Prepares for the shapes and values of `inputs` and runs. `outputs` as
  /// Host::run.
  Status run(std::span<const NamedTensor> inputs,
             std::vector<NamedTensor> &outputs);

  /// Runs on inputs of the shapes it is prepared for, without looking at the
  /// model again.
  Status runPrepared(std::span<const NamedTensor> inputs,
                     std::vector<NamedTensor> &outputs);

  /// The observer is told about the steps of all runs from now on.
  Status collect(std::shared_ptr<StepObserver> observer);

  const std::string &backend() const { return request.backend; }

  // Of the last time that each was done, in milliseconds.
  double compileTime = 0, loadTime = 0, runTime = 0;

private:
  std::shared_ptr<Session> session;
  CompileRequest request;
  std::unique_ptr<Host> host;
  std::optional<NetworkId> network;
  std::vector<Constant> assumed; ///< by the program of `network`
};

/// What the flags ask of the compiler, for an input's shapes of their own.
CompileRequest requestOf(const ModelOptions &options,
                         std::map<std::string, Ints> shapes = {});

/// Reads the model's file. What the compiler prints while it fails goes to
/// stderr.
Result<std::shared_ptr<Session>> openModel(const std::string &path);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_RUNNER_H
