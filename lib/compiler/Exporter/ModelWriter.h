//===- ModelWriter.h - a graph whose nodes have operators -------*- C++ -*-===//

#ifndef GLOW_LIB_EXPORTER_MODELWRITER_H
#define GLOW_LIB_EXPORTER_MODELWRITER_H

#include "NodeProposal.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// How each node is written.
using NodeForms = llvm::DenseMap<mlir::Operation *, NodeForm>;

/// The bytes of the model. Fails after an error: of a constant whose data is
/// not there, or of a model that is larger than a message of protobuf may be.
mlir::FailureOr<std::string> writeModel(mlir::ModuleOp module,
                                        const NodeForms &forms,
                                        const WrittenFor &version);

} // namespace glow

#endif // GLOW_LIB_EXPORTER_MODELWRITER_H
