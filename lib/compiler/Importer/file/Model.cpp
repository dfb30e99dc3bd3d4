//===- ParsedModel.cpp - names and opsets of an ONNX file
//-----------------------===//
// SPDX-License-Identifier: MIT

#include "Model.h"

using namespace glow;

std::string_view glow::domainName(std::string_view domain) {
  return domain.empty() ? "ai.onnx" : domain;
}

std::string glow::nodeName(const onnx::NodeProto &node) {
  if (!node.name().empty())
    return node.name();
  for (const std::string &output : node.output())
    if (!output.empty())
      return output;
  return "?";
}

static std::optional<int64_t> versionIn(const Opsets &opsets,
                                        std::string_view domain) {
  auto found = opsets.find(domainName(domain));
  if (found == opsets.end() || found->second < 1)
    return std::nullopt;
  return found->second;
}

std::optional<int64_t> ParsedModel::opset(const onnx::NodeProto &node) const {
  if (auto inner = functionOpsets.nodes.find(&node);
      inner != functionOpsets.nodes.end())
    if (auto version = versionIn(*inner->second, node.domain()))
      return version;
  auto version = versionIn(opsets, node.domain());
  // Files of ONNX with operators of Caffe2 may have no opset for them.
  return !version && node.domain() == caffe2Domain ? 1 : version;
}

std::string ParsedModel::label(const onnx::NodeProto &node) const {
  auto place = places.find(&node);
  return "'" + nodeName(node) +
         (place == places.end() ? "'" : "' (" + place->second + ")");
}
