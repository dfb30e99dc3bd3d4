//===- NumberedStrings.h - numbers that stand for strings -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Operators that move elements run on numbers that stand for strings, so that
// one kernel for each operator is enough.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_STAGES_NUMBEREDSTRINGS_H
#define GLOW_LIB_STAGES_NUMBEREDSTRINGS_H

#include "glow/Values/HostValue.h"
#include <string_view>

namespace glow {

/// Whether a value is strings, or a sequence that holds some.
bool hasStrings(const HostValue &value);

/// The strings of all inputs of a node, numbered in their order. Equal strings
/// have equal numbers, and the empty string, the usual filler, is 0. Refers to
/// the values, which must live as long.
class NumberedStrings {
public:
  /// Fails when there are too many different strings for such numbers.
  static Result<NumberedStrings>
  of(const std::vector<const HostValue *> &values);

  /// The value with a tensor of `kind` in place of each tensor of strings.
  /// Fails when the MemoryBudget is exceeded.
  Result<HostValue> numbersOf(const HostValue &value) const;

  /// The value with strings in place of each tensor of `kind`. Fails when a
  /// number stands for no string: then the operator did not only move elements.
  Result<HostValue> stringsOf(const HostValue &value) const;

private:
  /// Operators that move elements never create tensors of this kind by
  /// themselves.
  static constexpr ElementKind kind = ElementKind::I32;

  /// The number of the first non-empty string. A sum of two numbers stands for
  /// no string.
  static constexpr int32_t base = 1 << 30;

  std::vector<std::string_view> texts; ///< sorted, distinct, without the empty
                                       ///< string
};

} // namespace glow

#endif // GLOW_LIB_STAGES_NUMBEREDSTRINGS_H
