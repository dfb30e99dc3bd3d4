//===- Provider.h - Glow in a session of ONNX Runtime -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_PROVIDER_H
#define GLOW_TOOLS_ONNXRUNTIME_PROVIDER_H

#include "Context.h"
#include "Identity.h"
#include "Onnx.h"
#include "Parts.h"
#include <map>

namespace glow::ort {

/// The provider of one session.
class Provider : public Ep {
public:
  Provider(const Api &api, const Logger *logger, Settings settings,
           ContextSettings contexts);

private:
  void claim(const Graph *graph, SupportInfo *info);
  bool claimContexts(const Nodes &nodes, SupportInfo *info);
  void claimNodes(const Graph *graph, const Nodes &nodes, SupportInfo *info);
  void claimParts(const Graph *graph, const Nodes &nodes,
                  const std::string &reason, SupportInfo *info);
  std::unique_ptr<ComputeInfo> compilePart(const Graph *graph,
                                           const Node *fused, Node **context);
  std::shared_ptr<Engine> engineFor(const Part &part) const;
  Prepared prepare(const Part &part) const;
  Prepared preparedFor(const Part &part) const;

  Host host;
  const Logger *logger; ///< of the session
  Settings settings;
  ContextSettings contexts;
  /// Engines of claimed parts, by the names of their outputs.
  std::map<std::vector<std::string>, Prepared> claimed;
};

} // namespace glow::ort

#endif
