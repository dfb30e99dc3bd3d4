//===- Engine.h - a model that runs in Glow ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_ENGINE_H
#define GLOW_TOOLS_ONNXRUNTIME_ENGINE_H

#include "Elements.h"
#include "Settings.h"
#include <functional>
#include <list>
#include <memory>
#include <mutex>

namespace glow::ort {

/// Gives the memory of output `index` for a run.
using Place =
    std::function<void *(size_t index, const std::vector<int64_t> &shape)>;

/// Hears of the call of a run, which another thread may cancel meanwhile.
class Watch {
public:
  virtual ~Watch() = default;
  virtual void begin(glow_call &call) = 0;
  virtual void end(glow_call &call) = 0;
};

/// When programs are compiled for a model of open sizes.
enum class Compile {
  Trial,  ///< at first, for the first of a few sizes that the model takes
  InRuns, ///< in runs, for their sizes
};

/// A model that runs on inputs of any sizes that it takes, from any threads.
///
/// It keeps the programs of the shapes that were used last, and runs them on
/// the memory of the host. A model whose sizes only a run knows has a runner,
/// which copies inputs and outputs, and runs for one thread at a time.
class Engine {
public:
  /// Compiles the model. Fails with api::Error.
  Engine(api::Model model, Settings settings, Compile when);

  /// Whether programs run the model, and no runner.
  bool hasPrograms() const { return !runner; }

  const std::vector<api::TensorInfo> &inputs() const { return theInputs; }
  const std::vector<api::TensorInfo> &outputs() const { return theOutputs; }

  /// Runs on inputs in the model's order. A run of a runner has no call that
  /// `watch`, which may be null, hears of. Fails with api::Error or Failure.
  void run(const std::vector<Tensor> &arguments, const Place &place,
           Watch *watch = nullptr);

private:
  using Shapes = std::vector<std::vector<int64_t>>;
  using Runner = api::Handle<glow_runner, glow_runner_free>;
  using Call = api::Handle<glow_call, glow_call_free>;

  /// A program, and its calls that do not run.
  struct Compiled {
    Shapes shapes; ///< of inputs; empty for ranges
    api::Program program;
    const bool computesSizes = glow_program_computes_sizes(program.get());
    std::mutex mutex; ///< of `idle`
    std::vector<Call> idle;
  };
  class Scratch;
  void compileFixed();
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
                      const std::vector<Tensor> &arguments, const Place &place,
                      Watch *watch);
  bool runRanged(const std::vector<Tensor> &arguments, const Place &place,
                 Watch *watch);
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
