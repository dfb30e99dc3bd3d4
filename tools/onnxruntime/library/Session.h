//===- Session.h - models of sessions ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_LIBRARY_SESSION_H
#define GLOW_TOOLS_ONNXRUNTIME_LIBRARY_SESSION_H

#include "library/ModelFile.h"
#include "library/Payload.h"

namespace glow::ort {

/// An input or output of a model.
struct Port {
  std::string name;
  OrtTypeInfo type;
};

/// A value of a run by its name.
struct Named {
  const char *name;
  std::shared_ptr<Payload> payload; ///< null: an output that the run makes
};

/// The model of a session. Any threads may run it.
class SessionModel {
public:
  /// Compiles a model without open sizes. Fails with api::Error or Failure.
  SessionModel(api::Model model, ModelFile file,
               const OrtSessionOptions &options, int threads);

  ModelFile file;
  std::vector<Port> inputs, outputs, overridables;

  /// Runs, and sets the payloads of outputs that have none. `options` may be
  /// null. Outputs are unchanged after a failure, but for elements of those
  /// that are given. Fails with api::Error or Failure.
  void run(const OrtRunOptions *options, std::span<const Named> in,
           std::span<Named> out);

private:
  using Runner = api::Handle<glow_runner, glow_runner_free>;

  void runTensors(const OrtRunOptions *options,
                  const std::vector<const Payload *> &arguments,
                  std::span<Named> out, const std::vector<size_t> &places);
  void runValues(std::span<const Named> in, std::span<Named> out,
                 const std::vector<size_t> &places);

  /// Null for a model with values that are no tensors of numbers with a rank.
  std::unique_ptr<Engine> engine;
  std::mutex mutex; ///< of `runner`
  /// For values of any kind, and for values of initializers. May be null.
  Runner runner;
};

/// The model of a session. Throws Failure if the session was released.
std::shared_ptr<SessionModel> modelOf(const OrtSession *session);

} // namespace glow::ort

/// Runs that go on keep the model.
struct OrtSession {
  std::shared_ptr<glow::ort::SessionModel> model;
};

#endif
