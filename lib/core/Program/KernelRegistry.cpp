//===- KernelRegistry.cpp - kernels by their instruction ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/KernelRegistry.h"
#include <algorithm>

using namespace glow;

KernelRegistry &KernelRegistry::instance() {
  // A static local: tables of other files may be added before a global of this
  // file is constructed.
  static KernelRegistry registry;
  return registry;
}

void KernelRegistry::add(std::span<const KernelEntry> table) {
  std::lock_guard lock(mutex);
  for (const KernelEntry &entry : table)
    kernels.emplace(entry.instruction, entry);
}

KernelEntry KernelRegistry::entryOf(std::string_view instruction) const {
  std::lock_guard lock(mutex);
  auto found = kernels.find(instruction);
  return found == kernels.end() ? KernelEntry() : found->second;
}

Kernel KernelRegistry::find(std::string_view instruction) const {
  return entryOf(instruction).kernel;
}

Status KernelRegistry::check(std::string_view instruction,
                             const KernelCall &call) const {
  Kernel check = entryOf(instruction).check;
  return check ? check(call) : Status();
}

std::string_view KernelRegistry::placeOf(std::string_view instruction) const {
  return entryOf(instruction).place;
}

Status KernelRegistry::run(std::string_view instruction,
                           const KernelCall &call) const {
  Kernel kernel = find(instruction);
  return kernel ? kernel(call)
                : failure(Code::NotFound, "the interpreter has no kernel for '",
                          instruction, "'");
}

void KernelRegistry::add(std::span<const BackendKernel> table) {
  std::lock_guard lock(mutex);
  backendKernels.insert(backendKernels.end(), table.begin(), table.end());
}

std::vector<BackendKernel> KernelRegistry::of(std::string_view backend) const {
  std::lock_guard lock(mutex);
  std::vector<BackendKernel> result;
  for (const BackendKernel &row : backendKernels)
    if (backend == row.backend)
      result.push_back(row);
  return result;
}

/// The element kind of an instruction's operand; nullopt where it is absent.
static std::optional<ElementKind> kindOf(int32_t operand,
                                         std::span<const int32_t> segments,
                                         std::span<const ElementKind> kinds) {
  if (size_t(operand) >= segments.size() || segments[operand] == 0)
    return std::nullopt;
  size_t buffer = 0;
  for (int32_t i = 0; i < operand; ++i)
    buffer += size_t(segments[i]);
  return buffer < kinds.size() ? std::optional(kinds[buffer]) : std::nullopt;
}

/// Whether the row is for an instruction whose buffers have these kinds.
static bool isFor(const BackendKernel &row, std::string_view instruction,
                  std::span<const int32_t> segments,
                  std::span<const ElementKind> kinds) {
  if (instruction != row.instruction ||
      kindOf(row.operand, segments, kinds) != row.kind)
    return false;
  return std::ranges::all_of(row.others, [&](const auto &other) {
    auto kind = kindOf(other.operand, segments, kinds);
    return !kind || std::ranges::count(other.kinds, *kind);
  });
}

std::optional<BackendKernel>
KernelRegistry::recorded(std::string_view backend, std::string_view instruction,
                         std::span<const int32_t> segments,
                         std::span<const ElementKind> kinds) const {
  for (const BackendKernel &row : of(backend))
    if (isFor(row, instruction, segments, kinds))
      return row;
  return std::nullopt;
}

Kernel KernelRegistry::find(std::string_view backend,
                            std::string_view instruction,
                            std::span<const int32_t> segments,
                            std::span<const ElementKind> kinds) const {
  auto row = recorded(backend, instruction, segments, kinds);
  return row && row->kernel ? row->kernel : find(instruction);
}
