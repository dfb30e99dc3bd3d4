//===- Hoist.h - index arithmetic out of inner loops ----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LANGUAGE_HOIST_H
#define GLOW_GEN_EMIT_LANGUAGE_HOIST_H

#include "Expr/Ast.h"
#include <functional>
#include <map>

namespace glow::gen {

/// Finds the parts of subscripts that do not change in the innermost loops, so
/// that each is computed once, as far out as its names allow. C++ compilers do
/// not do this by themselves: a division might trap.
class Hoister {
public:
  /// A part, by the number of loops that it stands in.
  struct Part {
    size_t depth;
    std::string name;
    ExprPtr value;
  };

  /// `loops` are the names of indices, outermost first. `isTensor` recognizes
  /// an element of a tensor, which is never moved.
  Hoister(std::vector<std::string> loops,
          std::function<bool(const ExprPtr &)> isTensor)
      : loops(std::move(loops)), isTensor(std::move(isTensor)) {}

  /// Looks at every subscript of every tensor in `expr`.
  void visit(const ExprPtr &expr);

  /// The expression to emit for a subscript.
  ExprPtr replacement(const ExprPtr &subscript) const;

  const std::vector<Part> &parts() const { return found; }

  /// The number of loops around the value: the innermost loop whose index the
  /// expression uses. More than there are for an expression with elements of
  /// tensors.
  size_t depthOf(const ExprPtr &expr) const;

private:
  /// With names for the parts that fewer than `inside` loops change.
  ExprPtr hoist(const ExprPtr &expr, size_t inside);

  std::vector<std::string> loops;
  std::function<bool(const ExprPtr &)> isTensor;
  std::vector<Part> found;
  std::map<const Expr *, ExprPtr> replaced;
};

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LANGUAGE_HOIST_H
