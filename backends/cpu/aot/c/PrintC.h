//===- PrintC.h - LLVM IR as portable C -----------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_C_PRINTC_H
#define GLOW_BACKENDS_CPU_AOT_C_PRINTC_H

#include "glow/Base/Status.h"
#include "llvm/IR/Module.h"

namespace glow::cpu {

/// The functions and data of a module, which is made of what our emitters and
/// the library use of LLVM IR, as C99: vectors are structs of arrays, functions
/// of libm stand for intrinsics. The module's data layout is one of 64-bit
/// addresses; the C is for those and for 32 bits, with the low bytes of numbers
/// first. Needs no header but those of a C without a library, and `header`,
/// which has those of the bundle. Takes away what nothing uses. Fails with
/// Code::Unsupported, naming all instructions that it does not know.
Result<std::string> printC(llvm::Module &module, const std::string &header);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_C_PRINTC_H
