//===- Provider.h - Glow in a session of ONNX Runtime -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_PROVIDER_H
#define GLOW_TOOLS_ONNXRUNTIME_PROVIDER_H

#include "Engine.h"
#include "Onnx.h"
#include <map>

namespace glow::ort {

/// The name of the provider in ONNX Runtime.
inline constexpr const char *providerName = "GlowExecutionProvider";

/// The provider of one session.
class Provider : public Ep {
public:
  Provider(const Api &api, const Logger *logger, Settings settings);

private:
  void claim(const Graph *graph, SupportInfo *info);
  void claimPart(Part part, SupportInfo *info);
  std::unique_ptr<ComputeInfo> compilePart(const Graph *graph,
                                           const Node *fused);
  std::shared_ptr<Engine> engineFor(const Part &part);

  Host host;
  const Logger *logger; ///< of the session
  Settings settings;
  /// Engines of claimed parts, by the bytes of their models' hashes.
  std::map<std::pair<size_t, size_t>, std::shared_ptr<Engine>> claimed;
};

} // namespace glow::ort

#endif
