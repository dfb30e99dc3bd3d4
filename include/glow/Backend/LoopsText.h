//===- LoopsText.h - the loops of a model as text ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKEND_LOOPSTEXT_H
#define GLOW_BACKEND_LOOPSTEXT_H

#include "glow/Base/Status.h"
#include "glow/Program/CodeOptions.h"
#include "mlir/IR/BuiltinOps.h"

namespace glow {

/// Prints the loops of all instructions of a module that is planned for a
/// backend, or for the backends of its parts, in order. Each has the format of
/// glow/Loops/Text.h, with its plan if the backend generates code from loops.
/// An instruction with another kernel, or without loops, is a comment.
Result<std::string> loopsText(mlir::ModuleOp module, llvm::StringRef backend,
                              const CodeOptions &options);

/// Parses programs as ir::readLoops does, plans them with a backend unless its
/// name is empty, and prints them.
Result<std::string> replannedLoops(llvm::StringRef text, llvm::StringRef file,
                                   llvm::StringRef backend,
                                   const CodeOptions &options);

} // namespace glow

#endif // GLOW_BACKEND_LOOPSTEXT_H
