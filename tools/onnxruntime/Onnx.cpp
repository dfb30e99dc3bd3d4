//===- Onnx.cpp - nodes of ONNX Runtime as an ONNX model ------------------===//
// SPDX-License-Identifier: MIT
//
// The numbers of fields are those of onnx.proto. ONNX Runtime numbers element
// types as ONNX does.
//
//===----------------------------------------------------------------------===//

#include "Onnx.h"
#include "Writer.h"

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

static void writeShape(const TensorType &type, Writer &out) {
  for (size_t i = 0; i < type.shape.size(); ++i)
    out.message(1, [&] {
      if (type.shape[i] >= 0)
        out.integer(1, type.shape[i]);
      else if (!type.names[i].empty())
        out.text(2, type.names[i]);
    });
}

/// A value of an inner graph may be no tensor, or have no known type; Glow
/// infers it.
static void writeValue(const Host &host, const ValueInfo *value, Writer &out) {
  out.text(1, host.nameOf(value));
  std::optional<TensorType> type = host.typeOf(value);
  if (!type || !type->element)
    return;
  auto writeTensor = [&] {
    out.integer(1, type->element);
    if (type->hasRank)
      out.message(2, [&] { writeShape(*type, out); });
  };
  out.message(2, [&] { out.message(1, writeTensor); });
}

static void writeStrings(const Host &host, const Value *value, size_t count,
                         Writer &out) {
  const size_t bytes =
      host.get<size_t>(host.api.GetStringTensorDataLength, value);
  std::string all(bytes, '\0');
  std::vector<size_t> begins(count + 1, bytes);
  if (count)
    host.check(host.api.GetStringTensorContent(value, all.data(), bytes,
                                               begins.data(), count));
  for (size_t i = 0; i < count; ++i)
    out.text(
        6, std::string_view(all).substr(begins[i], begins[i + 1] - begins[i]));
}

static void writeTensor(const Host &host, const Value *value,
                        const std::string &name, Writer &out) {
  const Tensor tensor = host.tensorOf(value);
  size_t count = 1;
  for (int64_t size : tensor.shape) {
    out.integer(1, size);
    count *= size;
  }
  out.integer(2, tensor.element);
  out.text(8, name);
  if (tensor.element == 8)
    return writeStrings(host, value, count, out);
  const size_t bytes = host.get<size_t>(host.api.GetTensorSizeInBytes, value);
  out.text(9, {bytes ? static_cast<const char *>(tensor.data) : "", bytes});
}

static const Value *valueOf(const Host &host, const ValueInfo *constant) {
  const Value *value =
      host.get<const Value *>(host.api.ValueInfo_GetInitializerValue, constant);
  if (!value)
    throw Failure(ORT_EP_FAIL, "the constant '" + host.nameOf(constant) +
                                   "' has no value that a provider may read");
  return value;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The bytes of an attribute.
static std::string read(const Host &host, const OpAttr *attr, int type) {
  size_t needed = 0;
  // Fails for want of memory, but has the number of bytes.
  if (Status *status = host.api.ReadOpAttr(attr, type, nullptr, 0, &needed))
    host.api.ReleaseStatus(status);
  std::string bytes(needed, '\0');
  if (needed)
    host.check(host.api.ReadOpAttr(attr, type, bytes.data(), needed, &needed));
  return bytes;
}

template <typename T>
static std::vector<T> readAll(const Host &host, const OpAttr *attr, int type) {
  const std::string bytes = read(host, attr, type);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Each text is followed by a zero.
static void writeTexts(const std::string &bytes, Writer &out) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = std::min(bytes.find('\0', at), bytes.size());
    out.text(9, std::string_view(bytes).substr(at, end - at));
    at = end + 1;
  }
}

static void writeTensorOf(const Host &host, const OpAttr *attr, Writer &out) {
  Value *value =
      host.get<Value *>(host.api.OpAttr_GetTensorAttributeAsOrtValue, attr);
  try {
    out.message(5, [&] { writeTensor(host, value, "", out); });
  } catch (...) {
    host.api.ReleaseValue(value);
    throw;
  }
  host.api.ReleaseValue(value);
}

/// An attribute that is no graph.
static void writeAttribute(const Host &host, const OpAttr *attr,
                           const std::string &name, int type, Writer &out) {
  out.text(1, name);
  switch (type) {
  case ORT_OP_ATTR_INT:
    out.integer(20, 2);
    out.integer(3, readAll<int64_t>(host, attr, ORT_OP_ATTR_INT).at(0));
    break;
  case ORT_OP_ATTR_INTS:
    out.integer(20, 7);
    for (int64_t value : readAll<int64_t>(host, attr, ORT_OP_ATTR_INTS))
      out.integer(8, value);
    break;
  case ORT_OP_ATTR_FLOAT:
    out.integer(20, 1);
    out.real(2, readAll<float>(host, attr, ORT_OP_ATTR_FLOAT).at(0));
    break;
  case ORT_OP_ATTR_FLOATS:
    out.integer(20, 6);
    for (float value : readAll<float>(host, attr, ORT_OP_ATTR_FLOATS))
      out.real(7, value);
    break;
  case ORT_OP_ATTR_STRING:
    out.integer(20, 3);
    out.text(4, read(host, attr, ORT_OP_ATTR_STRING));
    break;
  case ORT_OP_ATTR_STRINGS:
    out.integer(20, 8);
    writeTexts(read(host, attr, ORT_OP_ATTR_STRINGS), out);
    break;
  case ORT_OP_ATTR_TENSOR:
    out.integer(20, 4);
    writeTensorOf(host, attr, out);
    break;
  default:
    throw Failure(ORT_EP_FAIL, "attribute '" + name + "' has type " +
                                   std::to_string(type) +
                                   ", which a provider cannot read");
  }
}

