//===- Labels.cpp - classes whose names are texts -------------------------===//

#include "Labels.h"
#include "ImportRegistry.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

using namespace glow;
using llvm::StringRef;

namespace {

class Numberer {
public:
  explicit Numberer(Model &model) : model(model) {}

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
  /// The attribute for labels that are numbers; empty if its record has none.
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
    node.set_output(0, fresh(node.output(0)));
    encoder.add_input(node.output(0));
    onnx::AttributeProto &texts = *encoder.add_attribute();
    texts.set_name("classes_strings");
    texts.set_type(onnx::AttributeProto::STRINGS);
    texts.mutable_strings()->Swap(labels.mutable_strings());
    labels.set_name(numbers.str());
    labels.set_type(onnx::AttributeProto::INTS);
    for (int i = 0; i < texts.strings_size(); ++i)
      labels.add_ints(i);
    model.nodeOpsets[&encoder] =
        &model.functionOpsets.emplace_back(Opsets{{"ai.onnx.ml", 1}});
  }

  std::string fresh(std::string name) {
    if (taken.empty())
      take(model.proto->graph());
    do
      name += "/place";
    while (!taken.insert(name).second);
    return name;
  }

  void take(const onnx::GraphProto &graph) {
    for (const onnx::ValueInfoProto &input : graph.input())
      taken.insert(input.name());
    for (const onnx::TensorProto &tensor : graph.initializer())
      taken.insert(tensor.name());
    for (const onnx::NodeProto &node : graph.node()) {
      for (const std::string &output : node.output())
        taken.insert(output);
      for (const onnx::AttributeProto &attribute : node.attribute()) {
        if (attribute.has_g())
          take(attribute.g());
        for (const onnx::GraphProto &inner : attribute.graphs())
          take(inner);
      }
    }
  }

  Model &model;
  llvm::StringSet<> taken; ///< names of values
};

} // namespace

void glow::numberLabels(Model &model) {
  Numberer(model).run(*model.proto->mutable_graph());
}
