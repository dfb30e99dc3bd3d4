//===- Engine.h - a model that runs in Glow ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_ENGINE_H
#define GLOW_TOOLS_ONNXRUNTIME_ENGINE_H

#include "Host.h"
#include "Settings.h"
#include <functional>
#include <list>
#include <memory>
#include <mutex>

namespace glow::ort {

/// Gives the memory of output `index` for a run.
using Place =
    std::function<void *(size_t index, const std::vector<int64_t> &shape)>;

/// A model that runs on inputs of any sizes that it takes, from any threads.
///
/// It keeps the programs of the shapes that were used last, and runs them on
/// the memory of the host. A model whose sizes only a run knows has a runner,
/// which copies inputs and outputs, and runs for one thread at a time.
class Engine {
public:
  /// Compiles the model. A model of open sizes is compiled for the first of a
  /// few sizes that it takes. Fails with api::Error.
  Engine(std::string_view bytes, const std::string &name, Settings settings);

  /// Whether programs run the model, and no runner.
  bool hasPrograms() const { return !runner; }

  const std::vector<api::TensorInfo> &inputs() const { return theInputs; }
  const std::vector<api::TensorInfo> &outputs() const { return theOutputs; }

  /// Runs on inputs in the model's order. Fails with api::Error or Failure.
  void run(const std::vector<Tensor> &arguments, const Place &place);

private:
  using Shapes = std::vector<std::vector<int64_t>>;
  using Runner = api::Handle<glow_runner, glow_runner_free>;
  using Call = api::Handle<glow_call, glow_call_free>;

  /// A program, and its calls that do not run.
  struct Compiled {
    Shapes shapes; ///< of inputs; empty for ranges
    api::Program program;
    std::mutex mutex; ///< of `idle`
    std::vector<Call> idle;
  };
  void compileForTrial();
  void compileRanges();
  void tryRunner(const Shapes &shapes);
  void runOn(glow_runner &runner, const Shapes &shapes, bool ones);
  std::shared_ptr<Compiled> compile(Shapes shapes);
  Runner makeRunner(const api::Options &options) const;
  std::shared_ptr<Compiled> programFor(const std::vector<Tensor> &arguments);
  void check(const std::vector<Tensor> &arguments) const;
  static Call takeCall(Compiled &compiled);
  static void runCall(Compiled &compiled, Call call,
                      const std::vector<Tensor> &arguments, const Place &place);
  bool runRanged(const std::vector<Tensor> &arguments, const Place &place);
  void runRunner(glow_runner &runner, const std::vector<Tensor> &arguments,
                 const Place &place);

  Settings settings;
  std::optional<api::Model> model; ///< freed if all sizes are fixed
  std::vector<api::TensorInfo> theInputs, theOutputs;
  std::mutex mutex;                              ///< of all below
  std::list<std::shared_ptr<Compiled>> programs; ///< the last one used first
  Runner runner;
  std::unique_ptr<Compiled> ranged; ///< the program of the ranges
};

} // namespace glow::ort

#endif
