//===- NodeName.h - names of nodes in a model -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORTER_NODENAME_H
#define GLOW_IMPORTER_NODENAME_H

#include <string>

namespace onnx {
class NodeProto;
} // namespace onnx

namespace glow {

/// A node's name; without one, the name of its first output, else "?".
std::string nodeName(const onnx::NodeProto &node);

} // namespace glow

#endif // GLOW_IMPORTER_NODENAME_H
