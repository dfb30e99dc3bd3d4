//===- CodeOptions.h - what code is made for --------------------*- C++ -*-===//

#ifndef GLOW_PROGRAM_CODEOPTIONS_H
#define GLOW_PROGRAM_CODEOPTIONS_H

#include "glow/Program/BackendRecord.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glow {

/// How exact the arithmetic of a program is; docs/Math.md has the bounds.
enum class Math : uint8_t {
  Strict,  ///< each product of a sum once, each operation as it is written
  Default, ///< algorithms with fewer products, within 1e-4
  Fast     ///< factors of large products in bf16, where the processor has it
};
constexpr std::array mathNames = {"strict", "default", "fast"};

inline std::string_view name(Math math) { return mathNames[size_t(math)]; }
inline std::optional<Math> mathNamed(std::string_view name) {
  for (size_t i = 0; i < mathNames.size(); ++i)
    if (name == mathNames[i])
      return Math(i);
  return std::nullopt;
}

/// What a backend that makes code is asked for.
struct CodeOptions {
  std::optional<Math> math; ///< none: Math::Default
  Settings settings;        ///< of the backend's own options
  /// Numbers that the backend measured of this host, as text; "" for those that
  /// it has of itself.
  std::string measured = {};

  /// No code: the reference runs each of the instructions that code would be
  /// of.
  bool interpret = false;
  /// A file of loops (glow/Loops/Text.h) with plans for layers of the same name
  /// and the same loops; "" for none.
  std::string plans;
  /// A file to write the instructions to, which the code's debug information
  /// then refers to; "" for no debug information.
  std::string listing;
  /// A folder for a jitdump, which perf reads; "" for none. Every step has code
  /// of its own then, under the model's name of it.
  std::string perfFolder;

  /// Whether programs are made to be looked at, not to be kept.
  bool isWatched() const {
    return interpret || !listing.empty() || !perfFolder.empty() ||
           !plans.empty();
  }
};

} // namespace glow

#endif // GLOW_PROGRAM_CODEOPTIONS_H
