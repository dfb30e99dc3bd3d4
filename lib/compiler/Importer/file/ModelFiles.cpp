//===- ModelFiles.cpp - the files that a model is in ----------------------===//
// SPDX-License-Identifier: MIT

#include "Model.h"
#include <algorithm>
#include <filesystem>
#include <set>

using namespace glow;

namespace {

/// Collects the locations of external data in all parts of a message.
class Locations {
public:
  void add(const onnx::ModelProto &model) { add(model.graph()); }
  std::set<std::string> found;

private:
  void add(const onnx::TensorProto &tensor) {
    for (const onnx::StringStringEntryProto &entry : tensor.external_data())
      if (entry.key() == "location")
        found.insert(entry.value());
  }
  void add(const onnx::SparseTensorProto &tensor) {
    add(tensor.values());
    add(tensor.indices());
  }
  template <typename List> void addAll(const List &list) {
    for (const auto &element : list)
      add(element);
  }
  void add(const onnx::GraphProto &graph) {
    addAll(graph.initializer());
    addAll(graph.sparse_initializer());
    addNodes(graph.node());
  }
  template <typename List> void addNodes(const List &nodes) {
    for (const onnx::NodeProto &node : nodes)
      for (const onnx::AttributeProto &attribute : node.attribute()) {
        add(attribute.t());
        add(attribute.sparse_tensor());
        addAll(attribute.tensors());
        addAll(attribute.sparse_tensors());
        if (attribute.has_g())
          add(attribute.g());
        addAll(attribute.graphs());
      }
  }
};

} // namespace

std::vector<std::string> ParsedModel::files() const {
  Locations locations;
  locations.add(*proto);
  std::vector<std::string> files = paths;
  for (const std::string &location : locations.found)
    files.push_back(std::filesystem::path(paths[0]).parent_path() / location);
  return files;
}

bool ParsedModel::isAsRead() const {
  return file->isAsOpened() && external.areAsOpened() &&
         std::ranges::all_of(
             others, [](const auto &other) { return other->isAsOpened(); });
}
