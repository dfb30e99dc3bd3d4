//===- RaiseOpset.cpp - a model of a newer opset --------------------------===//
// SPDX-License-Identifier: MIT
//
// Runtimes that fuse nodes between QuantizeLinear and DequantizeLinear create
// integer operators, which exist since opset 10. The import records decide how
// far a model may be raised.
//
//===----------------------------------------------------------------------===//

#include "file/FreshNames.h"
#include "glow/Importer/NewerOpset.h"
#include "glow/Importer/NodeName.h"
#include "glow/Importer/WholeModel.h"
#include "onnx/onnx_pb.h"
#include <algorithm>
#include <functional>

using namespace glow;

static bool isOwn(const onnx::NodeProto &node) {
  return node.domain().empty() || node.domain() == "ai.onnx";
}

/// Calls `use` for each node of ONNX's own domain, including inner graphs, as
/// long as it returns true.
static bool forEachNode(onnx::GraphProto &graph,
                        const std::function<bool(onnx::NodeProto &)> &use) {
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    if (isOwn(node) && !use(node))
      return false;
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      if (attribute.has_g() && !forEachNode(*attribute.mutable_g(), use))
        return false;
      for (onnx::GraphProto &inner : *attribute.mutable_graphs())
        if (!forEachNode(inner, use))
          return false;
    }
  }
  return true;
}

/// A new initializer with the elements of an attribute. A single integer
/// becomes a list, a single real number a scalar.
static onnx::TensorProto tensorOf(const onnx::AttributeProto &attribute) {
  using onnx::AttributeProto;
  onnx::TensorProto tensor;
  const auto set = [&](const auto *elements, int64_t count) {
    tensor.set_raw_data(elements, size_t(count) * sizeof *elements);
  };
  const bool isReal = attribute.type() == AttributeProto::FLOAT ||
                      attribute.type() == AttributeProto::FLOATS;
  tensor.set_data_type(isReal ? onnx::TensorProto::FLOAT
                              : onnx::TensorProto::INT64);
  const float real = attribute.f();
  const int64_t number = attribute.i();
  switch (attribute.type()) {
  case AttributeProto::FLOAT:
    set(&real, 1);
    break;
  case AttributeProto::FLOATS:
    tensor.add_dims(attribute.floats_size());
    set(attribute.floats().data(), attribute.floats_size());
    break;
  case AttributeProto::INT:
    tensor.add_dims(1);
    set(&number, 1);
    break;
  default:
    tensor.add_dims(attribute.ints_size());
    set(attribute.ints().data(), attribute.ints_size());
  }
  return tensor;
}

/// Turns an attribute into an input, if the node has the attribute.
static void moveAttribute(onnx::GraphProto &graph, onnx::NodeProto &node,
                          const std::string &name, unsigned place) {
  auto *attributes = node.mutable_attribute();
  for (int i = 0; i < attributes->size(); ++i) {
    if (attributes->Get(i).name() != name)
      continue;
    while (node.input_size() <= int(place))
      node.add_input("");
    onnx::TensorProto tensor = tensorOf(attributes->Get(i));
    tensor.set_name(FreshNames(graph).fresh(nodeName(node) + "_" + name));
    node.set_input(int(place), tensor.name());
    *graph.add_initializer() = std::move(tensor);
    attributes->DeleteSubrange(i, 1);
    return;
  }
}

/// The least format version for an opset: checkers reject an opset in a file of
/// an older format.
static int64_t leastIrVersion(int64_t opset) {
  return opset <= 10   ? 5
         : opset == 11 ? 6
         : opset <= 14 ? 7
         : opset <= 18 ? 8
         : opset <= 20 ? 9
                       : 10;
}

std::string glow::raiseOpset(onnx::ModelProto &model, int64_t least,
                             int64_t wanted) {
  const int64_t from = opsetOf(model);
  onnx::GraphProto &graph = *model.mutable_graph();
  std::string blocker;
  const auto isKnownIn = [&](int64_t opset) {
    return forEachNode(graph, [&](onnx::NodeProto &node) {
      if (newerForm("", node.op_type(), from, opset))
        return true;
      blocker = "'" + nodeName(node) + "' (" + node.op_type() + ")";
      return false;
    });
  };
  int64_t to = wanted;
  while (to >= least && !isKnownIn(to))
    --to;
  if (to < least)
    return blocker;
  forEachNode(graph, [&](onnx::NodeProto &node) {
    const auto form = newerForm("", node.op_type(), from, to);
    for (const auto &[attribute, place] : form->moved)
      moveAttribute(graph, node, attribute, place);
    node.set_op_type(form->op);
    return true;
  });
  for (onnx::OperatorSetIdProto &set : *model.mutable_opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx")
      set.set_version(to);
  model.set_ir_version(std::max(model.ir_version(), leastIrVersion(to)));
  return "";
}
