//===- Functions.cpp - functions of the model itself ----------------------===//
// SPDX-License-Identifier: MIT
//
// Every value of an instance gets a name that no other value of the model has.
// So inner graphs, and graphs that are attributes of the call, read the same
// values as before.
//
// Calls are replaced by nodes when the file is read, so that all later steps
// see one kind of node: stages, the order, control flow and the list of unknown
// operators. A node keeps the opset that its function is written for, which may
// differ from the model's. A function takes precedence over an operator of its
// name, as in ONNX.
//
// An attribute without a value from the call or a default is left out, as
// ONNX's own inliner does. An attribute that the function never declared is an
// error. Depth, nodes and bytes are bounded: a few lines of functions may stand
// for more nodes than memory has.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "file/FreshNames.h"
#include "file/GraphOrder.h"
#include "glow/Importer/WholeModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace glow;
using llvm::StringRef;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Attributes = std::map<std::string, const onnx::AttributeProto *>;

namespace {

/// The bounds of the expansion. A chain of functions that each call the next
/// twice is short, and its expansion endless.
constexpr size_t maximalNodes = size_t(1) << 18;
constexpr size_t maximalBytes = size_t(512) << 20;
constexpr size_t maximalDepth = 128; // of calls and graphs in one another

/// A field that this build's schema need not have.
template <typename Message>
std::vector<std::string> unknownField(const Message &message, int number) {
  std::vector<std::string> values;
  const auto &fields = message.unknown_fields();
  for (int i = 0; i < fields.field_count(); ++i)
    if (const auto &field = fields.field(i);
        field.number() == number &&
        field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      values.push_back(field.length_delimited());
  return values;
}

template <typename Message>
std::string overloadOf(const Message &message, int number) {
  if constexpr (requires { message.overload(); }) {
    return message.overload();
  } else {
    std::vector<std::string> values = unknownField(message, number);
    return values.empty() ? "" : values.back();
  }
}

template <typename Function>
std::vector<onnx::AttributeProto> defaultsOf(const Function &function) {
  std::vector<onnx::AttributeProto> defaults;
  if constexpr (requires { function.attribute_proto(); }) {
    defaults.assign(function.attribute_proto().begin(),
                    function.attribute_proto().end());
  } else {
    for (const std::string &bytes : unknownField(function, 11))
      defaults.emplace_back().ParseFromString(bytes);
  }
  return defaults;
}

using Key = std::tuple<std::string, std::string, std::string>;

struct Function {
  const onnx::FunctionProto *proto;
  const Opsets *opsets;
  std::vector<onnx::AttributeProto> defaults;
  bool active = false; ///< whether it is being expanded
};

std::string text(const Function &function) {
  return "function '" + function.proto->name() + "' of '" +
         std::string(domainName(function.proto->domain())) + "'";
}

/// Maps the names of one function, or of a graph inside it, to new names.
struct Names {
  llvm::StringMap<std::string> renamed;
  const Names *outer = nullptr;

  const std::string *find(StringRef name) const {
    for (const Names *at = this; at; at = at->outer)
      if (auto found = at->renamed.find(name); found != at->renamed.end())
        return &found->second;
    return nullptr;
  }
};

/// A call of a function, with the node that it replaces.
struct Call {
  const Function &function;
  const onnx::NodeProto &node;
  std::string prefix;
  Attributes attributes;
};

class Expander {
public:
  Expander(onnx::ModelProto &model, FunctionOpsets &opsets)
      : model(model), ofModel(opsets), values(model.graph()) {}
  Status run();

private:
  Status collect();
  Function *functionOf(const onnx::NodeProto &node);

  /// Moves `from` to the end of `to` and expands its calls.
  Status expand(Nodes &from, Nodes &to, const Opsets *opsets, size_t depth);
  Status expandGraph(onnx::GraphProto &graph, const Opsets *opsets,
                     size_t depth);
  Status expandCall(Function &function, const onnx::NodeProto &node, Nodes &to,
                    size_t depth);

  /// Fills `body` with the nodes that replace the call.
  Status instantiate(const Call &call, Nodes &body);
  Status nameValues(const Call &call, Names &names, Nodes &body);
  Status bind(const Call &call, const Names &names, onnx::NodeProto &node);
  Status bindAttributes(const Call &call, const Names &names,
                        onnx::NodeProto &node);
  Status bindGraph(const Call &call, const Names &outer,
                   onnx::GraphProto &graph);
  Status read(const Call &call, const Names &names, StringRef reader,
              std::string &name);
  Status define(const Call &call, Names &names, const std::string &name);
  Status spend(const Function &function, size_t bytes);

  onnx::ModelProto &model;
  FunctionOpsets &ofModel;
  std::map<Key, Function> functions;
  FreshNames values;
  size_t nodes = 0, bytes = 0; ///< of all instances
};

//===----------------------------------------------------------------------===//
// Functions of the model
//===----------------------------------------------------------------------===//

Status Expander::collect() {
  for (const onnx::FunctionProto &proto : model.functions()) {
    Opsets &opsets = ofModel.functions.emplace_back();
    if (Status status = addOpsets(opsets, proto.opset_import()); !status.ok())
      return status;
    Key key(domainName(proto.domain()), proto.name(), overloadOf(proto, 13));
    // If several functions have the same name, the first counts.
    functions.try_emplace(key, Function{&proto, &opsets, defaultsOf(proto)});
  }
  return Status();
}

Function *Expander::functionOf(const onnx::NodeProto &node) {
  auto found = functions.find(
      Key(domainName(node.domain()), node.op_type(), overloadOf(node, 8)));
  return found == functions.end() ? nullptr : &found->second;
}

Status Expander::spend(const Function &function, size_t more) {
  bytes += more;
  if (nodes <= maximalNodes && bytes <= maximalBytes)
    return Status();
  return failure(Code::Unsupported, "with its functions expanded, at ",
                 text(function), ", the model has more than ", maximalNodes,
                 " nodes or ", maximalBytes >> 20, " MiB");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Status Expander::expandGraph(onnx::GraphProto &graph, const Opsets *opsets,
                             size_t depth) {
  Nodes expanded;
  Status status = expand(*graph.mutable_node(), expanded, opsets, depth);
  graph.mutable_node()->Swap(&expanded);
  return status;
}

Status Expander::expand(Nodes &from, Nodes &to, const Opsets *opsets,
                        size_t depth) {
  for (onnx::NodeProto &node : from) {
    if (Function *function = functionOf(node)) {
      if (Status status = expandCall(*function, node, to, depth); !status.ok())
        return status;
      continue;
    }
    onnx::NodeProto &kept = *to.Add(); // where it stays
    kept.Swap(&node);
    if (opsets)
      ofModel.nodes[&kept] = opsets;
    for (onnx::AttributeProto &attribute : *kept.mutable_attribute()) {
      Status status;
      if (attribute.has_g())
        status = expandGraph(*attribute.mutable_g(), opsets, depth + 1);
      for (onnx::GraphProto &graph : *attribute.mutable_graphs())
        if (status.ok())
          status = expandGraph(graph, opsets, depth + 1);
      if (!status.ok())
        return status;
    }
  }
  return Status();
}

Status Expander::expandCall(Function &function, const onnx::NodeProto &node,
                            Nodes &to, size_t depth) {
  auto refuse = [&](auto... words) {
    return failure(Code::InvalidArgument, "node '", nodeName(node), "' calls ",
                   text(function), words...);
  };
  const onnx::FunctionProto &proto = *function.proto;
  if (function.active)
    return refuse(", which calls itself");
  if (depth > maximalDepth)
    return refuse(", where more than ", maximalDepth,
                  " calls and graphs lie in one another");
  if (node.input_size() > proto.input_size())
    return refuse(" with ", node.input_size(), " inputs, more than ",
                  proto.input_size());
  if (node.output_size() > proto.output_size())
    return refuse(" for ", node.output_size(), " outputs, more than ",
                  proto.output_size());
  Call call{function, node, nodeName(node) + "/", {}};
  for (const onnx::AttributeProto &attribute : function.defaults)
    call.attributes[attribute.name()] = &attribute;
  for (const onnx::AttributeProto &attribute : node.attribute())
    call.attributes[attribute.name()] = &attribute;
  Nodes body;
  if (Status status = instantiate(call, body); !status.ok())
    return status;
  function.active = true;
  Status status = expand(body, to, function.opsets, depth + 1);
  function.active = false;
  return status;
}

Status Expander::instantiate(const Call &call, Nodes &body) {
  Names names;
  if (Status status = nameValues(call, names, body); !status.ok())
    return status;
  for (const onnx::NodeProto &node : call.function.proto->node()) {
    ++nodes;
    onnx::NodeProto &copy = *body.Add();
    copy.CopyFrom(node);
    Status status = bind(call, names, copy);
    if (status.ok())
      status = spend(call.function, copy.ByteSizeLong());
    if (!status.ok())
      return status;
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Status Expander::define(const Call &call, Names &names,
                        const std::string &name) {
  if (name.empty() || names.renamed.contains(name))
    return Status();
  std::string &renamed = names.renamed[name] = values.fresh(call.prefix + name);
  return spend(call.function, renamed.size());
}

/// Names the values of an instance. Inputs and outputs take the names that the
/// call lists. A result that is also an input, or that is listed twice, is
/// copied, since a value has one name.
Status Expander::nameValues(const Call &call, Names &names, Nodes &body) {
  const onnx::FunctionProto &proto = *call.function.proto;
  std::set<StringRef> defined;
  for (int i = 0; i < proto.input_size(); ++i) {
    names.renamed[proto.input(i)] =
        i < call.node.input_size() ? call.node.input(i) : "";
    defined.insert(proto.input(i));
  }
  std::vector<int> copied;
  for (int i = 0; i < call.node.output_size(); ++i)
    if (names.renamed.contains(proto.output(i)))
      copied.push_back(i);
    else if (!call.node.output(i).empty())
      names.renamed[proto.output(i)] = call.node.output(i);
  for (const onnx::NodeProto &node : proto.node())
    for (const std::string &output : node.output()) {
      if (!output.empty() && !defined.insert(output).second)
        return failure(Code::InvalidArgument, text(call.function),
                       " defines the value '", output, "' twice");
      if (Status status = define(call, names, output); !status.ok())
        return status;
    }
  for (const std::string &output : proto.output())
    if (!defined.contains(output))
      return failure(Code::InvalidArgument, text(call.function), " gives '",
                     output, "', which nothing in it defines");
  for (int i : copied) {
    onnx::NodeProto &copy = *body.Add();
    copy.set_name(call.prefix + proto.output(i));
    copy.set_op_type("Identity");
    copy.add_input(names.renamed[proto.output(i)]);
    copy.add_output(call.node.output(i));
  }
  return Status();
}

Status Expander::read(const Call &call, const Names &names, StringRef reader,
                      std::string &name) {
  if (name.empty())
    return Status();
  const std::string *found = names.find(name);
  if (!found)
    return failure(Code::InvalidArgument, reader.str(), " in ",
                   text(call.function), " reads '", name,
                   "', which nothing there defines");
  name = *found;
  return Status();
}

Status Expander::bind(const Call &call, const Names &names,
                      onnx::NodeProto &node) {
  std::string name = nodeName(node);
  node.set_name(call.prefix + name);
  for (std::string &input : *node.mutable_input())
    if (Status status = read(call, names, "node '" + name + "'", input);
        !status.ok())
      return status;
  for (std::string &output : *node.mutable_output())
    if (!output.empty())
      output = *names.find(output);
  return bindAttributes(call, names, node);
}

/// Replaces attribute references by the call's attributes. A graph among them
/// has the caller's names already.
Status Expander::bindAttributes(const Call &call, const Names &names,
                                onnx::NodeProto &node) {
  google::protobuf::RepeatedPtrField<onnx::AttributeProto> bound;
  for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
    if (!attribute.ref_attr_name().empty()) {
      auto given = call.attributes.find(attribute.ref_attr_name());
      if (given != call.attributes.end()) {
        onnx::AttributeProto &copy = *bound.Add();
        copy.CopyFrom(*given->second);
        copy.set_name(attribute.name());
      } else if (!llvm::is_contained(call.function.proto->attribute(),
                                     attribute.ref_attr_name())) {
        return failure(Code::InvalidArgument, "node '", node.name(),
                       "' refers to the attribute '", attribute.ref_attr_name(),
                       "', which ", text(call.function), " does not have");
      }
      continue;
    }
    Status status;
    if (attribute.has_g())
      status = bindGraph(call, names, *attribute.mutable_g());
    for (onnx::GraphProto &graph : *attribute.mutable_graphs())
      if (status.ok())
        status = bindGraph(call, names, graph);
    if (!status.ok())
      return status;
    bound.Add()->Swap(&attribute);
  }
  node.mutable_attribute()->Swap(&bound);
  Status status;
  forDifferentiated(node, [&](std::string &name) {
    if (status.ok())
      status = read(call, names, "node '" + node.name() + "'", name);
  });
  return status;
}

/// Renames the values of an inner graph. All results are named before the first
/// node is read, since a graph need not be in order.
Status Expander::bindGraph(const Call &call, const Names &outer,
                           onnx::GraphProto &graph) {
  Names names;
  names.outer = &outer;
  Status status;
  auto rename = [&](std::string &name) {
    if (status.ok())
      status = define(call, names, name);
    if (status.ok() && !name.empty())
      name = names.renamed[name];
  };
  for (onnx::ValueInfoProto &input : *graph.mutable_input())
    rename(*input.mutable_name());
  for (onnx::TensorProto &tensor : *graph.mutable_initializer())
    rename(*tensor.mutable_name());
  for (onnx::SparseTensorProto &tensor : *graph.mutable_sparse_initializer())
    rename(*tensor.mutable_values()->mutable_name());
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &output : node.output())
      if (status.ok())
        status = define(call, names, output);
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    ++nodes;
    if (status.ok())
      status = bind(call, names, node);
  }
  for (onnx::ValueInfoProto &output : *graph.mutable_output())
    if (status.ok())
      status = read(call, names, "graph '" + graph.name() + "'",
                    *output.mutable_name());
  return status;
}

Status Expander::run() {
  Status status = collect();
  if (status.ok())
    status = expandGraph(*model.mutable_graph(), nullptr, 0);
  // Expansion has removed every call of the functions.
  model.clear_functions();
  return status;
}

} // namespace

Status glow::expandFunctions(ParsedModel &model) {
  return model.proto->functions().empty()
             ? Status()
             : Expander(*model.proto, model.functionOpsets).run();
}

Result<bool> glow::inlineFunctions(onnx::ModelProto &model) {
  Opsets opsets;
  for (const onnx::OperatorSetIdProto &set : model.opset_import())
    opsets.emplace(domainName(set.domain()), set.version());
  std::vector<onnx::OperatorSetIdProto> added;
  for (const onnx::FunctionProto &function : model.functions())
    for (const onnx::OperatorSetIdProto &set : function.opset_import()) {
      auto [known, isNew] = opsets.try_emplace(
          std::string(domainName(set.domain())), set.version());
      if (known->second != set.version())
        return false;
      if (isNew)
        added.push_back(set);
    }
  if (model.functions().empty())
    return false;
  FunctionOpsets unused;
  if (Status status = Expander(model, unused).run(); !status.ok())
    return status;
  for (const onnx::OperatorSetIdProto &set : added)
    *model.add_opset_import() = set;
  return true;
}
