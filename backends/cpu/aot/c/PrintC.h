//===- PrintC.h - LLVM IR as portable C -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_C_PRINTC_H
#define GLOW_BACKENDS_CPU_AOT_C_PRINTC_H

#include "glow/Base/Status.h"
#include "llvm/IR/Module.h"

namespace glow::cpu {

/// Prints the functions and data of a module as C99. Vectors become structs of
/// arrays, and intrinsics become libm functions. The module has 64-bit
/// addresses; the C code is for little-endian processors with 64-bit or 32-bit
/// addresses. It needs the freestanding headers of C, and `header`, which
/// declares the bundle. Removes unused values from the module. Supports the
/// LLVM IR that Glow's emitters and library use; fails with Code::Unsupported,
/// naming all unknown instructions.
Result<std::string> printC(llvm::Module &module, const std::string &header);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_C_PRINTC_H
