//===- Quick.h - machine code without LLVM's code generator ---*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Emitted code needs no optimisation: it has loops, addresses, and vectors that
// fit into registers. Making machine code of it takes instruction selection,
// one by one, and register allocation. LLVM spends most of its time on
// optimisation.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_QUICK_QUICK_H
#define GLOW_BACKENDS_CPU_QUICK_QUICK_H

#include "common/Target.h"
#include "device/FlatImage.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace glow::cpu::quick {

/// Makes machine code of the functions that it supports, on x86-64 with AVX2
/// and FMA. A supported function has integers of 64 bits, vectors of 16
/// elements of 32 bits, and bytes that are loaded, stored and multiplied as
/// such vectors; it calls only supported functions. Results equal those of
/// LLVM's code, to the last bit.
///
/// Returns the code if the module has no other functions. Else replaces the
/// supported functions in the module by their code, and leaves the others to
/// LLVM.
std::optional<FlatCode> assemble(llvm::Module &module, const Target &target);

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_QUICK_H
