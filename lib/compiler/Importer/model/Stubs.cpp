//===- Stubs.cpp - records to fill in for unknown operators ---------------===//
// SPDX-License-Identifier: MIT

#include "file/Model.h"
#include "glow/Importer/Importer.h"
#include "glow/Values/HostCall.h"
#include "rows/ImportRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace glow;
using llvm::formatv;
using llvm::StringRef;

namespace {

using OperatorName = std::pair<std::string, std::string>; // domain, operator

/// The common properties of the nodes of one operator.
struct Unknown {
  OperatorName name;
  std::string reason;
  int64_t opset = 1;
  std::vector<std::string> nodes;
  int inputs = 0, always = 1 << 30; ///< the most of any node, and the number
                                    ///< that each node has
  int outputs = 1;
  std::vector<const onnx::AttributeProto *> attributes; ///< each name once
  std::map<std::string, size_t> uses;                   ///< of an attribute
};

/// Finds the unknown operators of a model, in its order.
class Finder {
public:
  explicit Finder(const ParsedModel &model) : model(model) {}

  std::vector<Unknown> find() {
    walk(model.proto->graph().node());
    return std::move(found);
  }

private:
  static OperatorName nameOf(const std::string &domain, const std::string &op) {
    return {std::string(domainName(domain)), op};
  }

  template <typename Nodes> void walk(const Nodes &nodes) {
    for (const onnx::NodeProto &node : nodes) {
      look(node);
      for (const onnx::AttributeProto &attribute : node.attribute()) {
        walk(attribute.g().node());
        for (const onnx::GraphProto &graph : attribute.graphs())
          walk(graph.node());
      }
    }
  }

  void look(const onnx::NodeProto &node) {
    OperatorName name = nameOf(node.domain(), node.op_type());
    std::string reason;
    int64_t opset = model.opset(node).value_or(1);
    if (findHostOperator(name.first, name.second, opset) ||
        ImportRegistry::instance().find(name.first, name.second, opset, reason))
      return;
    auto [place, isNew] = places.try_emplace(name, found.size());
    if (isNew) {
      Unknown &unknown = found.emplace_back();
      unknown.name = name;
      unknown.reason = reason;
      unknown.opset = opset;
    }
    note(found[place->second], node);
  }

  static void note(Unknown &unknown, const onnx::NodeProto &node) {
    unknown.nodes.push_back(nodeName(node));
    unknown.inputs = std::max(unknown.inputs, node.input_size());
    unknown.outputs = std::max(unknown.outputs, node.output_size());
    // An input is optional in the record if any node leaves it out, by an empty
    // name or by a shorter list.
    auto absent = std::find(node.input().begin(), node.input().end(), "");
    unknown.always =
        std::min(unknown.always, int(absent - node.input().begin()));
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (++unknown.uses[attribute.name()] == 1)
        unknown.attributes.push_back(&attribute);
  }

  const ParsedModel &model;
  std::map<OperatorName, size_t> places;
  std::vector<Unknown> found;
};

/// An attribute's spelling in records.
struct Spelling {
  const char *import; ///< behind Required or Maybe
  const char *node;   ///< "" where a node has no such attribute
  const char *sample;
};

} // namespace

static std::optional<Spelling> spellingOf(const onnx::AttributeProto &a) {
  using onnx::AttributeProto;
  switch (a.type()) {
  case AttributeProto::INT:
    return Spelling{"Int", "Int", "0"};
  case AttributeProto::INTS:
    return Spelling{"Ints", "Ints", "[0]"};
  case AttributeProto::FLOAT:
    return Spelling{"Real", "Real", "0.5"};
  case AttributeProto::FLOATS:
    return Spelling{"Reals", "Reals", "[0.5]"};
  case AttributeProto::STRING:
    return Spelling{"Text", "Text", "\\\"none\\\""};
  case AttributeProto::STRINGS:
    return Spelling{"Texts", "Text", "\\\"none\\\""};
  case AttributeProto::TENSOR:
    return Spelling{"Tensor", "", ""};
  default:
    return std::nullopt;
  }
}

static bool isIdentifier(StringRef name) {
  return !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_') &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// The name of a record: letters and digits, the first a capital.
static std::string recordName(const Unknown &unknown) {
  std::string name;
  auto add = [&](StringRef text) {
    bool capital = true;
    for (char c : text) {
      if (llvm::isAlnum(c))
        name += capital ? llvm::toUpper(c) : c;
      capital = !llvm::isAlnum(c);
    }
  };
  if (unknown.name.first != "ai.onnx")
    add(StringRef(unknown.name.first).rsplit('.').second.empty()
            ? StringRef(unknown.name.first)
            : StringRef(unknown.name.first).rsplit('.').second);
  add(unknown.name.second);
  return "Own" + name;
}

/// Text in quotes or in a comment of a record: one line, without quotes.
static std::string plain(StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isPrint(c) && c != '"' && c != '\\' ? c : '?';
  return result;
}

/// `count` results of `each`, separated by commas.
template <typename Each> static std::string listed(int count, Each each) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::string(each(i));
  return text;
}

