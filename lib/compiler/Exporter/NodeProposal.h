//===- NodeProposal.h - one node as an operator of ONNX ---------*- C++ -*-===//

#ifndef GLOW_LIB_EXPORTER_NODEPROPOSAL_H
#define GLOW_LIB_EXPORTER_NODEPROPOSAL_H

#include "glow/Graph/Dialect.h"
#include "glow/Importer/ImportInverse.h"
#include "mlir/IR/Operation.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace glow {

/// The versions of the format and of operators that a model is written for.
struct WrittenFor {
  int64_t opset; ///< of the default domain

  void setIn(onnx::ModelProto &model,
             const std::set<std::string> &domains) const;
};

/// How names of a model are found while a node is written.
struct ModelNames {
  llvm::function_ref<std::string(mlir::Value)> of;
  /// Adds a tensor that is known, and names it; its own name is a hint.
  llvm::function_ref<std::string(onnx::TensorProto)> add;
};

/// By which row a node is written, and which of the row's attributes are not
/// there.
struct NodeForm {
  const ImportInverse *row = nullptr;
  std::set<llvm::StringRef> leftOut = {};
};

/// Writes a node, without outputs and a name. False where it has something that
/// the row does not write.
bool writeNode(mlir::Operation *op, const NodeForm &form,
               const ModelNames &names, onnx::NodeProto &node);

/// The names of the outputs in the order of the operator, of which results have
/// `names`.
void writeOutputs(const ImportInverse &row, llvm::ArrayRef<std::string> names,
                  onnx::NodeProto &node);

/// Writes the type of a tensor under a name.
void writeValue(llvm::StringRef name, mlir::Type type,
                onnx::ValueInfoProto &value);

/// The elements of a constant; false where its data is not there.
bool writeTensor(llvm::StringRef name, mlir::ElementsAttr value,
                 onnx::TensorProto &tensor);

/// Whether a node gives its operand, as a cast to the kind that it has: no
/// operator is one.
bool isIdentity(mlir::Operation *op);

/// The first row of which a model of this node alone is imported as the node,
/// of the default domain or of others, without the attributes that change
/// nothing: old opsets have not all of them. A form without a row if there is
/// none. Tells nothing to the diagnostic engine.
NodeForm formOf(mlir::Operation *op, bool isDefaultDomain,
                const WrittenFor &version);

} // namespace glow

#endif // GLOW_LIB_EXPORTER_NODEPROPOSAL_H
