//===- KernelRegistry.h - kernels by their instruction ----------*- C++ -*-===//

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
/// when they start. May be used from any thread.
class KernelRegistry {
public:
  /// The registry of this process.
  static KernelRegistry &instance();

  /// Adds a table. An instruction that is there already keeps its kernel, so
  /// that a loaded backend cannot change the meaning of ours.
  void add(std::span<const KernelEntry> table);

  /// Adds kernels of backends; one that is there already stays.
  void add(std::span<const BackendKernel> table);

  /// The kernels that a backend's record names, in the order of the records.
  std::vector<BackendKernel> of(std::string_view backend) const;

  /// What a backend's record says of the kernel of an instruction whose buffers
  /// have these kinds; none where there is none.
  std::optional<BackendKernel>
  recorded(std::string_view backend, std::string_view instruction,
           std::span<const int32_t> segments,
           std::span<const ElementKind> kinds) const;

  /// The kernel of a step of a backend's program, whose buffers have these
  /// kinds: the backend's own, else the interpreter's; null when there is none.
  Kernel find(std::string_view backend, std::string_view instruction,
              std::span<const int32_t> segments,
              std::span<const ElementKind> kinds) const;

  /// The kernel of an instruction; null when there is none.
  Kernel find(std::string_view instruction) const;

  /// Calls the kernel of an instruction. Fails with Code::NotFound when there
  /// is none, or as the kernel does.
  Status run(std::string_view instruction, const KernelCall &call) const;

  /// Whether the segments and attributes of a call are those that the record of
  /// an instruction says; what is wrong, as in "has 3 operands, not 4". Nothing
  /// is wrong with an instruction that has no kernel.
  Status check(std::string_view instruction, const KernelCall &call) const;

  /// Where the record of an instruction stands, as "Npu.td:12"; "" if that is
  /// not known.
  std::string_view placeOf(std::string_view instruction) const;

private:
  KernelEntry entryOf(std::string_view instruction) const;

  mutable std::mutex mutex;
  std::map<std::string, KernelEntry, std::less<>> kernels;
  std::vector<BackendKernel> backendKernels;
};

/// A global of this type adds a table before `main`:
///   static RegisterKernels registration(generatedTable);
/// The object file that holds it must be linked whole.
struct RegisterKernels {
  explicit RegisterKernels(std::span<const KernelEntry> table) {
    KernelRegistry::instance().add(table);
  }
};

} // namespace glow

#endif // GLOW_PROGRAM_KERNELREGISTRY_H
