//===- NodeProposal.h - one node as an operator of ONNX ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_EXPORTER_NODEPROPOSAL_H
#define GLOW_LIB_EXPORTER_NODEPROPOSAL_H

#include "glow/Graph/Dialect.h"
#include "glow/Importer/ImportInverse.h"
#include "glow/Program/Size.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace glow {

struct ImportEntry;
struct ImportOptions;

/// The versions of the format and of the operators for which a model is
/// written.
struct WrittenFor {
  int64_t opset; ///< opset of the default domain

  void setIn(onnx::ModelProto &model,
             const std::set<std::string> &domains) const;
};

/// The names of a model while a node is written.
struct ModelNames {
  llvm::function_ref<std::string(mlir::Value)> of;
  /// Adds a constant tensor and returns its name; the tensor's own name is a
  /// hint.
  llvm::function_ref<std::string(onnx::TensorProto)> add;
  /// The name of a list of sizes that a run gives; "" if none can be written.
  llvm::function_ref<std::string(const Sizes &)> sizes;
};

/// The row by which a node is written, and the inputs and attributes of the row
/// that are left out.
struct NodeForm {
  const ImportInverse *row = nullptr;
  std::set<llvm::StringRef> leftOut = {};
  /// Choice among the paths that lead to a value, of all inputs together.
  unsigned variant = 0;

  /// Whether the node is written together with nodes that lead to it.
  bool hasPaths() const;
};

/// Several nodes as one operator, whose inputs are operands.
struct JoinedNodes {
  onnx::NodeProto node; ///< "#2" is operand 2, "@2" tensor 2, "$2" list 2
  llvm::SmallVector<mlir::Value> operands;
  std::vector<onnx::TensorProto> tensors;
  std::vector<Sizes> sizes;

  JoinedNodes(mlir::Operation *op, const NodeForm &form);
  /// Writes the operator, of which `op` has the operands.
  void write(mlir::Operation *op, const ModelNames &names,
             onnx::NodeProto &node) const;
};

/// The values to which paths lead (ImportInverse.h), each once.
llvm::SmallVector<mlir::Value> valuesAt(mlir::Operation *op,
                                        llvm::StringRef paths);
/// The attribute to which the first of some paths leads; null if none leads to
/// an attribute.
mlir::Attribute attributeAt(mlir::Operation *op, llvm::StringRef paths);

/// Writes a node, without outputs and a name. False where the node has a
/// property that the row does not write.
bool writeNode(mlir::Operation *op, const NodeForm &form,
               const ModelNames &names, onnx::NodeProto &node);

/// Writes the operator's outputs in their order. `names` are the names of the
/// node's results.
void writeOutputs(const ImportInverse &row, llvm::ArrayRef<std::string> names,
                  onnx::NodeProto &node);

/// The import record of a row.
const ImportEntry *entryOf(const ImportInverse &row);
/// The row's value for an input or an attribute; null if there is none.
const InverseValue *valueOf(const ImportInverse &row, llvm::StringRef name);

/// Writes the type of a tensor under a name. A size that a run gives has the
/// text of its length as its name.
void writeValue(llvm::StringRef name, mlir::Type type,
                onnx::ValueInfoProto &value);

/// Writes the elements of a constant; false where its data is missing.
bool writeTensor(llvm::StringRef name, mlir::ElementsAttr value,
                 onnx::TensorProto &tensor);

/// Imports the bytes of a model; null after an error.
mlir::OwningOpRef<mlir::ModuleOp> importBytes(mlir::MLIRContext &context,
                                              const std::string &bytes,
                                              const ImportOptions &options);

/// Whether a node returns its operand, as a cast to the same kind does. ONNX
/// has no operator for it.
bool isIdentity(mlir::Operation *op);

/// The first of the suitable rows for which a model of this node alone is
/// imported as the node, or as the node and the nodes that lead to it.
/// Attributes that change nothing are left out: old opsets lack some of them. A
/// form without a row if there is none. Reports nothing to the diagnostic
/// engine.
NodeForm formOf(mlir::Operation *op,
                llvm::function_ref<bool(const NodeForm &)> suits,
                const WrittenFor &version);

} // namespace glow

#endif // GLOW_LIB_EXPORTER_NODEPROPOSAL_H
