//===- FormulaLoops.h - the loops of a formula ------------------*- C++ -*-===//

#ifndef GLOW_IR_FORMULALOOPS_H
#define GLOW_IR_FORMULALOOPS_H

#include "glow/Base/Status.h"
#include "glow/Graph/Formula.h"
#include "glow/IR/Loops.h"

namespace glow::ir {

/// The element kinds of the results of a formula, call by call. Operands and
/// numbers are f32.
class ResultKinds {
public:
  /// The kind of the next call's result; nothing where the call is no Pointwise
  /// node on such operands.
  std::optional<ElementKind> kindOf(const Formula::Call &call) const;
  void add(ElementKind result) { results.push_back(result); }

  bool empty() const { return results.empty(); }
  ElementKind last() const { return results.back(); }
  /// Nothing for an argument that is no tensor.
  std::optional<ElementKind> kindOf(const Formula::Argument &argument) const;

private:
  bool takes(const FormulaKinds &kinds, size_t attributes,
             llvm::ArrayRef<Formula::Argument> arguments) const;

  std::vector<ElementKind> results;
};

/// Fails with Code::InvalidArgument where a program has a formula that is no
/// text of calls of Pointwise nodes, or reads operands that it does not have.
Status checkFormulas(const loops::Program &program);

/// The program of a formula: one statement that assigns each element of the f32
/// tensor `result`. Calls are
///   - Pointwise nodes, on elements of f32 that are repeated to that shape, and
///   - nodes of index notation on elements of f32 that write each element of
///     such a result once. They read an operand that is the result of another
///     call in the place that they write, and inputs wherever they like.
/// Null for another formula. Tensor 0 of the program is the result, inputs
/// follow.
std::unique_ptr<loops::Program>
loopsOf(const Formula &formula, mlir::RankedTensorType result,
        llvm::ArrayRef<mlir::RankedTensorType> inputs);

} // namespace glow::ir

#endif // GLOW_IR_FORMULALOOPS_H
