//===- OnnxModel.cpp - a glance into an ONNX model ------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/TensorFiles/OnnxModel.h"
#include <limits>
#include <onnx/onnx_pb.h>
#include <set>

using namespace glow;

static void collect(const onnx::GraphProto &graph,
                    std::set<std::string> &operators) {
  for (const onnx::NodeProto &node : graph.node()) {
    bool standard = node.domain().empty() || node.domain() == "ai.onnx";
    operators.insert(standard ? node.op_type()
                              : node.domain() + "::" + node.op_type());
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        collect(attribute.g(), operators);
      for (const onnx::GraphProto &nested : attribute.graphs())
        collect(nested, operators);
    }
  }
}

std::vector<std::string> glow::onnxOperators(std::string_view bytes) {
  onnx::ModelProto model;
  if (bytes.size() > size_t(std::numeric_limits<int>::max()) ||
      !model.ParseFromArray(bytes.data(), int(bytes.size())))
    return {};
  std::set<std::string> operators;
  collect(model.graph(), operators);
  return {operators.begin(), operators.end()};
}
