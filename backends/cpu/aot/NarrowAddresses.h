//===- NarrowAddresses.h - code for addresses of 32 bits ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_NARROWADDRESSES_H
#define GLOW_BACKENDS_CPU_AOT_NARROWADDRESSES_H

#include "glow/Base/Status.h"
#include "llvm/IR/Module.h"

namespace glow::cpu {

/// Converts a module with 64-bit addresses, as kernels and the library are
/// emitted, to `layout`, whose addresses have 32 bits. Data in memory keeps its
/// offsets: an address in memory takes 8 bytes, of which the first 4 count. The
/// functions of C that copy and fill take sizes of 32 bits. Fails with
/// Code::Unsupported for vectors of addresses in memory.
Status narrowAddresses(llvm::Module &module, const llvm::DataLayout &layout);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_NARROWADDRESSES_H
