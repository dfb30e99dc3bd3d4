//===- CompileParts.h - programs of parts as one ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_COMPILE_COMPILEPARTS_H
#define GLOW_LIB_COMPILE_COMPILEPARTS_H

#include "glow/Program/Program.h"
#include "mlir/IR/BuiltinOps.h"

namespace glow {

/// The program of a module whose parts, nested modules, were compiled to
/// `parts` in their order. The ports of the parts are the module's storage, by
/// name.
Program programOfParts(mlir::ModuleOp planned, std::vector<Program> parts,
                       const std::string &backend);

} // namespace glow

#endif // GLOW_LIB_COMPILE_COMPILEPARTS_H
