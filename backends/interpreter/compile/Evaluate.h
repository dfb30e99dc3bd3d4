//===- Evaluate.h - constants by the interpreter's kernels ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_INTERPRETER_EVALUATE_H
#define GLOW_BACKENDS_INTERPRETER_EVALUATE_H

#include "glow/Graph/Dialect.h"

namespace glow {

/// Attaches the interpreter's kernels to the dialect, so that constants fold.
void addEvaluator(mlir::DialectRegistry &registry);

} // namespace glow

#endif // GLOW_BACKENDS_INTERPRETER_EVALUATE_H
