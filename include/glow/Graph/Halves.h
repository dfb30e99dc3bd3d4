//===- Halves.h - where nodes round numbers of 16 bits ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_HALVES_H
#define GLOW_GRAPH_HALVES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

namespace glow {

/// Whether a tensor is of f16 or bf16.
bool isHalf(mlir::Type type);

/// Roundings to f16 and bf16 by nodes that one node became.
struct HalfRoundings {
  /// Whether one of the nodes computes with a number that another one rounded.
  bool between = false;
  /// Nodes that round a result, or move elements that another one rounded.
  llvm::DenseSet<mlir::Operation *> nodes;
};

/// The nodes are in an order in which each follows its operands.
HalfRoundings roundingsOf(llvm::ArrayRef<mlir::Operation *> nodes);

} // namespace glow

#endif // GLOW_GRAPH_HALVES_H
