//===- Derivative.h - symbolic derivatives of formulas --------------------===//

#ifndef GLOW_GEN_EXPR_DERIVATIVE_H
#define GLOW_GEN_EXPR_DERIVATIVE_H

#include "Expr/Type.h"

namespace glow::gen {

/// The derivative of a formula with respect to a name. Functions bring their
/// derivatives in their records; a comparison has derivative 0. A function
/// without one, and anything that is no formula, ends ClassGen with a caret.
ExprPtr derivativeOf(const ExprPtr &formula, llvm::StringRef name,
                     const Functions &functions, const llvm::Record &record);

/// The expression with what 0 and 1 make unnecessary left out.
ExprPtr simplify(const ExprPtr &expr);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_DERIVATIVE_H
