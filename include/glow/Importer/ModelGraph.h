//===- ModelGraph.h - a model that is run in stages -------------*- C++ -*-===//
//
// A model whose sizes or structure only a run knows is walked on the host, node
// by node where nothing can be compiled, and in stages where something can.
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

/// A node as the host sees it.
struct ModelNode {
  std::string name, domain, op;
  int64_t opset = 0;                        ///< 0: the model imports none
  std::vector<std::string> inputs, outputs; ///< "" where absent

  /// What must be there before it can run: its inputs, and names of outer
  /// graphs that graphs in it read. Each once.
  std::vector<std::string> reads;

  const HostEntry *host = nullptr; ///< null: it does not run on the host
  bool imports = false;            ///< whether a record makes nodes of it
  bool movesElements = false;      ///< as its record says

  std::map<std::string, std::unique_ptr<ModelGraph>> graphs; ///< attributes
  HostGraphs bodies; ///< what these declare
};

/// The nodes that the outputs of a graph need, each after those it reads from.
struct ModelGraph {
  const onnx::GraphProto *proto = nullptr;
  std::vector<std::string> inputs, outputs;
  std::set<std::string, std::less<>> initializers;
  std::set<std::string, std::less<>> texts; ///< initializers that are strings
  std::vector<ModelNode> nodes;
  std::vector<const onnx::NodeProto *> protos; ///< of the nodes
  std::map<std::string, int>
      readers; ///< how many nodes and outputs read a name
};

/// A graph while it is run, and the graphs around it.
struct GraphFrame {
  const ModelGraph *graph = nullptr;
  const GraphFrame *outer = nullptr;
  HostValues values;      ///< inputs, and results that are needed
  std::vector<bool> done; ///< the nodes that were run

  /// The value of a name here or further out; null when it is no value yet.
  const HostValue *find(std::string_view name) const;
};

/// Where a node needs a value, what a stage may be specialised on.
enum class KnownValues {
  LookThrough, ///< values, and small ones that others are computed from
  Direct,      ///< the value itself, which another stage may have to compute
  UnlessHost,  ///< the value itself, but nothing if the host can run the node
};

/// What of a graph can be compiled, given what is known by now.
struct ImportedStage {
  /// With a placeholder for each value that it reads and for each that others
  /// need. Null when no node can be compiled.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<std::string> inputs, outputs; ///< names in the model
  std::vector<int> nodes;                   ///< of the graph: what it computes

  /// The names that were looked at, and their types; none if no tensor.
  using Looked = std::pair<std::string, std::optional<TensorType>>;
  std::vector<Looked> looked;
  std::vector<Constant> assumed; ///< names whose values were looked at

  /// The nodes that cannot be compiled now, whose inputs are there, and why.
  std::map<int, std::string> waiting;

  /// Those among them that no value would make compile, as a message with a
  /// line for each reason; "" when there are none.
  std::string refused;
};

/// An ONNX model to be run in stages.
class StagedGraph {
public:
  /// Fails, listing all of them, when it has nodes that nothing can run. Does
  /// not refer to `file` later.
  static Result<std::unique_ptr<StagedGraph>> open(ModelFile &file);
  ~StagedGraph();

  const ModelInterface &interface() const;
  const ModelGraph &graph() const;

  /// Fails when inputs of these shapes are not those that the file declares.
  Status checkShapes(const std::map<std::string, Ints> &shapes) const;

  /// The value of an initializer of the graph.
  Result<HostValue> initializer(const ModelGraph &graph,
                                const std::string &name);

  /// The attributes of a node that are no graphs.
  Result<HostAttributes> attributes(const ModelGraph &graph, int node);

  /// A graph of this node alone, which has no graphs of its own. What it reads
  /// comes from a graph around it. Lives as long as the model.
  const ModelGraph &alone(const ModelGraph &graph, size_t node);

  /// Imports what can be imported of the nodes of `frame` that are not done.
  /// Fails when the file is wrong.
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
