//===- PrecompiledTable.cpp - kernels of the library by name --------------===//
// SPDX-License-Identifier: MIT

#include "PrecompiledTable.h"
#include "PrecompiledKernels.h"
#include <unordered_map>

using namespace glow;
using namespace glow::cpu;

#ifdef GLOW_PRECOMPILED_KERNELS
static const char *const featuresOfV4[] = {
    "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2",
    "bmi",     "bmi2",     "fma",      "lzcnt",    "movbe",    "f16c"};
static const char *const featuresOfV3[] = {"avx2",  "bmi",   "bmi2", "fma",
                                           "lzcnt", "movbe", "f16c"};
#endif

std::span<const PrecompiledLevel> cpu::precompiledLevels() {
#ifdef GLOW_PRECOMPILED_KERNELS
  // No name in C has a colon.
  static const PrecompiledLevel all[] = {
      {"v4:", featuresOfV4, glow_precompiled_v4},
      {"v3:", featuresOfV3, glow_precompiled_v3}};
  return all;
#else
  return {};
#endif
}

static std::unordered_map<std::string, void *> allSymbols() {
  std::unordered_map<std::string, void *> symbols;
  for (const PrecompiledLevel &level : precompiledLevels())
    for (const PrecompiledKernel *kernel = level.table; kernel->name;
         ++kernel) {
      std::string symbol = std::string(level.prefix) + kernel->name;
      symbols[symbol] = reinterpret_cast<void *>(kernel->run);
      symbols[symbol + "_work"] = reinterpret_cast<void *>(kernel->measure);
    }
  return symbols;
}

void *cpu::findPrecompiled(const std::string &symbol) {
  static const std::unordered_map<std::string, void *> symbols = allSymbols();
  auto found = symbols.find(symbol);
  return found == symbols.end() ? nullptr : found->second;
}
