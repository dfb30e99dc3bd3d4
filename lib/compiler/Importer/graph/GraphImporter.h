//===- GraphImporter.h - the nodes of a model -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_GRAPH_GRAPHIMPORTER_H
#define GLOW_LIB_IMPORTER_GRAPH_GRAPHIMPORTER_H

#include "ModuleStorage.h"
#include "SizeArithmetic.h"
#include "file/GraphOrder.h"
#include "file/Model.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Importer/ModelGraph.h"
#include "rows/Refusals.h"

namespace glow {

/// The values that nodes of a graph may read.
struct ImportScope {
  ImportScope(const onnx::GraphProto &graph, ImportScope *outer);

  const onnx::GraphProto &graph;
  ImportScope *outer; ///< the graph around this one; null for the model's

  /// Values that a stage may read; null when the model is compiled whole.
  const GraphFrame *frame = nullptr;

  /// The values so far. Null where a node or a tensor failed, so that its users
  /// are left out without a failure of their own.
  llvm::StringMap<mlir::Value> values;
  llvm::StringMap<const onnx::TensorProto *> initializers;
  llvm::StringSet<> sparse; ///< names of sparse initializers
  llvm::StringSet<> used;   ///< see GraphOrder

  bool defines(llvm::StringRef name) const;
};

class GraphImporter {
public:
  GraphImporter(ParsedModel &model, ModuleStorage &storage)
      : model(model), storage(storage), values(storage) {}

  /// Imports the graph of the model; `shapes` gives the shape of each input.
  /// Fails after errors are reported to the diagnostic engine. With `inStages`,
  /// failures that only mean that the model runs in stages are not reported;
  /// `inStages` becomes true.
  mlir::LogicalResult run(const ModelInterface &interface,
                          const std::vector<Sizes> &shapes, bool *inStages);

  /// Imports the remaining nodes of a graph as far as possible. Fails after
  /// errors are reported to the diagnostic engine.
  mlir::FailureOr<ImportedStage> runStage(const GraphFrame &frame);

  /// Whether nodes that the host can run are left to it, instead of being
  /// specialised on a value.
  bool preferHost = false;

  /// The number of sizes that nodes compute; null if none may.
  unsigned *computed = nullptr;

  int64_t maxIterations = 0; ///< ImportOptions::maxIterations

  /// ImportOptions::sizes.
  std::vector<SizeVariable> ranges = {};

  /// ImportOptions::isForTraining.
  bool isForTraining = false;

  /// The options of an import for changes; null for any other.
  const ImportOptions *forChanges = nullptr;

private:
  friend class ImportContext;

  /// Imports the nodes that the outputs of the scope's graph need. Nodes that
  /// fail are in `failures`.
  Status importNodes(ImportScope &scope);
  void importNode(ImportScope &scope, const onnx::NodeProto &node);
  /// Whether the elements depend on constants and sizes alone.
  bool isOfSizes(mlir::Value value);
  /// Runs a node of the host on constants. Otherwise the node waits for a run,
  /// for a reason `why`, or that of the operator.
  void importHostNode(ImportScope &scope, const onnx::NodeProto &node,
                      const HostEntry &host, llvm::StringRef why = "");
  std::optional<std::vector<HostValue>>
  constantInputs(llvm::ArrayRef<mlir::Value> inputs);
  void setHostResults(ImportScope &scope, const onnx::NodeProto &node,
                      HostCall &call);
  void importOfSequence(ImportScope &scope, const onnx::NodeProto &node,
                        const OperatorRows &rows, mlir::Value input);
  void importByEntry(ImportScope &scope, const onnx::NodeProto &node,
                     const OperatorRows &rows);

  /// The inputs of a node, null where absent; nullopt when an input is missing.
  std::optional<llvm::SmallVector<mlir::Value>>
  inputsOf(ImportScope &scope, const onnx::NodeProto &node);

  /// The parts of `runStage`.
  using Scopes = std::vector<std::unique_ptr<ImportScope>>;
  Scopes scopesOf(const GraphFrame &frame);
  mlir::Value stageInput(llvm::StringRef name, const HostValue &value);
  void importStageNodes(const GraphFrame &frame, ImportScope &scope,
                        ImportedStage &stage);
  Status saveStageOutputs(const GraphFrame &frame, ImportScope &scope,
                          ImportedStage &stage);
  void finishStage(const GraphFrame &frame, ImportedStage &stage);

  /// Gives the operations that come after `before` their origin, and keeps what
  /// is read beside them.
  void addOrigins(ImportContext &context, mlir::Operation *before);
  void keepReads(ImportScope &scope, const onnx::NodeProto &node,
                 mlir::Operation *before);
  Status addGiven(ImportScope &scope, const onnx::NodeProto &node);
  Status saveKept(ImportScope &scope, const ModelInterface &interface);

  /// The last operation so far; null if there is none.
  mlir::Operation *lastMade();

  bool runEntry(ImportContext &context);

  /// Replaces results whose nodes round f16 or bf16 between each other by those
  /// of the record on f32, rounded.
  void roundOnce(ImportContext &context);
  void checkResults(ImportContext &context);

  void fail(const onnx::NodeProto &node, llvm::StringRef reason,
            bool inStages = false);
  void failInner(const onnx::NodeProto &node);

  /// The value of a name that some scope defines; null when the value failed.
  mlir::Value valueOf(ImportScope &scope, llvm::StringRef name);

  /// Reads a tensor of the file as a constant named `name`.
  Result<mlir::Value> constantOf(const onnx::TensorProto &tensor,
                                 llvm::StringRef name);
  mlir::Value initializer(ImportScope &scope, llvm::StringRef name);
  mlir::LogicalResult saveOutputs(ImportScope &scope,
                                  const ModelInterface &interface);

  ParsedModel &model;
  ModuleStorage &storage;
  CompileTimeValues values;
  SizeArithmetic sizes{values};
  SizeArithmetic sizesAlone{values}; ///< without values of inputs
  Failures failures;
  bool broken = false; ///< a tensor of the file is wrong, and that was reported
  std::string needsHost; ///< a value that cannot be in a program, as strings
  unsigned unknownValues = 0;    ///< times that a value was asked for in vain
  std::string lastReason;        ///< reason of the node that failed last
  std::vector<std::string> kept; ///< names that are read beside the module

  /// The inputs of a stage: the symbol, and the name in the model.
  std::vector<std::pair<std::string, std::string>> stageInputs;
  std::vector<ImportedStage::Looked> looked;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPH_GRAPHIMPORTER_H
