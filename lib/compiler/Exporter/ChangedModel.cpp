//===- ChangedModel.cpp - a file with the changes of a pass ---------------===//
// SPDX-License-Identifier: MIT
//
// The file stays as it is, but for the nodes that a pass has changed or added.
// Sizes, opset, metadata and all that was not imported remain.
//
//===----------------------------------------------------------------------===//

#include "ChangedNodes.h"
#include "glow/Exporter/Exporter.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Storage.h"
#include "glow/Importer/WholeModel.h"
#include <limits>

using namespace glow;
using namespace mlir;
using llvm::StringRef;

namespace {

class ChangedModel {
public:
  ChangedModel(ModuleOp module, onnx::ModelProto &model)
      : module(module), graph(*model.mutable_graph()), model(model),
        changes(module, model) {}

  FailureOr<std::string> write();

private:
  void addOutputs();
  void findMakers();
  void add(onnx::NodeProto node);
  void addMakerOf(const std::string &name);
  void addNodes();
  void keepReadStorage();
  void setDomains();

  ModuleOp module;
  onnx::GraphProto &graph;
  onnx::ModelProto &model;
  ChangedNodes changes;
  llvm::StringMap<size_t> ofChanges;  ///< nodes that are new, by output
  llvm::StringMap<int> ofFile;        ///< nodes that stay, by output
  llvm::StringMap<std::string> other; ///< new names, by old ones
  std::vector<size_t> inPlaceOf;      ///< new nodes, by node of the file
  llvm::StringSet<> done;             ///< outputs of written nodes
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
};

} // namespace

static constexpr size_t none = std::numeric_limits<size_t>::max();

/// Adds the outputs that a pass has added.
void ChangedModel::addOutputs() {
  auto &block = (*module.getOps<FuncOp>().begin()).block();
  llvm::StringSet<> known;
  for (const onnx::ValueInfoProto &output : graph.output())
    known.insert(output.name());
  for (auto save : block.getOps<SaveOp>()) {
    auto port = SymbolTable::lookupNearestSymbolFrom<PlaceholderOp>(
        save, save.getStorageAttr());
    if (originOf(port) || !known.insert(port.portName()).second)
      continue;
    const std::string name = port.portName().str(),
                      from = changes.nameOf(save.getIn());
    onnx::ValueInfoProto &output = *graph.add_output();
    output.set_name(name);
    output.mutable_type()->mutable_tensor_type()->set_elem_type(
        onnxDataType(*kindOf(kindOfElements(save.getIn()))));
    if (from == name)
      continue;
    onnx::NodeProto node;
    node.set_op_type("Identity");
    node.add_input(from), node.add_output(name);
    changes.made.emplace_back(std::move(node), nullptr);
  }
}

void ChangedModel::findMakers() {
  inPlaceOf.assign(size_t(graph.node_size()), none);
  for (auto [i, made] : llvm::enumerate(changes.made)) {
    auto &[node, instance] = made;
    for (const std::string &output : node.output())
      if (!output.empty())
        ofChanges[output] = i;
    if (!instance || instance->number > 0)
      continue;
    inPlaceOf[size_t(instance->node)] = i;
    const onnx::NodeProto &old = graph.node(instance->node);
    for (int k = 0; k < old.output_size(); ++k)
      if (old.output(k) != node.output(k))
        other[old.output(k)] = node.output(k);
  }
  for (auto [i, node] : llvm::enumerate(graph.node()))
    for (const std::string &output : node.output())
      if (!output.empty() && inPlaceOf[i] == none &&
          !ofChanges.contains(output))
        ofFile[output] = int(i);
}

void ChangedModel::addMakerOf(const std::string &name) {
  if (!done.insert(name).second)
    return;
  if (auto made = ofChanges.find(name); made != ofChanges.end())
    add(changes.made[made->second].first);
  else if (auto node = ofFile.find(name); node != ofFile.end())
    add(graph.node(node->second));
}

