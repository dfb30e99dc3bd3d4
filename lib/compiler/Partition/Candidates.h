//===- Candidates.h - backends and the nodes that they refuse ---*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_CANDIDATES_H
#define GLOW_LIB_PARTITION_CANDIDATES_H

#include "glow/Backend/Backend.h"
#include "glow/Graph/Dialect.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// The nodes of a module that a backend can neither run nor lower, with
/// reasons.
using Refusals =
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<std::string>>;
Refusals refusalsOf(mlir::ModuleOp module, const BackendInfo &backend);

/// A backend that may run nodes, with the nodes that it refuses.
struct Candidate {
  const BackendInfo *backend;
  Refusals refused;
};

/// Reports each node that no candidate can run, with reasons. Fails if there is
/// such a node.
mlir::LogicalResult checkNodes(FuncOp function,
                               llvm::ArrayRef<Candidate> candidates);

} // namespace glow

#endif // GLOW_LIB_PARTITION_CANDIDATES_H
