//===- KernelRegistry.h - kernels by their instruction ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_KERNELREGISTRY_H
#define GLOW_PROGRAM_KERNELREGISTRY_H

#include "glow/Program/Kernel.h"
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// The interpreter's kernels. Generated tables and loaded backends add theirs
/// at their start. Any thread may use it.
class KernelRegistry {
public:
  /// The registry of this process.
  static KernelRegistry &instance();

  /// Adds a table. An existing kernel of an instruction stays, so that a loaded
  /// backend cannot change the meaning of Glow's own instructions.
  void add(std::span<const KernelEntry> table);

  /// Adds kernels of backends; an existing kernel stays.
  void add(std::span<const BackendKernel> table);

  /// The kernels in a backend's records, in their order.
  std::vector<BackendKernel> of(std::string_view backend) const;

  /// The backend's record for the kernel of an instruction whose buffers have
  /// these kinds; nothing without a record.
  std::optional<BackendKernel>
  recorded(std::string_view backend, std::string_view instruction,
           std::span<const int32_t> segments,
           std::span<const ElementKind> kinds) const;

  /// The kernel of a step in a backend's program, whose buffers have these
  /// kinds. The backend's own kernel comes before the interpreter's; null if
  /// there is neither.
  Kernel find(std::string_view backend, std::string_view instruction,
              std::span<const int32_t> segments,
              std::span<const ElementKind> kinds) const;

  /// The kernel of an instruction, or null.
  Kernel find(std::string_view instruction) const;

  /// Calls the kernel of an instruction. Fails with Code::NotFound if there is
  /// no kernel, or as the kernel does.
  Status run(std::string_view instruction, const KernelCall &call) const;

  /// Checks the segments and attributes of a call against the instruction's
  /// record. Fails with the first mistake: "has 3 operands, not 4". An
  /// instruction without a kernel passes.
  Status check(std::string_view instruction, const KernelCall &call) const;

  /// Location of an instruction's record: "Npu.td:12"; "" if unknown.
  std::string_view placeOf(std::string_view instruction) const;

private:
  KernelEntry entryOf(std::string_view instruction) const;

  mutable std::mutex mutex;
  std::map<std::string, KernelEntry, std::less<>> kernels;
  std::vector<BackendKernel> backendKernels;
};

/// A global of this type adds a table before `main`:
///   static RegisterKernels registration(generatedTable);
/// Its object file must be linked whole.
struct RegisterKernels {
  explicit RegisterKernels(std::span<const KernelEntry> table) {
    KernelRegistry::instance().add(table);
  }
};

} // namespace glow

#endif // GLOW_PROGRAM_KERNELREGISTRY_H
