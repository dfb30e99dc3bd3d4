//===- Division.h - which backend runs each node ----------------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_DIVISION_H
#define GLOW_LIB_PARTITION_DIVISION_H

#include "FunctionSplitter.h"
#include "glow/Backend/Backend.h"
#include "llvm/ADT/DenseMap.h"

namespace glow {

/// The nodes of a module that a backend can neither run nor lower, and why.
using Refusals =
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<std::string>>;
Refusals refusalsOf(mlir::ModuleOp module, const BackendInfo &backend);

/// A backend that may run nodes, and those that it cannot.
struct Candidate {
  const BackendInfo *backend;
  Refusals refused;
};

/// Which of several backends runs each node of a function: the first that can.
/// But formulas that lie between nodes of one other, which can run
/// them as well, go to that one: to hand values over takes longer than they do.
class Division {
public:
  /// The function has no node that all of them refuse.
  Division(FuncOp function, mlir::SymbolTable &symbols,
           llvm::ArrayRef<Candidate> candidates);

  /// Nodes that one candidate runs, without a break.
  struct Part {
    size_t owner; ///< the candidate's number
    Nodes nodes;
  };

  /// As few parts as a division between two can have, in order. Nodes that
  /// read only constants are in none, where any candidate runs them.
  llvm::SmallVector<Part> parts() const;

private:
  struct Island;
  bool isKnown(mlir::Operation &node, mlir::SymbolTable &symbols) const;
  bool runs(size_t candidate, mlir::Operation *node) const;
  Island islandOf(mlir::Operation *node) const;
  void joinIslands();
  llvm::SmallVector<Part> partsFrom(size_t first) const;

  llvm::ArrayRef<Candidate> candidates;
  Nodes nodes;                                      ///< in their order
  llvm::DenseMap<mlir::Operation *, size_t> owners; ///< of these
};

} // namespace glow

#endif // GLOW_LIB_PARTITION_DIVISION_H
