//===- PrecompiledTable.h - kernels of the library by name ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_DEVICE_PRECOMPILEDTABLE_H
#define GLOW_BACKENDS_CPU_DEVICE_PRECOMPILEDTABLE_H

#include <span>
#include <string>
#include <string_view>

namespace glow::cpu {

struct PrecompiledKernel;

/// A level of processors that kernels were compiled for.
struct PrecompiledLevel {
  std::string_view prefix; ///< of their symbols
  std::span<const char *const> features;
  const PrecompiledKernel *table;
};

/// The best one first.
std::span<const PrecompiledLevel> precompiledLevels();

/// The kernel, or with "_work" its measure; null for other symbols.
void *findPrecompiled(const std::string &symbol);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_PRECOMPILEDTABLE_H
