//===- Division.h - which backend runs each node ----------------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_DIVISION_H
#define GLOW_LIB_PARTITION_DIVISION_H

#include "Candidates.h"
#include "PartOrder.h"

namespace glow {

/// Which of several backends runs each node of a function: the first that can.
/// But formulas that lie between nodes of one other, which can run
/// them as well, go to that one: to hand values over takes longer than they do.
class Division {
public:
  /// The function has no node that all of them refuse.
  Division(FuncOp function, mlir::SymbolTable &symbols,
           llvm::ArrayRef<Candidate> candidates);

  /// As few parts as a division between two can have, in order, of which the
  /// owners are candidates. Nodes that read only constants are in none, where
  /// any candidate runs them.
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
