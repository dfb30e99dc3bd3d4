//===- Dependences.h - floats that lead through calls ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_DEPENDENCES_H
#define GLOW_COMPILER_AUTODIFF_DEPENDENCES_H

#include "glow/Graph/Dialect.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace glow {

/// Whether a value has elements of a float kind.
bool isReal(mlir::Value value);

/// Whether a node passes gradients on, or is refused by its record.
bool passesGradients(mlir::Operation *node);

/// The places from which values of floats lead to a value.
struct Origins {
  llvm::BitVector places; ///< parameters of a function, or operands of a call
  llvm::DenseSet<mlir::Attribute> storage; ///< symbols that functions read

  /// Adds the places and the storage of `other`; returns whether some are new.
  bool join(const Origins &other);
};

/// Origins of the results of called functions and of nodes that call them.
class Dependences {
public:
  /// `symbols` belongs to the module, and outlives this object.
  explicit Dependences(const mlir::SymbolTable &symbols) : symbols(symbols) {}

  /// The origins of each result of a called function. The function must not
  /// change any more.
  llvm::ArrayRef<Origins> ofFunction(FuncOp function);

  /// The origins of each result of a node of control flow.
  llvm::SmallVector<Origins> ofCall(mlir::Operation *call);

private:
  llvm::SmallVector<Origins> ofIf(IfOp branch);
  llvm::SmallVector<Origins> ofLoop(LoopOp loop);
  std::vector<Origins> computed(FuncOp function);

  const mlir::SymbolTable &symbols;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<std::vector<Origins>>>
      functions;
};

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_DEPENDENCES_H