/// The parts of a stub to which each attribute adds; each begins with a comma.
struct AttributeTexts {
  std::string import, node, sample, arguments, missing;
};

static AttributeTexts attributesOf(const Unknown &unknown) {
  AttributeTexts texts;
  auto add = [](std::string &list, const std::string &item, StringRef comma) {
    list += (list.empty() ? "" : comma.str()) + item;
  };
  for (const onnx::AttributeProto *attribute : unknown.attributes) {
    const std::string &name = attribute->name();
    std::optional<Spelling> spelling = spellingOf(*attribute);
    if (!spelling || !isIdentifier(name)) {
      texts.missing +=
          "// No record can read its attribute '" + plain(name) + "'.\n";
      continue;
    }
    bool everywhere = unknown.uses.at(name) == unknown.nodes.size();
    bool list = StringRef(spelling->import).ends_with("s") &&
                StringRef(spelling->import) != "Ints";
    add(texts.import,
        std::string(everywhere && !list ? "Required" : "Maybe") +
            spelling->import + ":$" + name,
        ", ");
    if (!*spelling->node)
      continue;
    add(texts.node, std::string(spelling->node) + ":$" + name, ", ");
    add(texts.sample, name + " = " + spelling->sample, "; ");
    texts.arguments += ", " + name;
  }
  return texts;
}

/// The stub of a node that lacks only its semantics, and the import that builds
/// it.
static std::string stubOf(const Unknown &unknown) {
  AttributeTexts attributes = attributesOf(unknown);
  std::string name = recordName(unknown);
  auto input = [&](int i, StringRef mark) {
    return formatv("x{0}{1}", i, i < unknown.always ? "" : mark).str();
  };
  std::string operands = listed(unknown.inputs, [&](int i) {
    return formatv("\"T{0}[*s{0}]{1}\":$x{0}", i, i < unknown.always ? "" : "?")
        .str();
  });
  std::string result = unknown.inputs && unknown.always ? "T0[*s0]" : "f32[]";
  std::string results = listed(unknown.outputs, [&](int i) {
    return formatv("\"{0}\":$y{1}", result, i).str();
  });
  std::string types =
      listed(unknown.inputs, [](int) { return "\"f32[2,3]\""; });
  std::string values =
      listed(unknown.inputs, [&](int i) { return input(i, ""); });
  std::string outputs =
      listed(unknown.outputs, [](int i) { return formatv("y{0}", i).str(); });
  bool ours = unknown.name.first == "ai.onnx";
  std::string arguments = values + attributes.arguments;
  return formatv(
             R"(// {0} of {1}: {2}.
// {3} such as '{4}'.
{5}def {6} : Node<"{7}", (ins {8}), (outs {9}){10}> {{
  let summary = "say in a line what it gives";
  let hand = "{11}";
  let reason = "a formula, index notation or a lowering in its place needs no kernel by hand";
  let gradient = [{{ none("say how, or leave this line out where it can be derived"); }];
  let samples = [Sample<"small", (ins {12}), "{13}">];
}
def : OnnxImport<"{0}", {14}, (ins {15}), (ins {16}), [{{
  {17} = {6}({18});
}]> {{
  let outputs = [{19}];{20}
}
)",
             plain(unknown.name.second), plain(unknown.name.first),
             plain(unknown.reason),
             unknown.nodes.size() == 1
                 ? "A node,"
                 : formatv("{0} nodes,", unknown.nodes.size()).str(),
             plain(unknown.nodes.front()), attributes.missing, name,
             llvm::convertToSnakeFromCamelCase(name), operands, results,
             attributes.node.empty() ? "" : ", (ins " + attributes.node + ")",
             llvm::convertToCamelFromSnakeCase(
                 llvm::convertToSnakeFromCamelCase(name)),
             types, attributes.sample, unknown.opset,
             listed(unknown.inputs,
                    [&](int i) { return "\"" + input(i, "?") + "\""; }),
             attributes.import, outputs, StringRef(arguments).ltrim(", ").str(),
             listed(unknown.outputs,
                    [](int i) { return formatv("\"y{0}\"", i).str(); }),
             ours ? ""
                  : "\n  let domain = \"" + plain(unknown.name.first) + "\";")
      .str();
}

Result<std::string> glow::operatorStubs(const std::string &path) {
  Result<ParsedModel> model = ParsedModel::read(path);
  if (!model)
    return model.status().prefixed(path + ": ");
  std::string text;
  for (const Unknown &unknown : Finder(*model).find())
    text += "\n" + stubOf(unknown);
  if (text.empty())
    return std::string("// There is a record of every operator.\n");
  return "include \"glow/Glow.td\"\n" + text;
}
