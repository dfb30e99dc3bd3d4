//===- CodeOptions.h - options of code generation ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_CODEOPTIONS_H
#define GLOW_PROGRAM_CODEOPTIONS_H

#include "glow/Program/BackendRecord.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glow {

/// Exactness of the arithmetic of a program; docs/Math.md has the bounds.
enum class Math : uint8_t {
  Strict,  ///< every product of a sum, each operation as written
  Default, ///< algorithms with fewer products, within 1e-4
  Fast     ///< bf16 factors in large products, if the hardware has bf16
};
constexpr std::array mathNames = {"strict", "default", "fast"};

inline std::string_view name(Math math) { return mathNames[size_t(math)]; }
inline std::optional<Math> mathNamed(std::string_view name) {
  for (size_t i = 0; i < mathNames.size(); ++i)
    if (name == mathNames[i])
      return Math(i);
  return std::nullopt;
}

/// Options of a backend that generates code.
struct CodeOptions {
  std::optional<Math> math; ///< empty: Math::Default
  Settings settings;        ///< values of the backend's own options
  /// The backend's measurements of this host, as text; "" for its built-in
  /// numbers.
  std::string measured = {};
  /// Memory limit for all tensors of a run, in bytes; 0 for
  /// `defaultMemoryLimit()`. With a limit, algorithms that need more memory
  /// beside the values are not chosen.
  uint64_t memoryLimit = 0;
  /// The program is reported on and never runs: it may be for a processor that
  /// this host has not, and no code is generated where reports need none.
  bool reportsOnly = false;

  /// Generates no code: the reference runs each instruction that would have
  /// code.
  bool interpret = false;
  /// A file of loops (glow/Loops/Text.h) with plans for layers of the same name
  /// and the same loops; "" for none.
  std::string plans;
  /// A file for the instructions, to which the code's debug information refers;
  /// "" for no debug information.
  std::string listing;
  /// A folder for a jitdump, which perf reads; "" for none. Every step then has
  /// code of its own, under the model's name for the step.
  std::string perfFolder;

  /// Whether programs are made for inspection and are not cached.
  bool isWatched() const {
    return interpret || reportsOnly || !listing.empty() ||
           !perfFolder.empty() || !plans.empty();
  }
};

} // namespace glow

#endif // GLOW_PROGRAM_CODEOPTIONS_H
