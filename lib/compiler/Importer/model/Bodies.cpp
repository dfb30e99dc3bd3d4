//===- Bodies.cpp - graphs inside nodes of the host -----------------------===//
// SPDX-License-Identifier: MIT

#include "Bodies.h"
#include "file/Tensors.h"

using namespace glow;

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// The text of a type's kind, as "a sequence of f32"; "" where the file does
/// not declare it. An optional has the kind of its value: an optional with a
/// value counts as that value.
static std::string kindOf(const onnx::TypeProto &type) {
  if (type.has_sequence_type()) {
    std::string kind = kindOf(type.sequence_type().elem_type());
    return kind.empty() ? kind : "a sequence of " + kind;
  }
  if (type.has_optional_type())
    return kindOf(type.optional_type().elem_type());
  if (type.has_map_type())
    return "a map";
  if (!type.has_tensor_type())
    return "";
  if (type.tensor_type().elem_type() == onnx::TensorProto::STRING)
    return "strings";
  Result<ElementKind> kind = kindOfDataType(type.tensor_type().elem_type());
  return kind ? std::string(name(*kind)) : "";
}

static Ints shapeOf(const onnx::TensorShapeProto &shape) {
  Ints sizes;
  for (const onnx::TensorShapeProto::Dimension &size : shape.dim())
    sizes.push_back(
        size.has_dim_value() && size.dim_value() >= 0 ? size.dim_value() : -1);
  return sizes;
}

static void setKind(HostPort &port, int32_t dataType) {
  if (dataType == onnx::TensorProto::STRING)
    port.other = "strings";
  else if (Result<ElementKind> kind = kindOfDataType(dataType))
    port.kind = *kind, port.other.clear();
}

static HostPort portOf(const onnx::ValueInfoProto &value) {
  HostPort port;
  const onnx::TypeProto &type = value.type();
  port.other = kindOf(type);
  if (!type.has_tensor_type())
    return port;
  setKind(port, type.tensor_type().elem_type());
  if (type.tensor_type().has_shape())
    port.shape = shapeOf(type.tensor_type().shape());
  return port;
}

//===----------------------------------------------------------------------===//
// Sources of outputs
//===----------------------------------------------------------------------===//

static const HostEntry *hostOf(const ParsedModel &model,
                               const onnx::NodeProto &node) {
  return findHostOperator(node.domain(), node.op_type(),
                          model.opset(node).value_or(0));
}

namespace {

/// The nodes of a graph, by the values that they produce.
class Origins {
public:
  Origins(const ParsedModel &model, const onnx::GraphProto &graph)
      : model(model) {
    for (const onnx::NodeProto &node : graph.node())
      for (const std::string &output : node.output())
        makers[output] = &node;
    for (int i = 0; i < graph.input_size(); ++i)
      inputs[graph.input(i).name()] = size_t(i);
    for (const onnx::ValueInfoProto &value : graph.value_info())
      if (value.type().has_tensor_type())
        kinds[value.name()] = value.type().tensor_type().elem_type();
    for (const onnx::TensorProto &weight : graph.initializer())
      kinds[weight.name()] = weight.data_type();
  }

  /// Sets the origin of the named value. Sets its kind too, if the output does
  /// not declare one and another part of the graph does.
  void find(const std::string &name, HostPort &port) const;

private:
  /// Sets the kind that the graph declares for the value. Otherwise, if a node
  /// without inputs produces it, takes the kind of the node's tensor attribute.
  void findKind(const std::string &name, HostPort &port) const {
    if (!port.kindText().empty())
      return;
    if (auto known = kinds.find(name); known != kinds.end())
      return setKind(port, known->second);
    auto maker = makers.find(name);
    if (maker != makers.end() && maker->second->input().empty() &&
        maker->second->attribute_size() == 1 &&
        maker->second->attribute(0).has_t())
      setKind(port, maker->second->attribute(0).t().data_type());
  }

  bool isCopy(const onnx::NodeProto &node) const {
    const HostEntry *host = hostOf(model, node);
    return host && host->isCopy && node.input_size() == 1;
  }

  const ParsedModel &model;
  std::map<std::string_view, const onnx::NodeProto *> makers;
  std::map<std::string_view, size_t> inputs;
  std::map<std::string_view, int32_t> kinds; ///< of TensorProto.DataType
};

} // namespace

void Origins::find(const std::string &name, HostPort &port) const {
  constexpr int most = 8; // copies of copies, which no exporter writes
  const std::string *at = &name;
  for (int steps = 0; steps <= most; ++steps) {
    findKind(*at, port);
    if (auto input = inputs.find(*at); input != inputs.end())
      return void(port.input = input->second);
    auto maker = makers.find(*at);
    if (maker == makers.end() || maker->second->input().empty())
      return void(port.constant = true);
    if (!isCopy(*maker->second))
      return;
    at = &maker->second->input(0);
  }
}

static HostGraph graphOf(const ParsedModel &model,
                         const onnx::GraphProto &proto) {
  HostGraph graph;
  for (const onnx::ValueInfoProto &input : proto.input())
    graph.inputs.push_back(portOf(input));
  const Origins origins(model, proto);
  for (const onnx::ValueInfoProto &output : proto.output()) {
    graph.outputs.push_back(portOf(output));
    origins.find(output.name(), graph.outputs.back());
  }
  return graph;
}

HostGraphs glow::graphsOf(const ParsedModel &model,
                          const onnx::NodeProto &node) {
  HostGraphs graphs;
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g())
      graphs.emplace(attribute.name(), graphOf(model, attribute.g()));
  return graphs;
}

//===----------------------------------------------------------------------===//
// Checks of inner graphs
//===----------------------------------------------------------------------===//

static Status checkNode(const ParsedModel &model, const onnx::NodeProto &node) {
  const HostEntry *host = hostOf(model, node);
  if (!host || !host->check)
    return Status();
  const HostGraphs graphs = graphsOf(model, node);
  return host->check(
      {size_t(node.input_size()), size_t(node.output_size()), graphs});
}

static Status checkGraph(const ParsedModel &model,
                         const onnx::GraphProto &graph) {
  for (const onnx::NodeProto &node : graph.node()) {
    if (Status status = checkNode(model, node); !status.ok())
      return status.prefixed("node '" + nodeName(node) + "' (" +
                             node.op_type() + "): ");
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        if (Status status = checkGraph(model, attribute.g()); !status.ok())
          return status;
  }
  return Status();
}

Status glow::checkBodies(const ParsedModel &model) {
  return checkGraph(model, model.proto->graph());
}
