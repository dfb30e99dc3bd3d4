//===- ReadyTable.h - kernels of the library by name ----------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_READYTABLE_H
#define GLOW_BACKENDS_CPU_DEVICE_READYTABLE_H

#include <span>
#include <string>
#include <string_view>

namespace glow::cpu {

struct ReadyKernel;

/// A level of processors that kernels were compiled for.
struct ReadyLevel {
  std::string_view prefix; ///< of their symbols
  std::span<const char *const> features;
  const ReadyKernel *table;
};

/// The best one first.
std::span<const ReadyLevel> readyLevels();

/// The kernel, or with "_work" its measure; null for other symbols.
void *findReady(const std::string &symbol);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_READYTABLE_H
