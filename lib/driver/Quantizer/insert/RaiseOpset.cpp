//===- RaiseOpset.cpp - a model of a newer opset --------------------------===//
// SPDX-License-Identifier: MIT
//
// Runtimes that fuse nodes between QuantizeLinear and DequantizeLinear create
// integer operators, which exist since opset 10. The import records decide how
// far a model may be raised.
//
//===----------------------------------------------------------------------===//

#include "Prepare.h"
#include "glow/Importer/NewerOpset.h"
#include <algorithm>

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

/// Adds the value of an attribute as weights; returns their name. A single
/// integer becomes a list, a single real number a scalar.
static std::string addWeights(ModelEdit &model, const std::string &hint,
                              const onnx::AttributeProto &attribute) {
  const std::string name = model.freshName(hint + "_" + attribute.name());
  if (attribute.type() == onnx::AttributeProto::FLOAT) {
    const float value = attribute.f();
    model.addFloats(name, {}, std::span(&value, 1));
    return name;
  }
  if (attribute.type() == onnx::AttributeProto::FLOATS) {
    const std::vector<float> values(attribute.floats().begin(),
                                    attribute.floats().end());
    model.addFloats(name, {int64_t(values.size())}, values);
    return name;
  }
  std::vector<int64_t> values(attribute.ints().begin(), attribute.ints().end());
  if (attribute.type() == onnx::AttributeProto::INT)
    values = {attribute.i()};
  model.addInitializer(
      name, onnx::TensorProto::INT64, {int64_t(values.size())},
      std::string(reinterpret_cast<const char *>(values.data()),
                  values.size() * sizeof(int64_t)));
  return name;
}

/// Turns an attribute into an input, if the node has the attribute.
static void moveAttribute(ModelEdit &model, onnx::NodeProto &node,
                          const std::string &name, unsigned place) {
  auto *attributes = node.mutable_attribute();
  for (int i = 0; i < attributes->size(); ++i) {
    if (attributes->Get(i).name() != name)
      continue;
    while (node.input_size() <= int(place))
      node.add_input("");
    node.set_input(int(place),
                   addWeights(model, nodeName(node), attributes->Get(i)));
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

std::string glow::raiseOpset(ModelEdit &model, int64_t least, int64_t wanted) {
  const int64_t from = model.opset("");
  std::string blocker;
  const auto isKnownIn = [&](int64_t opset) {
    return forEachNode(model.graph(), [&](onnx::NodeProto &node) {
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
  forEachNode(model.graph(), [&](onnx::NodeProto &node) {
    const auto form = newerForm("", node.op_type(), from, to);
    for (const auto &[attribute, place] : form->moved)
      moveAttribute(model, node, attribute, place);
    node.set_op_type(form->op);
    return true;
  });
  for (onnx::OperatorSetIdProto &set : *model.proto.mutable_opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx")
      set.set_version(to);
  model.proto.set_ir_version(
      std::max(model.proto.ir_version(), leastIrVersion(to)));
  return "";
}
