//===- Verify.h - checks of tensors against signatures --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Shared code of the generated verifiers of nodes and instructions. Shape.h has
// the code that reads shapes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_VERIFY_H
#define GLOW_GRAPH_VERIFY_H

#include "glow/Graph/Shape.h"
#include "mlir/IR/TypeRange.h"

namespace glow {

/// Compares the types of results with those that a signature infers. Quantised
/// kinds agree if their storage does, since a scale belongs to the value.
llvm::LogicalResult verifyTypes(Report report, mlir::TypeRange results,
                                llvm::ArrayRef<mlir::Type> inferred);

/// Checks the type of a scratch buffer of an instruction.
llvm::LogicalResult verifyScratch(Report report, llvm::StringRef name,
                                  mlir::Type has, mlir::Type wants);

/// Whether the sizes of a tensor, or of each tensor of a list, broadcast to
/// `shape`. Reports the first that does not. An absent tensor does.
bool broadcastAll(Report report, llvm::StringRef label, mlir::Type tensor,
                  const Sizes &shape);
bool broadcastAll(Report report, llvm::StringRef label, mlir::TypeRange tensors,
                  const Sizes &shape);

/// Whether `holds` is true of an attribute of a node. Unlike
/// Operation::getAttrs, it builds no dictionary, which the context would keep.
bool anyAttribute(mlir::Operation *node,
                  llvm::function_ref<bool(mlir::Attribute)> holds);

/// Whether a run gives sizes of a node: of a tensor, or in an attribute.
bool takesLengths(mlir::Operation *node);

} // namespace glow

#endif // GLOW_GRAPH_VERIFY_H
