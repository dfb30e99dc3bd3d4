//===- Builtin.h - calls that the language itself knows -------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_BUILTIN_H
#define GLOW_GEN_EXPR_BUILTIN_H

#include "Expr/Ast.h"
#include <optional>

namespace glow::gen {

/// Calls that the language defines. A record of such a name is refused.
enum class Builtin {
  If,
  None,    // why an operand has no gradient
  Require, // a statement
  Buffer,  // between instructions
  Extent,  // of an index
  // Lists of tensors, and graphs inside of a node.
  Fold,
  Every,
  Apply,
  // Questions about tensors and operands.
  Present,
  Shape,
  Rank,
  Kind,
  Elements,
  Count,
  IsConstant,
  NumberOf,
  ProgressionOf,
  ElementKind,
  // Values of known inputs, in imports.
  IntList,
  RealList,
  IntOf,
  RealOf,
  OnnxKind,
  AxesOf,
  ComputedLength,
  IsOfRun,
  MostOf,
  // A question about a tensor, sizes and axes, in conditions.
  LargestAlong,
};

std::optional<Builtin> builtinNamed(llvm::StringRef name);

/// The builtin that a call names; nothing for a call of a record.
std::optional<Builtin> builtinOf(const ExprPtr &expr);

inline bool isCallOf(const ExprPtr &expr, Builtin builtin) {
  return builtinOf(expr) == builtin;
}

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_BUILTIN_H
