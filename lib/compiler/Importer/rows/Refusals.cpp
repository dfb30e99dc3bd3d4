//===- Refusals.cpp - nodes that nothing would make import ----------------===//
// SPDX-License-Identifier: MIT

#include "Refusals.h"
#include "ImportRegistry.h"
#include "file/GraphOrder.h"
#include "glow/Importer/Importer.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using llvm::StringRef;

/// ", but 'axis' and 'keepdims' are".
template <typename Row> static std::string knownAttributes(const Row &entry) {
  std::string text;
  for (size_t i = 0, count = entry.attributes.size(); i < count; ++i)
    text += (i == 0           ? ", but '"
             : i + 1 == count ? " and '"
                              : ", '") +
            std::string(entry.attributes[i]) + "'";
  return text + (text.empty()                   ? ""
                 : entry.attributes.size() == 1 ? " is"
                                                : " are");
}

/// The reason why the row does not accept the node; "" when it does.
template <typename Row>
static std::string misuse(const onnx::NodeProto &node, const Row &entry) {
  unsigned inputs = unsigned(node.input_size());
  while (inputs && node.input(int(inputs) - 1).empty()) // absent, at the end
    --inputs;
  if (inputs > entry.maxInputs)
    return "it has " + std::to_string(inputs) + " inputs, more than " +
           std::to_string(entry.maxInputs);
  for (unsigned i = 0; i < entry.minInputs; ++i) {
    StringRef name = i < entry.inputs.size() ? entry.inputs[i] : "?";
    if (!name.ends_with("?") && (i >= inputs || node.input(int(i)).empty()))
      return "input '" + name.rtrim('.').str() + "' is missing";
  }
  llvm::StringSet<> seen;
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (ImportRegistry::instance().isHint(entry.domain, attribute.name()))
      continue;
    if (!llvm::is_contained(entry.attributes, StringRef(attribute.name())))
      return "attribute '" + attribute.name() + "' is not known" +
             knownAttributes(entry);
    if (!seen.insert(attribute.name()).second)
      return "attribute '" + attribute.name() + "' is there twice";
  }
  return "";
}

OperatorRows glow::rowsOf(const ParsedModel &model,
                          const onnx::NodeProto &node) {
  OperatorRows rows;
  std::optional<int64_t> opset = model.opset(node);
  if (!opset) {
    rows.reason = "the model does not say which opset of this domain it uses";
    return rows;
  }
  rows.host = findHostOperator(node.domain(), node.op_type(), *opset);
  rows.import = ImportRegistry::instance().find(node.domain(), node.op_type(),
                                                *opset, rows.reason);
  // Exporters wrote operators of Caffe2 without its domain.
  if (!rows.host && domainName(node.domain()) == domainName("") &&
      (!rows.import || rows.import->domain == StringRef(caffe2Domain)))
    rows.host = findHostOperator(caffe2Domain, node.op_type(), 1);
  if (rows.import)
    rows.reason = misuse(node, *rows.import);
  else if (rows.host)
    rows.reason = misuse(node, *rows.host);
  // If one of the two rows refuses the node, the other may accept it.
  if (rows.import && rows.host && !rows.reason.empty() &&
      misuse(node, *rows.host).empty()) {
    rows.import = nullptr;
    rows.reason.clear();
  }
  return rows;
}

static void addRefused(const ParsedModel &model, const onnx::NodeProto &node,
                       Failures &failures) {
  if (OperatorRows rows = rowsOf(model, node); !rows.reason.empty())
    failures.add(domainName(node.domain()), node.op_type(),
                 model.opset(node).value_or(0), rows.reason, model.label(node),
                 false);
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    for (const onnx::NodeProto &inner : attribute.g().node())
      addRefused(model, inner, failures);
    for (const onnx::GraphProto &graph : attribute.graphs())
      for (const onnx::NodeProto &inner : graph.node())
        addRefused(model, inner, failures);
  }
}

Failures glow::refusedNodes(const ParsedModel &model) {
  Failures failures;
  const onnx::GraphProto &graph = model.proto->graph();
  Result<GraphOrder> order = orderOf(graph, [](StringRef) { return false; });
  if (order)
    for (int node : order->nodes)
      addRefused(model, graph.node(node), failures);
  return failures;
}

Status glow::withRefused(const Status &status, const ParsedModel &model) {
  std::string refused = refusedNodes(model).refusals();
  return refused.empty() ? status
                         : Status(status.code(), status.message() + noteMark +
                                                     "besides, " + refused);
}
