//===- Labels.cpp - class labels of classifiers ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Labels.h"
#include "file/FreshNames.h"
#include "rows/ImportRegistry.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

using namespace glow;
using llvm::StringRef;

namespace {

class Numberer {
public:
  explicit Numberer(ParsedModel &model) : model(model) {}

  void run(onnx::GraphProto &graph) {
    int count = graph.node_size(); // without those that are added
    for (int i = 0; i < count; ++i) {
      onnx::NodeProto &node = *graph.mutable_node(i);
      for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
        if (attribute.has_g())
          run(*attribute.mutable_g());
        for (onnx::GraphProto &inner : *attribute.mutable_graphs())
          run(inner);
        if (attribute.name() == "classlabels_strings")
          if (StringRef numbers = numbersOf(node); !numbers.empty())
            encode(node, attribute, numbers, *graph.add_node());
      }
    }
  }

private:
  /// The attribute for integer labels; empty if the node's record has none.
  StringRef numbersOf(const onnx::NodeProto &node) const {
    std::string reason;
    auto opset = model.opset(node);
    const ImportEntry *entry = nullptr;
    if (opset)
      entry = ImportRegistry::instance().find(node.domain(), node.op_type(),
                                              *opset, reason);
    for (StringRef name :
         entry ? entry->attributes : std::span<const char *const>())
      if (name.starts_with("classlabels_int"))
        return name;
    return "";
  }

  void encode(onnx::NodeProto &node, onnx::AttributeProto &labels,
              StringRef numbers, onnx::NodeProto &encoder) {
    encoder.set_name(nodeName(node) + "/labels");
    encoder.set_op_type("LabelEncoder");
    encoder.set_domain("ai.onnx.ml");
    if (node.output().empty())
      node.add_output();
    encoder.add_output(node.output(0));
    if (!values)
      values.emplace(model.proto->graph());
    node.set_output(0, values->fresh(node.output(0) + "/place"));
    encoder.add_input(node.output(0));
    onnx::AttributeProto &texts = *encoder.add_attribute();
    texts.set_name("classes_strings");
    texts.set_type(onnx::AttributeProto::STRINGS);
    texts.mutable_strings()->Swap(labels.mutable_strings());
    labels.set_name(numbers.str());
    labels.set_type(onnx::AttributeProto::INTS);
    for (int i = 0; i < texts.strings_size(); ++i)
      labels.add_ints(i);
    FunctionOpsets &opsets = model.functionOpsets;
    opsets.nodes[&encoder] =
        &opsets.functions.emplace_back(Opsets{{"ai.onnx.ml", 1}});
  }

  ParsedModel &model;
  std::optional<FreshNames> values; ///< when the first is asked for
};

} // namespace

void glow::numberLabels(ParsedModel &model) {
  Numberer(model).run(*model.proto->mutable_graph());
}
