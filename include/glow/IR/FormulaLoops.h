//===- FormulaLoops.h - the loops of a formula ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_FORMULALOOPS_H
#define GLOW_IR_FORMULALOOPS_H

#include "glow/Base/Status.h"
#include "glow/Graph/Formula.h"
#include "glow/IR/Loops.h"

namespace glow::ir {

/// Infers the element kinds of the results of a formula, call by call. Operands
/// and numbers are f32.
class ResultKinds {
public:
  /// The result kind of the next call; nothing if the call is no Pointwise node
  /// on such operands.
  std::optional<ElementKind> kindOf(const Formula::Call &call) const;
  void add(ElementKind result) { results.push_back(result); }

  bool empty() const { return results.empty(); }
  ElementKind last() const { return results.back(); }
  /// The kind of an argument; nothing for a number or attribute.
  std::optional<ElementKind> kindOf(const Formula::Argument &argument) const;

private:
  bool takes(const FormulaKinds &kinds, size_t attributes,
             llvm::ArrayRef<Formula::Argument> arguments) const;

  std::vector<ElementKind> results;
};

/// Whether each call is a Pointwise node on f32 or booleans, and the result is
/// of f32.
bool isPointwise(const Formula &formula);

/// An estimate of the instructions of a formula's Pointwise nodes.
unsigned operationsOf(const Formula &formula);

/// Whether Pointwise nodes of a formula read elements of the kind as f32, which
/// holds each of their values.
bool readsAsReal(ElementKind kind);

/// Checks the formulas of a program. Fails with Code::InvalidArgument if a
/// formula is not a text of Pointwise calls, or reads operands that it does not
/// have.
Status checkFormulas(const loops::Program &program);

/// The program of a formula: one statement that assigns each element of the f32
/// tensor `result`. Calls are
///   - Pointwise nodes, on elements that are read as f32 and broadcast to that
///     shape, and
///   - nodes of index notation on f32 elements that write each element of such
///     a result once. They read the result of another call only at the indices
///     that they write, and inputs at any indices.
/// Null for any other formula. Tensor 0 of the program is the result; inputs
/// follow.
std::unique_ptr<loops::Program>
loopsOf(const Formula &formula, mlir::RankedTensorType result,
        llvm::ArrayRef<mlir::RankedTensorType> inputs);

/// Whether a formula has such a program; cheaper than the program.
bool hasLoops(const Formula &formula, mlir::RankedTensorType result,
              llvm::ArrayRef<mlir::RankedTensorType> inputs);

} // namespace glow::ir

#endif // GLOW_IR_FORMULALOOPS_H
