//===- Features.h - processor features that code needs ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Extensions of processors by LLVM's names, and whether this one has them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_FEATURES_H
#define GLOW_BACKENDS_CPU_DEVICE_FEATURES_H

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glow::cpu {

/// The extensions beyond x86-64 and beyond Armv8 that compiled code may use, in
/// the order of messages.
std::span<const std::string_view> x86Features();
std::span<const std::string_view> armFeatures();

/// The description that an x86-64 processor gives of itself.
struct Cpuid {
  /// EAX, EBX, ECX and EDX of a leaf and its part; zeros where there is none.
  std::function<std::array<uint32_t, 4>(uint32_t leaf, uint32_t part)> leaf;
  /// XCR0: the states of registers that the system keeps for processes.
  uint64_t states = 0;
  bool mayUseTiles = false; ///< whether the system lets this process do so
};

/// Whether an x86-64 processor has the extension and the system lets programs
/// use it; false for an unknown name.
bool hasFeature(std::string_view name, const Cpuid &cpuid);

/// Whether this process may use the extension; false for an unknown name.
bool hasFeature(std::string_view name);

/// The names, with commas, of the needed extensions that `has` does not find;
/// "" if it finds all.
std::string missingFeatures(const std::vector<std::string> &needed,
                            const std::function<bool(std::string_view)> &has);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_FEATURES_H
