//===- NarrowAddresses.h - code for addresses of 32 bits ------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_NARROWADDRESSES_H
#define GLOW_BACKENDS_CPU_AOT_NARROWADDRESSES_H

#include "glow/Base/Status.h"
#include "llvm/IR/Module.h"

namespace glow::cpu {

/// Makes a module of 64-bit addresses, as kernels and the library are emitted,
/// one of `layout`, whose addresses have 32. What lies in memory keeps its
/// place: an address there takes 8 bytes, of which the first 4 count. Functions
/// of C that copy and fill take sizes of 32 bits. Fails with Code::Unsupported
/// where it meets lanes of addresses in memory.
Status narrowAddresses(llvm::Module &module, const llvm::DataLayout &layout);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_NARROWADDRESSES_H
