//===- Division.h - assignment of nodes to backends -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_DIVISION_H
#define GLOW_LIB_PARTITION_DIVISION_H

#include "Candidates.h"
#include "PartOrder.h"

namespace glow {

/// Assigns each node of a function to the first of several backends that can
/// run it. A formula between nodes of another backend goes to that backend, if
/// it can run the formula: passing values between backends takes longer than a
/// formula.
class Division {
public:
  /// Each node of the function has a candidate that runs it.
  Division(FuncOp function, mlir::SymbolTable &symbols,
           llvm::ArrayRef<Candidate> candidates);

  /// The parts in order, each owned by a candidate; for two candidates, as few
  /// as possible. Nodes that read only constants are in no part, if all
  /// candidates run them.
  llvm::SmallVector<OwnedPart> parts() const {
    return partsOf(nodes, owners, candidates.size());
  }

private:
  struct Island;
  bool isKnown(mlir::Operation &node, mlir::SymbolTable &symbols) const;
  bool runs(size_t candidate, mlir::Operation *node) const;
  Island islandOf(mlir::Operation *node) const;
  void joinIslands();

  llvm::ArrayRef<Candidate> candidates;
  Nodes nodes; ///< in their order
  Owners owners;
};

} // namespace glow

#endif // GLOW_LIB_PARTITION_DIVISION_H