//===----------------------------------------------------------------------===//
// Nodes and graphs
//===----------------------------------------------------------------------===//

static void writeInnerGraph(const Host &host, const Graph *graph, Writer &out);

static void writeAttributes(const Host &host, const Node *node, Writer &out) {
  for (const OpAttr *attr : host.list<OpAttr>(
           host.api.Node_GetNumAttributes, host.api.Node_GetAttributes, node)) {
    const int type = host.get<int>(host.api.OpAttr_GetType, attr);
    if (type == ORT_OP_ATTR_GRAPH)
      continue; // below
    const char *name = host.get<const char *>(host.api.OpAttr_GetName, attr);
    out.message(5, [&] { writeAttribute(host, attr, name, type, out); });
  }
  std::vector<const Graph *> graphs(
      host.get<size_t>(host.api.Node_GetNumSubgraphs, node));
  std::vector<const char *> names(graphs.size());
  if (!graphs.empty())
    host.check(host.api.Node_GetSubgraphs(node, graphs.data(), graphs.size(),
                                          names.data()));
  for (size_t i = 0; i < graphs.size(); ++i)
    out.message(5, [&] {
      out.text(1, names[i]);
      out.integer(20, 5);
      out.message(6, [&] { writeInnerGraph(host, graphs[i], out); });
    });
}

static void writeNode(const Host &host, const Node *node, Writer &out) {
  for (const ValueInfo *value : host.inputsOf(node))
    out.text(1, host.nameOf(value));
  for (const ValueInfo *value : host.outputsOf(node))
    out.text(2, host.nameOf(value));
  out.text(3, host.get<const char *>(host.api.Node_GetName, node));
  out.text(4, host.get<const char *>(host.api.Node_GetOperatorType, node));
  out.text(7, host.get<const char *>(host.api.Node_GetDomain, node));
  writeAttributes(host, node, out);
}

static void writeGraph(const Host &host, const Part &part, Writer &out) {
  for (const Node *node : part.nodes)
    out.message(1, [&] { writeNode(host, node, out); });
  out.text(2, host.get<const char *>(host.api.Graph_GetName, part.graph));
  for (const ValueInfo *constant : part.constants)
    out.message(5, [&] {
      writeTensor(host, valueOf(host, constant), host.nameOf(constant), out);
    });
  for (const ValueInfo *value : part.inputs)
    out.message(11, [&] { writeValue(host, value, out); });
  for (const ValueInfo *value : part.outputs)
    out.message(12, [&] { writeValue(host, value, out); });
}

static void writeInnerGraph(const Host &host, const Graph *graph, Writer &out) {
  const Api &api = host.api;
  Part whole;
  whole.graph = graph;
  whole.nodes = host.nodesOf(graph);
  whole.inputs =
      host.list<ValueInfo>(api.Graph_GetNumInputs, api.Graph_GetInputs, graph);
  whole.outputs = host.list<ValueInfo>(api.Graph_GetNumOutputs,
                                       api.Graph_GetOutputs, graph);
  whole.constants = host.list<ValueInfo>(api.Graph_GetNumInitializers,
                                         api.Graph_GetInitializers, graph);
  writeGraph(host, whole, out);
}

/// The bytes of the constants, which are most of a model.
static size_t bytesOf(const Host &host, const Part &part) {
  size_t bytes = 0;
  for (const ValueInfo *constant : part.constants) {
    const Value *value = valueOf(host, constant);
    if (host.tensorOf(value).element != 8)
      bytes += host.get<size_t>(host.api.GetTensorSizeInBytes, value);
  }
  if (bytes > mostBytes)
    throw Failure(ORT_EP_FAIL, "the constants have " + std::to_string(bytes) +
                                   " bytes, an ONNX model has at most " +
                                   std::to_string(mostBytes));
  return bytes;
}

std::string ort::modelOf(const Host &host, const Part &part) {
  const Api &api = host.api;
  Writer model;
  model.bytes.reserve(bytesOf(host, part) + 1024 * part.nodes.size());
  model.integer(1, host.get<int64_t>(api.Graph_GetOnnxIRVersion, part.graph));
  std::vector<const char *> domains(
      host.get<size_t>(api.Graph_GetNumOperatorSets, part.graph));
  std::vector<int64_t> versions(domains.size());
  if (!domains.empty())
    host.check(api.Graph_GetOperatorSets(part.graph, domains.data(),
                                         versions.data(), domains.size()));
  for (size_t i = 0; i < domains.size(); ++i)
    model.message(8, [&] {
      model.text(1, domains[i]);
      model.integer(2, versions[i]);
    });
  model.message(7, [&] { writeGraph(host, part, model); });
  return std::move(model.bytes);
}