/// Adds a node behind the makers of its inputs.
void ChangedModel::add(onnx::NodeProto node) {
  for (const std::string &output : node.output())
    done.insert(output);
  for (std::string &input : *node.mutable_input())
    if (auto renamed = other.find(input);
        renamed != other.end() && !ofChanges.contains(input))
      input = renamed->second;
  forEachRead(node, [&](const std::string &name) { addMakerOf(name); });
  *nodes.Add() = std::move(node);
}

/// Nodes stand in the order of the file, new ones before their first reader.
void ChangedModel::addNodes() {
  llvm::StringSet<> needed;
  llvm::SmallVector<std::string> open;
  for (const onnx::ValueInfoProto &output : graph.output())
    open.push_back(output.name());
  while (!open.empty()) {
    std::string name = open.pop_back_val();
    if (auto renamed = other.find(name);
        renamed != other.end() && !ofChanges.contains(name))
      name = renamed->second;
    if (!needed.insert(name).second)
      continue;
    auto made = ofChanges.find(name);
    auto node = ofFile.find(name);
    if (made != ofChanges.end() || node != ofFile.end())
      forEachRead(made != ofChanges.end() ? changes.made[made->second].first
                                          : graph.node(node->second),
                  [&](const std::string &read) { open.push_back(read); });
  }
  for (int i = 0; i < graph.node_size(); ++i) {
    const size_t made = inPlaceOf[size_t(i)];
    const onnx::NodeProto &node =
        made == none ? graph.node(i) : changes.made[made].first;
    for (const std::string &output : node.output())
      if (needed.contains(output))
        addMakerOf(output);
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    addMakerOf(output.name());
  graph.mutable_node()->Swap(&nodes);
}

/// Removes elements of a list and keeps the order of the others.
template <typename List, typename IsDropped>
static void drop(List *list, IsDropped isDropped) {
  int kept = 0;
  for (int i = 0; i < list->size(); ++i)
    if (!isDropped(list->Get(i)))
      list->SwapElements(kept++, i);
  list->DeleteSubrange(kept, list->size() - kept);
}

/// Removes unread weights. Before version 4 of the format, each was an input.
void ChangedModel::keepReadStorage() {
  for (onnx::TensorProto &tensor : changes.tensors)
    *graph.add_initializer() = std::move(tensor);
  llvm::StringSet<> read, weights;
  for (const onnx::NodeProto &node : graph.node())
    forEachRead(node, [&](const std::string &name) { read.insert(name); });
  for (const onnx::ValueInfoProto &output : graph.output())
    read.insert(output.name());
  for (const onnx::TensorProto &tensor : graph.initializer())
    weights.insert(tensor.name());
  constexpr int64_t freeInitializers = 4;
  const bool isOld = model.ir_version() < freeInitializers;
  if (isOld)
    model.set_ir_version(freeInitializers);
  drop(graph.mutable_input(), [&](const auto &input) {
    return weights.contains(input.name()) &&
           (isOld || !read.contains(input.name()));
  });
  drop(graph.mutable_initializer(),
       [&](const auto &tensor) { return !read.contains(tensor.name()); });
}

void ChangedModel::setDomains() {
  for (const onnx::OperatorSetIdProto &set : model.opset_import())
    changes.domains.erase(set.domain());
  changes.domains.erase("");
  for (const std::string &domain : changes.domains) {
    onnx::OperatorSetIdProto &set = *model.add_opset_import();
    set.set_domain(domain);
    set.set_version(1);
  }
}

FailureOr<std::string> ChangedModel::write() {
  if (mlir::failed(changes.write()))
    return mlir::failure();
  addOutputs();
  findMakers();
  addNodes();
  keepReadStorage();
  setDomains();
  std::string bytes;
  if (!model.SerializeToString(&bytes))
    return module.emitError() << "the model would have more than 2 GB";
  return bytes;
}

FailureOr<std::string> glow::exportChanges(ModuleOp module,
                                           const std::string &path) {
  onnx::ModelProto model;
  if (Status status = readWhole(path, model); !status.ok())
    return module.emitError() << status.message();
  return ChangedModel(module, model).write();
}
