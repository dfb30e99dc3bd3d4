//===- Appending.h - rows that stay where they are --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_MEMORY_APPENDING_H
#define GLOW_MEMORY_APPENDING_H

#include "glow/IR/Structure.h"
#include <string>

namespace glow::ir {

/// Checks that a planned function may run with an input and an output in one
/// buffer: the only instruction that writes the output, or a buffer within it,
/// joins the input and what follows it. Returns the error as text; empty if
/// the plan is right. `input` and `output` are symbols of their storage.
std::string faultOfAppending(FuncOp function, llvm::StringRef input,
                             llvm::StringRef output);

} // namespace glow::ir

#endif // GLOW_MEMORY_APPENDING_H
