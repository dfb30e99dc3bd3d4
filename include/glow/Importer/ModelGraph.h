//===- ModelGraph.h - graphs of models in stages ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A model whose sizes or structure are known only during a run. The host walks
// it: it runs single nodes itself, and compiles stages of several nodes where
// it can.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORTER_MODELGRAPH_H
#define GLOW_IMPORTER_MODELGRAPH_H

#include "glow/Importer/Importer.h"
#include "glow/Values/HostCall.h"
#include <memory>
#include <set>

namespace onnx {
class GraphProto;
class NodeProto;
} // namespace onnx

namespace glow {

struct ModelGraph;

/// A node of a staged model.
struct ModelNode {
  std::string name, domain, op;
  std::string place; ///< in messages: the operator, and its index in a net
  int64_t opset = 0; ///< 0: the model has no opset for the domain
  std::vector<std::string> inputs, outputs; ///< "" where absent

  /// The values that must exist before it can run, each once: its inputs, and
  /// the values of outer graphs that its graphs read.
  std::vector<std::string> reads;

  const HostEntry *host = nullptr; ///< null: it does not run on the host
  bool imports = false;            ///< whether a record imports it
  bool movesElements = false;      ///< from its import or host record

  std::map<std::string, std::unique_ptr<ModelGraph>> graphs; ///< attributes
  HostGraphs bodies; ///< their declarations
};

/// The nodes that the outputs of a graph need, in topological order.
struct ModelGraph {
  const onnx::GraphProto *proto = nullptr;
  std::vector<std::string> inputs, outputs;
  std::set<std::string, std::less<>> initializers;
  std::set<std::string, std::less<>> texts; ///< initializers that are strings
  std::vector<ModelNode> nodes;
  std::vector<const onnx::NodeProto *> protos; ///< of the nodes
  std::map<std::string, int>
      readers; ///< number of readers of a name: nodes and outputs
};

/// A graph during its run, and the graphs around it.
struct GraphFrame {
  const ModelGraph *graph = nullptr;
  const GraphFrame *outer = nullptr;
  HostValues values;      ///< inputs, and results that are still needed
  std::vector<bool> done; ///< marks nodes that have run

  /// The value of a name here or in an outer graph; null before it exists.
  const HostValue *find(std::string_view name) const;
};

/// Policy for values on which a stage may be specialised.
enum class KnownValues {
  LookThrough, ///< known values, and small values computed from them
  Direct,      ///< the value itself, even if another stage must compute it
  UnlessHost,  ///< the same, but nothing if the host can run the node
};

/// The part of a graph that can be compiled with the values known so far.
struct ImportedStage {
  /// A module with a placeholder for each value that it reads and for each
  /// value that others need. Null if no node can be compiled.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<std::string> inputs, outputs; ///< names in the model
  std::vector<int> nodes; ///< nodes of the graph that the module computes

  /// The inspected names, with the types of tensors.
  using Looked = std::pair<std::string, std::optional<TensorType>>;
  std::vector<Looked> looked;
  std::vector<Constant> assumed; ///< names whose values were inspected

  /// The nodes that have their inputs but cannot be compiled now, with the
  /// reasons.
  std::map<int, std::string> waiting;

  /// The waiting nodes that cannot be compiled with any values, as a message
  /// with a line for each reason; "" if there are none.
  std::string refused;
};

/// An ONNX model to be run in stages.
class StagedGraph {
public:
  /// Fails, listing them, if the model has nodes that nothing can run. Does not
  /// refer to `file` later.
  static Result<std::unique_ptr<StagedGraph>> open(ModelFile &file);
  ~StagedGraph();

  const ModelInterface &interface() const;
  const ModelGraph &graph() const;

  /// Fails if inputs of these shapes contradict the file's declarations.
  Status checkShapes(const std::map<std::string, Ints> &shapes) const;

  /// The value of an initializer of the graph.
  Result<HostValue> initializer(const ModelGraph &graph,
                                const std::string &name);

  /// The attributes of a node, except graphs.
  Result<HostAttributes> attributes(const ModelGraph &graph, int node);

  /// A graph of this single node, which has no graphs of its own. The inputs
  /// come from the graph around it. The graph lives as long as the model.
  const ModelGraph &alone(const ModelGraph &graph, size_t node);

  /// Imports those nodes of `frame` that can be imported and have not run.
  /// Fails if the file is malformed.
  Result<ImportedStage> importStage(mlir::MLIRContext &context,
                                    const GraphFrame &frame, KnownValues known,
                                    uint64_t memoryLimit);

private:
  struct State;
  explicit StagedGraph(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace glow

#endif // GLOW_IMPORTER_MODELGRAPH_H
