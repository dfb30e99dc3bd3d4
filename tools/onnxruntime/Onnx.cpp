//===- Onnx.cpp - nodes of ONNX Runtime as an ONNX model ------------------===//
// SPDX-License-Identifier: MIT
//
// The numbers of fields are those of onnx.proto. ONNX Runtime numbers element
// types as ONNX does.
//
//===----------------------------------------------------------------------===//

#include "Onnx.h"
#include "Writer.h"
#include <span>

using namespace glow;
using namespace glow::ort;

/// Protocol buffers have at most this many bytes.
static constexpr size_t mostBytes = (size_t(1) << 31) - (size_t(1) << 20);

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Part ort::partOf(const Host &host, const Graph *graph,
                 std::vector<const Node *> nodes,
                 const std::set<std::string> &used) {
  Part part;
  part.graph = graph;
  std::set<std::string> known;
  auto read = [&](const ValueInfo *value) {
    std::string name = host.nameOf(value);
    if (!name.empty() && known.insert(name).second)
      (host.isConstant(value) ? part.constants : part.inputs).push_back(value);
  };
  for (const Node *node : nodes) {
    for (const ValueInfo *value : host.inputsOf(node))
      read(value);
    for (const ValueInfo *value : host.implicitInputsOf(node))
      read(value);
    for (const ValueInfo *value : host.outputsOf(node)) {
      std::string name = host.nameOf(value);
      known.insert(name);
      if (!name.empty() && used.contains(name))
        part.outputs.push_back(value);
    }
  }
  part.nodes = std::move(nodes);
  return part;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Writer shapeOf(const TensorType &type) {
  Writer shape;
  for (size_t i = 0; i < type.shape.size(); ++i) {
    Writer size;
    if (type.shape[i] >= 0)
      size.integer(1, type.shape[i]);
    else if (!type.names[i].empty())
      size.text(2, type.names[i]);
    shape.message(1, size);
  }
  return shape;
}

/// A value of an inner graph may be no tensor, or have no known type; Glow
/// infers it.
static Writer valueOf(const Host &host, const ValueInfo *value) {
  Writer info;
  info.text(1, host.nameOf(value));
  std::optional<TensorType> type = host.typeOf(value);
  if (!type || !type->element)
    return info;
  Writer tensor, wrapped;
  tensor.integer(1, type->element);
  if (type->hasRank)
    tensor.message(2, shapeOf(*type));
  wrapped.message(1, tensor);
  info.message(2, wrapped);
  return info;
}

static void writeStrings(const Host &host, const Value *value, size_t count,
                         Writer &tensor) {
  const size_t bytes = host.get<size_t>(host.api.stringBytes(), value);
  std::string all(bytes, '\0');
  std::vector<size_t> begins(count + 1, bytes);
  if (count)
    host.check(
        host.api.strings()(value, all.data(), bytes, begins.data(), count));
  for (size_t i = 0; i < count; ++i)
    tensor.text(
        6, std::string_view(all).substr(begins[i], begins[i + 1] - begins[i]));
}

static Writer tensorOf(const Host &host, const Value *value,
                       const std::string &name) {
  const TensorType type = host.typeOf(value);
  Writer tensor;
  size_t count = 1;
  for (int64_t size : type.shape) {
    tensor.integer(1, size);
    count *= size;
  }
  tensor.integer(2, type.element);
  tensor.text(8, name);
  if (type.element == 8) {
    writeStrings(host, value, count, tensor);
    return tensor;
  }
  const size_t bytes = host.get<size_t>(host.api.tensorBytes(), value);
  if (bytes > mostBytes)
    throw Failure(EpFail, "'" + name + "' has " + std::to_string(bytes) +
                              " bytes, an ONNX model has at most " +
                              std::to_string(mostBytes));
  const void *data = bytes ? host.dataOf(value) : "";
  tensor.text(9, {static_cast<const char *>(data), bytes});
  return tensor;
}

static Writer constantOf(const Host &host, const ValueInfo *value) {
  const Value *tensor = host.get<const Value *>(host.api.initializer(), value);
  if (!tensor)
    throw Failure(EpFail, "the constant '" + host.nameOf(value) +
                              "' has no value that a provider may read");
  return tensorOf(host, tensor, host.nameOf(value));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The bytes of an attribute.
static std::string read(const Host &host, const OpAttr *attr, AttrType type) {
  size_t needed = 0;
  // Fails for want of memory, but has the number of bytes.
  if (Status *status = host.api.readAttr()(attr, type, nullptr, 0, &needed))
    host.api.releaseStatus()(status);
  std::string bytes(needed, '\0');
  if (needed)
    host.check(host.api.readAttr()(attr, type, bytes.data(), needed, &needed));
  return bytes;
}

template <typename T>
static std::vector<T> readAll(const Host &host, const OpAttr *attr,
                              AttrType type) {
  const std::string bytes = read(host, attr, type);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Each text is followed by a zero.
static void writeTexts(const std::string &bytes, Writer &attribute) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = std::min(bytes.find('\0', at), bytes.size());
    attribute.text(9, std::string_view(bytes).substr(at, end - at));
    at = end + 1;
  }
}

static void writeTensor(const Host &host, const OpAttr *attr,
                        Writer &attribute) {
  Value *value = host.get<Value *>(host.api.attrTensor(), attr);
  try {
    attribute.message(5, tensorOf(host, value, ""));
  } catch (...) {
    host.api.releaseValue()(value);
    throw;
  }
  host.api.releaseValue()(value);
}

/// An attribute that is no graph.
static Writer attributeOf(const Host &host, const OpAttr *attr,
                          const std::string &name, int type) {
  Writer attribute;
  attribute.text(1, name);
  switch (type) {
  case AttrInt:
    attribute.integer(20, 2);
    attribute.integer(3, readAll<int64_t>(host, attr, AttrInt).at(0));
    break;
  case AttrInts:
    attribute.integer(20, 7);
    for (int64_t value : readAll<int64_t>(host, attr, AttrInts))
      attribute.integer(8, value);
    break;
  case AttrFloat:
    attribute.integer(20, 1);
    attribute.real(2, readAll<float>(host, attr, AttrFloat).at(0));
    break;
  case AttrFloats:
    attribute.integer(20, 6);
    for (float value : readAll<float>(host, attr, AttrFloats))
      attribute.real(7, value);
    break;
  case AttrString:
    attribute.integer(20, 3);
    attribute.text(4, read(host, attr, AttrString));
    break;
  case AttrStrings:
    attribute.integer(20, 8);
    writeTexts(read(host, attr, AttrStrings), attribute);
    break;
  case AttrTensor:
    attribute.integer(20, 4);
    writeTensor(host, attr, attribute);
    break;
  default:
    throw Failure(EpFail, "attribute '" + name + "' has type " +
                              std::to_string(type) +
                              ", which a provider cannot read");
  }
  return attribute;
}

//===----------------------------------------------------------------------===//
// Nodes and graphs
//===----------------------------------------------------------------------===//

static Writer innerGraphOf(const Host &host, const Graph *graph);

static void writeAttributes(const Host &host, const Node *node, Writer &out) {
  for (const OpAttr *attr :
       host.list<OpAttr>(host.api.attrCountOf(), host.api.attrsOf(), node)) {
    const int type = host.get<int>(host.api.attrType(), attr);
    if (type == AttrGraph)
      continue; // below
    const char *name = host.get<const char *>(host.api.attrName(), attr);
    out.message(5, attributeOf(host, attr, name, type));
  }
  std::vector<const Graph *> graphs(
      host.get<size_t>(host.api.subgraphCountOf(), node));
  std::vector<const char *> names(graphs.size());
  if (!graphs.empty())
    host.check(host.api.subgraphsOf()(node, graphs.data(), graphs.size(),
                                      names.data()));
  for (size_t i = 0; i < graphs.size(); ++i) {
    Writer attribute;
    attribute.text(1, names[i]);
    attribute.integer(20, 5);
    attribute.message(6, innerGraphOf(host, graphs[i]));
    out.message(5, attribute);
  }
}

static Writer nodeOf(const Host &host, const Node *node) {
  Writer out;
  for (const ValueInfo *value : host.inputsOf(node))
    out.text(1, host.nameOf(value));
  for (const ValueInfo *value : host.outputsOf(node))
    out.text(2, host.nameOf(value));
  out.text(3, host.get<const char *>(host.api.nodeName(), node));
  out.text(4, host.get<const char *>(host.api.operatorType(), node));
  out.text(7, host.get<const char *>(host.api.operatorDomain(), node));
  writeAttributes(host, node, out);
  return out;
}

static Writer graphOf(const Host &host, const char *name,
                      std::span<const Node *const> nodes,
                      std::span<const ValueInfo *const> constants,
                      std::span<const ValueInfo *const> inputs,
                      std::span<const ValueInfo *const> outputs) {
  Writer out;
  for (const Node *node : nodes)
    out.message(1, nodeOf(host, node));
  out.text(2, name);
  for (const ValueInfo *value : constants) {
    out.message(5, constantOf(host, value));
    if (out.bytes.size() > mostBytes)
      throw Failure(EpFail, "the constants have more bytes than an ONNX model "
                            "may have, " +
                                std::to_string(mostBytes));
  }
  for (const ValueInfo *value : inputs)
    out.message(11, valueOf(host, value));
  for (const ValueInfo *value : outputs)
    out.message(12, valueOf(host, value));
  return out;
}

static Writer innerGraphOf(const Host &host, const Graph *graph) {
  const Api &api = host.api;
  return graphOf(
      host, host.get<const char *>(api.graphName(), graph), host.nodesOf(graph),
      host.list<ValueInfo>(api.initializerCount(), api.initializers(), graph),
      host.list<ValueInfo>(api.graphInputCount(), api.graphInputs(), graph),
      host.list<ValueInfo>(api.graphOutputCount(), api.graphOutputs(), graph));
}

std::string ort::modelOf(const Host &host, const Part &part) {
  const Api &api = host.api;
  Writer model;
  model.integer(1, host.get<int64_t>(api.irVersion(), part.graph));
  std::vector<const char *> domains(
      host.get<size_t>(api.operatorSetCount(), part.graph));
  std::vector<int64_t> versions(domains.size());
  if (!domains.empty())
    host.check(api.operatorSets()(part.graph, domains.data(), versions.data(),
                                  domains.size()));
  for (size_t i = 0; i < domains.size(); ++i) {
    Writer set;
    set.text(1, domains[i]);
    set.integer(2, versions[i]);
    model.message(8, set);
  }
  model.message(
      7, graphOf(host, host.get<const char *>(api.graphName(), part.graph),
                 part.nodes, part.constants, part.inputs, part.outputs));
  return std::move(model.bytes);
}
