//===- PrintC.h - LLVM IR as portable C -----------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_PRINTC_H
#define GLOW_BACKENDS_CPU_AOT_PRINTC_H

#include "glow/Base/Status.h"
#include "llvm/IR/Module.h"

namespace glow::cpu {

/// The functions and data of a module, which is made of what our emitters and
/// the library use of LLVM IR, as C99: vectors are structs of arrays, functions
/// of libm stand for intrinsics. Addresses have 64 bits, and numbers the low
/// byte first. Fails with Code::Unsupported, naming all instructions that it
/// does not know.
Result<std::string> printC(llvm::Module &module);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_PRINTC_H
