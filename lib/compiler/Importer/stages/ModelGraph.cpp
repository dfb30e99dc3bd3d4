//===- ModelGraph.cpp - graphs of models in stages ------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Importer/ModelGraph.h"
#include "file/Tensors.h"
#include "glow/Importer/ModelFile.h"
#include "graph/GraphImporter.h"
#include "model/Bodies.h"
#include "model/Shapes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

struct StagedGraph::State {
  std::string path;
  std::shared_ptr<ParsedModel> model;
  ModelInterface interface;
  ModelGraph main;
  onnx::GraphProto nothing; ///< of graphs that the file has not
  std::map<const ModelNode *, std::unique_ptr<ModelGraph>> alone;
};

namespace {

/// Orders a model's graphs, and looks up how each node can run.
class GraphBuilder {
public:
  explicit GraphBuilder(const ParsedModel &model) : model(model) {}

  using Defines = llvm::function_ref<bool(StringRef)>;
  Status fill(ModelGraph &graph, const onnx::GraphProto &proto, Defines outer);

  Failures failures;

private:
  Status add(ModelGraph &graph, const onnx::NodeProto &proto, Defines inside);
  void lookUp(ModelNode &node, const onnx::NodeProto &proto);

  const ParsedModel &model;
};

} // namespace

void GraphBuilder::lookUp(ModelNode &node, const onnx::NodeProto &proto) {
  OperatorRows rows = rowsOf(model, proto);
  node.imports = rows.import;
  node.host = rows.host;
  node.movesElements = (rows.import && rows.import->movesElements) ||
                       (rows.host && rows.host->movesElements);
  // All nodes that cannot run are reported at once, before any node runs.
  if (!rows.reason.empty())
    failures.add(domainName(node.domain), node.op, node.opset, rows.reason,
                 model.label(proto), false);
}

Status GraphBuilder::add(ModelGraph &graph, const onnx::NodeProto &proto,
                         Defines inside) {
  ModelNode node;
  node.name = nodeName(proto);
  node.domain = proto.domain();
  node.op = proto.op_type();
  auto place = model.places.find(&proto);
  node.place = place == model.places.end() ? node.op : place->second;
  node.opset = model.opset(proto).value_or(0);
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  lookUp(node, proto);
  llvm::StringSet<> seen;
  auto read = [&](const std::string &name) {
    if (!name.empty() && seen.insert(name).second)
      node.reads.push_back(name);
  };
  // The names include those that inner graphs of the node read from this graph.
  forNamesRead(proto, read);
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    if (!attribute.has_g())
      continue;
    auto inner = std::make_unique<ModelGraph>();
    if (Status status = fill(*inner, attribute.g(), inside); !status.ok())
      return status.prefixed("in graph '" + attribute.name() + "' of node '" +
                             node.name + "', ");
    node.graphs[attribute.name()] = std::move(inner);
  }
  node.bodies = graphsOf(model, proto);
  for (const std::string &name : node.reads)
    ++graph.readers[name];
  graph.nodes.push_back(std::move(node));
  graph.protos.push_back(&proto);
  return Status();
}

