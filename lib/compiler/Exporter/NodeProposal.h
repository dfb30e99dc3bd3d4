//===- NodeProposal.h - one node as an operator of ONNX ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_EXPORTER_NODEPROPOSAL_H
#define GLOW_LIB_EXPORTER_NODEPROPOSAL_H

#include "glow/Graph/Dialect.h"
#include "glow/Importer/ImportInverse.h"
#include "mlir/IR/Operation.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace glow {

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
};

/// The row by which a node is written, and the attributes of the row that are
/// left out.
struct NodeForm {
  const ImportInverse *row = nullptr;
  std::set<llvm::StringRef> leftOut = {};
};

/// Writes a node, without outputs and a name. False where the node has a
/// property that the row does not write.
bool writeNode(mlir::Operation *op, const NodeForm &form,
               const ModelNames &names, onnx::NodeProto &node);

/// Writes the operator's outputs in their order. `names` are the names of the
/// node's results.
void writeOutputs(const ImportInverse &row, llvm::ArrayRef<std::string> names,
                  onnx::NodeProto &node);

/// Writes the type of a tensor under a name.
void writeValue(llvm::StringRef name, mlir::Type type,
                onnx::ValueInfoProto &value);

/// Writes the elements of a constant; false where its data is missing.
bool writeTensor(llvm::StringRef name, mlir::ElementsAttr value,
                 onnx::TensorProto &tensor);

/// Whether a node returns its operand, as a cast to the same kind does. ONNX
/// has no operator for it.
bool isIdentity(mlir::Operation *op);

/// The first row for which a model of this node alone is imported as the node.
/// The row is of the default domain or of another. Attributes that change
/// nothing are left out: old opsets lack some of them. A form without a row if
/// there is none. Reports nothing to the diagnostic engine.
NodeForm formOf(mlir::Operation *op, bool isDefaultDomain,
                const WrittenFor &version);

} // namespace glow

#endif // GLOW_LIB_EXPORTER_NODEPROPOSAL_H
