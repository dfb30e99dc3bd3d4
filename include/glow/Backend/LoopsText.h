//===- LoopsText.h - the loops of a model as text ---------------*- C++ -*-===//

#ifndef GLOW_BACKEND_LOOPSTEXT_H
#define GLOW_BACKEND_LOOPSTEXT_H

#include "glow/Base/Status.h"
#include "glow/Program/CodeOptions.h"
#include "mlir/IR/BuiltinOps.h"

namespace glow {

/// The loops of all instructions of a module that is planned for a backend, or
/// for the backends of its parts, in order: each as glow/Loops/Text.h has it,
/// with its plan where the backend makes code of loops. An instruction of other
/// kernels, or without loops, is a comment.
Result<std::string> loopsText(mlir::ModuleOp module, llvm::StringRef backend,
                              const CodeOptions &options);

/// The programs of a text, as ir::readLoops has them, planned by a backend where
/// it is not empty, printed.
Result<std::string> replannedLoops(llvm::StringRef text, llvm::StringRef file,
                                   llvm::StringRef backend,
                                   const CodeOptions &options);

} // namespace glow

#endif // GLOW_BACKEND_LOOPSTEXT_H
