//===- FreshNames.cpp - names that no value of a model has ----------------===//
// SPDX-License-Identifier: MIT

#include "FreshNames.h"

using namespace glow;

void FreshNames::take(const onnx::GraphProto &graph) {
  for (const onnx::ValueInfoProto &input : graph.input())
    taken[input.name()] = 1;
  for (const onnx::TensorProto &tensor : graph.initializer())
    taken[tensor.name()] = 1;
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    taken[tensor.values().name()] = 1;
  for (const onnx::NodeProto &node : graph.node()) {
    for (const std::string &output : node.output())
      taken[output] = 1;
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        take(attribute.g());
      for (const onnx::GraphProto &inner : attribute.graphs())
        take(inner);
    }
  }
}

std::string FreshNames::fresh(const std::string &name) {
  unsigned &count = taken[name];
  if (count++ == 0)
    return name;
  std::string other;
  do
    other = name + "_" + std::to_string(count++);
  while (!taken.try_emplace(other, 1).second);
  return other;
}
