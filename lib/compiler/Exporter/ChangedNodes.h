//===- ChangedNodes.h - nodes of a file that a pass has changed -*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_EXPORTER_CHANGEDNODES_H
#define GLOW_LIB_EXPORTER_CHANGEDNODES_H

#include "NodeProposal.h"
#include "glow/Graph/File/Origin.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace glow {

/// A node of the file as operations of the module: once or, where a pass has
/// cloned them, again.
struct NodeInstance {
  int node;            ///< its index in the graph of the file
  unsigned number = 0; ///< 0: it has the node's place
  std::map<int64_t, mlir::OpResult> results = {}; ///< by output of the node
};

/// Writes the operations of a module, which was imported for changes, as nodes.
/// A node of the file whose operations have other operands has other inputs.
/// New operations, and those of a node that has other operations in between,
/// are written one by one.
class ChangedNodes {
public:
  ChangedNodes(mlir::ModuleOp module, onnx::ModelProto &model);

  /// Fails after an error: an operation has no operator of ONNX.
  mlir::LogicalResult write();

  /// The name of a value in the file, which gets one if it has none.
  std::string nameOf(mlir::Value value);

  /// The nodes that are written, and their instances; null for new nodes.
  std::vector<std::pair<onnx::NodeProto, const NodeInstance *>> made;
  std::vector<onnx::TensorProto> tensors; ///< initializers that are new
  std::set<std::string> domains;          ///< of operators

private:
  using Parts = llvm::SetVector<mlir::Operation *>;

  void findInstances();
  void nameValues();
  bool isKept(mlir::Value value) const;
  std::string nameOfStorage(mlir::Operation *read);
  std::string unique(llvm::StringRef wanted);
  bool takeInput(onnx::NodeProto &node, int64_t input, mlir::Value value);
  bool takeInputs(mlir::Operation *op, onnx::NodeProto &node, Parts &parts);
  void takeBehind(mlir::Operation *made, mlir::Operation *op,
                  onnx::NodeProto &node, Parts &parts);
  mlir::LogicalResult writeInstance(NodeInstance &instance);
  mlir::LogicalResult writeParts(const NodeInstance &instance,
                                 const Parts &parts);
  mlir::LogicalResult writeNew(mlir::Operation *op);
  void writeLinear(mlir::Operation *op);
  void writeBlocks(MatMulNBits op);
  std::string packedZeros(MatMulNBits op);
  void add(mlir::Operation *op, onnx::NodeProto node);
  void setLinearDomain();

  mlir::ModuleOp module;
  FuncOp function;
  onnx::ModelProto &model;
  WrittenFor version;
  llvm::StringMap<int> nodes; ///< nodes of the file, by first output
  llvm::StringSet<> taken;    ///< names of the file, and new ones
  llvm::DenseMap<mlir::Value, std::string> names;
  llvm::StringMap<std::string> storages; ///< names of new constants, by symbol
  std::vector<std::unique_ptr<NodeInstance>> instances;
  llvm::DenseMap<mlir::Operation *, NodeInstance *> instanceOf; ///< by root
  std::map<int64_t, std::string> changed; ///< inputs of the node in work
  unsigned leastOfLinear = 10;            ///< opset that has the linear nodes
  bool hasLinear = false;
};

/// Calls `visit` with each name that a node reads, in its graphs as well.
void forEachRead(const onnx::NodeProto &node,
                 llvm::function_ref<void(const std::string &)> visit);

} // namespace glow

#endif // GLOW_LIB_EXPORTER_CHANGEDNODES_H
