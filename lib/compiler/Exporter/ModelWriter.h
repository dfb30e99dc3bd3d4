//===- ModelWriter.h - writer of ONNX graphs --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_EXPORTER_MODELWRITER_H
#define GLOW_LIB_EXPORTER_MODELWRITER_H

#include "NodeProposal.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace glow {

/// The operator as which each operation is written.
struct WrittenNode {
  NodeForm form;
  /// The nodes that an UnrealizedConversionCastOp stands for.
  std::shared_ptr<const JoinedNodes> joined = nullptr;
};
using NodeForms = llvm::DenseMap<mlir::Operation *, WrittenNode>;

/// Whether an operation takes the slices of the trips that a loop has done: an
/// operator of ONNX gives no others.
bool isSliceOfTrips(mlir::Operation *op);

/// The bytes of the model. Fails after an error: the data of a constant is
/// missing, or the model is larger than a protobuf message may be.
mlir::FailureOr<std::string> writeModel(mlir::ModuleOp module,
                                        const NodeForms &forms,
                                        const WrittenFor &version);

} // namespace glow

#endif // GLOW_LIB_EXPORTER_MODELWRITER_H
