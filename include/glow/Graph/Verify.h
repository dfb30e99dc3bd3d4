//===- Verify.h - checks of tensors against signatures --------*- C++ -*-===//
//
// What the generated verifiers of nodes and of instructions share, beside the
// reading of shapes (Shape.h).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_VERIFY_H
#define GLOW_GRAPH_VERIFY_H

#include "glow/Graph/Shape.h"
#include "mlir/IR/TypeRange.h"

namespace glow {

/// Checks the types of results against what a signature infers. Quantised kinds
/// agree when their storage does: a scale belongs to the value.
llvm::LogicalResult verifyTypes(Report report, mlir::TypeRange results,
                                llvm::ArrayRef<mlir::Type> inferred);

/// Checks the tensor of a buffer that an instruction has for itself.
llvm::LogicalResult verifyScratch(Report report, llvm::StringRef name,
                                  mlir::Type has, mlir::Type wants);

/// Whether the sizes of a tensor, or of each of a list, repeat to `shape`, as
/// in broadcasting; reports which do not. An absent tensor does.
bool broadcastAll(Report report, llvm::StringRef label, mlir::Type tensor,
                  const Ints &shape);
bool broadcastAll(Report report, llvm::StringRef label, mlir::TypeRange tensors,
                  const Ints &shape);

} // namespace glow

#endif // GLOW_GRAPH_VERIFY_H
