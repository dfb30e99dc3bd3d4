//===- Bodies.h - graphs inside nodes of the host ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_MODEL_BODIES_H
#define GLOW_LIB_IMPORTER_MODEL_BODIES_H

#include "file/Model.h"
#include "glow/Values/HostCall.h"

namespace glow {

/// The inputs and outputs that the graphs of a node declare.
HostGraphs graphsOf(const ParsedModel &model, const onnx::NodeProto &node);

/// Fails, naming the node, where a graph inside a node breaks the rules of the
/// node's operator, even if no output needs the node.
Status checkBodies(const ParsedModel &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_MODEL_BODIES_H
