//===- Builtin.h - calls that the language itself knows -------------------===//

#ifndef GLOW_GEN_EXPR_BUILTIN_H
#define GLOW_GEN_EXPR_BUILTIN_H

#include "Expr/Ast.h"
#include <optional>

namespace glow::gen {

/// What no record declares. A record of such a name is refused.
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
  // What is asked of tensors and operands.
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
  // What imports ask of inputs that are known.
  IntList,
  RealList,
  IntOf,
  RealOf,
  OnnxKind,
  AxesOf,
  // Of a tensor, sizes and axes, in conditions.
  LargestAlong,
};

std::optional<Builtin> builtinNamed(llvm::StringRef name);

/// What a call calls, unless that is a record's.
std::optional<Builtin> builtinOf(const ExprPtr &expr);

inline bool isCallOf(const ExprPtr &expr, Builtin builtin) {
  return builtinOf(expr) == builtin;
}

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_BUILTIN_H
