//===- GraphImporter.h - the nodes of a model -------------------*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_GRAPHIMPORTER_H
#define GLOW_LIB_IMPORTER_GRAPHIMPORTER_H

#include "CompileTimeValues.h"
#include "Failures.h"
#include "GraphOrder.h"
#include "Model.h"
#include "ModuleStorage.h"
#include "glow/Importer/ImportContext.h"

namespace glow {

/// The values that nodes of one graph may read.
struct ImportScope {
  ImportScope(const onnx::GraphProto &graph, ImportScope *outer);

  const onnx::GraphProto &graph;
  ImportScope *outer; ///< the graph around this one; null for the model's

  /// Values that are there. Null where a node or a tensor failed, so that what
  /// depends on it is left out without a failure of its own.
  llvm::StringMap<mlir::Value> values;
  llvm::StringMap<const onnx::TensorProto *> initializers;
  llvm::StringSet<> sparse; ///< names of sparse initializers
  llvm::StringSet<> used;   ///< see GraphOrder

  bool defines(llvm::StringRef name) const;
};

class GraphImporter {
public:
  GraphImporter(Model &model, ModuleStorage &storage)
      : model(model), storage(storage), values(storage) {}

  /// Imports the graph of the model. `shapes` are those of its inputs. Fails
  /// after errors told to the diagnostic engine.
  mlir::LogicalResult run(const ModelInterface &interface,
                          const std::vector<Ints> &shapes);

private:
  friend class ImportContext;

  /// Imports the nodes that the outputs of the scope's graph need. Nodes that
  /// fail are in `failures`.
  Status importNodes(ImportScope &scope);
  void importNode(ImportScope &scope, const onnx::NodeProto &node);

  /// Whether the node may be imported with the row; a sentence where not.
  std::string misuse(const onnx::NodeProto &node, const ImportEntry &entry);
  bool runEntry(ImportContext &context);
  void checkResults(ImportContext &context);

  void fail(const onnx::NodeProto &node, llvm::StringRef reason);
  void failInner(const onnx::NodeProto &node);
  const ImportEntry *entryOf(const onnx::NodeProto &node, std::string &reason);

  /// The value of a name that some scope defines; null when it failed.
  mlir::Value valueOf(ImportScope &scope, llvm::StringRef name);

  /// The value of a tensor in the file, read. `label` names it in messages.
  Result<mlir::Value> constantOf(const onnx::TensorProto &tensor,
                                 llvm::StringRef name);
  mlir::Value initializer(ImportScope &scope, llvm::StringRef name);
  mlir::LogicalResult saveOutputs(ImportScope &scope,
                                  const std::vector<ModelPort> &outputs);

  Model &model;
  ModuleStorage &storage;
  CompileTimeValues values;
  Failures failures;
  bool broken = false; ///< a tensor of the file is wrong, and that was told
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPHIMPORTER_H
