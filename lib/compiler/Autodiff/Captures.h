//===- Captures.h - storage as values that calls capture ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_CAPTURES_H
#define GLOW_COMPILER_AUTODIFF_CAPTURES_H

#include "glow/Graph/Dialect.h"

namespace glow {

/// Makes a captured value of each constant that called functions read: the
/// functions that no node calls alone read it then.
void captureStorage(mlir::ModuleOp module,
                    llvm::ArrayRef<ConstantOp> constants);

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_CAPTURES_H