Status GraphBuilder::fill(ModelGraph &graph, const onnx::GraphProto &proto,
                          Defines outer) {
  graph.proto = &proto;
  Result<GraphOrder> order = orderOf(proto, outer);
  if (!order)
    return order.status();
  llvm::StringSet<> defined;
  for (const onnx::ValueInfoProto &input : proto.input()) {
    graph.inputs.push_back(input.name());
    defined.insert(input.name());
  }
  for (const onnx::TensorProto &tensor : proto.initializer()) {
    defined.insert(tensor.name());
    graph.initializers.insert(tensor.name());
    if (tensor.data_type() == onnx::TensorProto::STRING)
      graph.texts.insert(tensor.name());
  }
  for (const onnx::SparseTensorProto &tensor : proto.sparse_initializer())
    defined.insert(tensor.values().name());
  for (const onnx::NodeProto &node : proto.node())
    defined.insert_range(node.output());
  auto inside = [&](StringRef name) {
    return defined.contains(name) || outer(name);
  };
  for (int node : order->nodes)
    if (Status status = add(graph, proto.node(node), inside); !status.ok())
      return status;
  for (const onnx::ValueInfoProto &output : proto.output()) {
    graph.outputs.push_back(output.name());
    // Each output counts as one more reader, so that it outlives the last node.
    ++graph.readers[output.name()];
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

StagedGraph::StagedGraph(std::unique_ptr<State> state)
    : state(std::move(state)) {}
StagedGraph::~StagedGraph() = default;

const ModelInterface &StagedGraph::interface() const {
  return state->interface;
}
const ModelGraph &StagedGraph::graph() const { return state->main; }

Result<std::unique_ptr<StagedGraph>> StagedGraph::open(ModelFile &file) {
  const std::string &path = file.path();
  Result<std::shared_ptr<ParsedModel>> model = file.model();
  if (!model)
    return model.status().prefixed(path + ": ");
  Result<ModelInterface> interface = interfaceOf(**model);
  if (!interface)
    return interface.status().prefixed(path + ": ");
  std::unique_ptr<State> state(
      new State{path, model.take(), interface.take(), {}, {}, {}});
  GraphBuilder builder(*state->model);
  Status status = builder.fill(state->main, state->model->proto->graph(),
                               [](StringRef) { return false; });
  if (!status.ok())
    return status.prefixed(path + ": ");
  if (!builder.failures.empty())
    return failure(Code::Unsupported, path, ": ", builder.failures.refusals());
  return std::unique_ptr<StagedGraph>(new StagedGraph(std::move(state)));
}

Status
StagedGraph::checkShapes(const std::map<std::string, Ints> &shapes) const {
  std::vector<ModelPort> ports = state->interface.inputs;
  for (const ModelPort &port : state->interface.overridable)
    if (shapes.contains(port.name))
      ports.push_back(port);
  return bindShapes(ports, shapes).status();
}

Result<HostValue> StagedGraph::initializer(const ModelGraph &graph,
                                           const std::string &name) {
  for (const onnx::TensorProto &tensor : graph.proto->initializer()) {
    if (tensor.name() != name)
      continue;
    Result<HostValue> value = hostValueOf(*state->model, tensor);
    if (value)
      return value;
    return value.status().prefixed("initializer '" + name + "' ");
  }
  return failure(Code::NotFound, "there is no initializer '", name, "'");
}

Result<HostAttributes> StagedGraph::attributes(const ModelGraph &graph,
                                               int node) {
  return hostAttributesOf(*state->model, *graph.protos[size_t(node)]);
}

const ModelGraph &StagedGraph::alone(const ModelGraph &graph, size_t node) {
  const ModelNode &from = graph.nodes[node];
  auto &alone = state->alone[&from];
  if (alone)
    return *alone;
  alone = std::make_unique<ModelGraph>();
  alone->proto = &state->nothing;
  ModelNode &copy = alone->nodes.emplace_back();
  copy.name = from.name, copy.domain = from.domain, copy.op = from.op;
  copy.place = from.place;
  copy.opset = from.opset;
  copy.inputs = from.inputs, copy.outputs = from.outputs;
  copy.reads = from.reads;
  copy.host = from.host, copy.imports = from.imports;
  alone->protos.push_back(graph.protos[node]);
  for (const std::string &name : from.reads)
    ++alone->readers[name];
  for (const std::string &name : from.outputs)
    if (!name.empty()) {
      alone->outputs.push_back(name);
      ++alone->readers[name];
    }
  return *alone;
}

Result<ImportedStage> StagedGraph::importStage(MLIRContext &context,
                                               const GraphFrame &frame,
                                               KnownValues known,
                                               uint64_t memoryLimit) {
  context.loadDialect<GlowDialect>();
  ModuleStorage storage(context, state->path, {}, memoryLimit);
  storage.setLookThrough(known == KnownValues::LookThrough);
  GraphImporter importer(*state->model, storage);
  importer.preferHost = known == KnownValues::UnlessHost;
  FailureOr<ImportedStage> stage = importer.runStage(frame);
  if (failed(stage))
    return Status(Code::Reported, state->path + " cannot be imported");
  return std::move(*stage);
}
