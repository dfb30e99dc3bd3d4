//===- Constant.h - constant expressions ----------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_CONSTANT_H
#define GLOW_GEN_EXPR_CONSTANT_H

#include "Expr/Ast.h"

namespace glow::gen {

/// Folds the parts of an expression that need no names: `2 * 4 == 8` and
/// `n <= n` become `true`. Integers that would overflow stay as written.
ExprPtr foldConstants(const ExprPtr &expr);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_CONSTANT_H
