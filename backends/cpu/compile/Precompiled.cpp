//===- Precompiled.cpp - kernels that are compiled ahead ------------------===//
// SPDX-License-Identifier: MIT

#include "Precompiled.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;

std::string cpu::precompiledSymbol(const Target &target,
                                   llvm::StringRef kernel) {
  for (const PrecompiledLevel &level : precompiledLevels())
    if (llvm::all_of(level.features,
                     [&](const char *name) { return target.has(name); }))
      if (std::string symbol = std::string(level.prefix) + kernel.str();
          findPrecompiled(symbol))
        return symbol;
  return "";
}
