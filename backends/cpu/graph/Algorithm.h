//===- Algorithm.h - the code that the record has for a node ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_GRAPH_ALGORITHM_H
#define GLOW_BACKENDS_CPU_GRAPH_ALGORITHM_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

namespace glow::cpu {

/// Whether a CodeFor record of this backend holds for a node.
bool hasCode(mlir::Operation *node);
/// The algorithm of the first CodeFor record that holds; "" if there is none.
llvm::StringRef algorithmOf(mlir::Operation *node);

/// Whether code of the node is for a processor with registers of vectors.
bool hasVectors(mlir::Operation *node);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_GRAPH_ALGORITHM_H
