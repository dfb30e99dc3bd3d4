//===- Derivative.h - symbolic derivatives of formulas --------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_DERIVATIVE_H
#define GLOW_GEN_EXPR_DERIVATIVE_H

#include "Expr/Type.h"

namespace glow::gen {

/// The derivative of a formula with respect to a name. Records of functions
/// hold their derivatives; a comparison has derivative 0. A function without a
/// derivative, and any expression that is no formula, ends ClassGen with a
/// caret.
ExprPtr derivativeOf(const ExprPtr &formula, llvm::StringRef name,
                     const Functions &functions, const llvm::Record &record);

/// The expression without the terms and factors that 0 and 1 make unnecessary.
ExprPtr simplify(const ExprPtr &expr);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_DERIVATIVE_H
