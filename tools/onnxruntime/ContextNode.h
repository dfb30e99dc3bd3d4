//===- ContextNode.h - EPContext nodes of the host --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_CONTEXTNODE_H
#define GLOW_TOOLS_ONNXRUNTIME_CONTEXTNODE_H

#include "Context.h"
#include "Host.h"

namespace glow::ort {

/// Whether a node is an EPContext node of `source`.
bool hasContext(const Host &host, const Node *node, const char *source);

/// The context in such a node, or in the file that the node names. Throws
/// Failure for a file that is absent.
std::string contextIn(const Host &host, const Graph *graph, const Node *node);

/// The EPContext node in place of a fused node, which the host then owns.
/// Writes the context's file if it is not embedded.
Node *makeContextNode(const Host &host, const Graph *graph, const Node *fused,
                      const std::string &context,
                      const ContextSettings &settings, const char *source);

} // namespace glow::ort

#endif
