//===- KernelRegistry.cpp - kernels by their instruction ------------------===//

#include "glow/Program/KernelRegistry.h"

using namespace glow;

KernelRegistry &KernelRegistry::instance() {
  // Inside the function: tables of other files may be added before this file's
  // globals would exist.
  static KernelRegistry registry;
  return registry;
}

void KernelRegistry::add(std::span<const KernelEntry> table) {
  std::lock_guard lock(mutex);
  for (const KernelEntry &entry : table)
    kernels.emplace(entry.instruction, entry.kernel);
}

Kernel KernelRegistry::find(std::string_view instruction) const {
  std::lock_guard lock(mutex);
  auto found = kernels.find(instruction);
  return found == kernels.end() ? nullptr : found->second;
}
