//===- Onnx.h - nodes of ONNX Runtime as an ONNX model ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_ONNX_H
#define GLOW_TOOLS_ONNXRUNTIME_ONNX_H

#include "Host.h"
#include <set>

namespace glow::ort {

/// Nodes of a graph in an order of execution, with the values between them and
/// the rest of the graph.
struct Part {
  const Graph *graph = nullptr;
  std::vector<const Node *> nodes;
  std::vector<const ValueInfo *> inputs;  ///< without constants
  std::vector<const ValueInfo *> outputs; ///< each has a use elsewhere
  std::vector<const ValueInfo *> constants;
};

/// The part that has these nodes, and the outputs for which `isUsed`.
Part partOf(const Host &host, const Graph *graph,
            std::vector<const Node *> nodes, const std::set<std::string> &used);

/// The bytes of an ONNX model of the part; constants are in it. Throws Failure
/// for a part that ONNX Runtime's interface cannot describe.
std::string modelOf(const Host &host, const Part &part);

} // namespace glow::ort

#endif
