//===- Precompiled.h - kernels that are compiled ahead ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_PRECOMPILED_H
#define GLOW_BACKENDS_CPU_COMPILE_PRECOMPILED_H

#include "common/Target.h"
#include "device/PrecompiledTable.h"
#include <string>

namespace glow::cpu {

/// The symbol under which `findPrecompiled` knows a kernel of the library that
/// was compiled already for a processor whose features the target has; "" if
/// there is none. Its measure has the same symbol with "_work".
std::string precompiledSymbol(const Target &target, llvm::StringRef kernel);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_PRECOMPILED_H
