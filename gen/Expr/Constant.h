//===- Constant.h - what an expression is without knowing its names -------===//

#ifndef GLOW_GEN_EXPR_CONSTANT_H
#define GLOW_GEN_EXPR_CONSTANT_H

#include "Expr/Ast.h"

namespace glow::gen {

/// The expression with what needs no names worked out: `2 * 4 == 8` and
/// `n <= n` are `true`. Integers that would overflow stay as they are written.
ExprPtr foldConstants(const ExprPtr &expr);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_CONSTANT_H
