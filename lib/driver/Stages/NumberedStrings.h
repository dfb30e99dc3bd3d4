//===- NumberedStrings.h - numbers in the place of strings ------*- C++ -*-===//
//
// What moves elements, moves strings as it moves their numbers: one kernel for
// each operator does for both.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_STAGES_NUMBEREDSTRINGS_H
#define GLOW_LIB_STAGES_NUMBEREDSTRINGS_H

#include "glow/Values/HostValue.h"
#include <string_view>

namespace glow {

/// Whether a value is strings, or a sequence that holds some.
bool hasStrings(const HostValue &value);

/// The strings of all inputs of a node, numbered in their order: equal ones are
/// equal numbers, and the empty string, which fills what nothing else does, is
/// 0. Refers to the values, which must live as long.
class NumberedStrings {
public:
  /// Fails when there are more different ones than such a number counts.
  static Result<NumberedStrings>
  of(const std::vector<const HostValue *> &values);

  /// One of the values, with a tensor of `kind` for each one of strings. Fails
  /// when the MemoryBudget has no room.
  Result<HostValue> numbersOf(const HostValue &value) const;

  /// The same value with strings for each tensor of `kind`. Fails when there is
  /// a number that is none of a string: then they were not only moved.
  Result<HostValue> stringsOf(const HostValue &value) const;

private:
  /// Nothing that moves elements makes tensors of this kind of its own.
  static constexpr ElementKind kind = ElementKind::I32;

  /// That of the first string which is not empty. A sum of two is no number.
  static constexpr int32_t base = 1 << 30;

  std::vector<std::string_view> texts; ///< each once, in order, none empty
};

} // namespace glow

#endif // GLOW_LIB_STAGES_NUMBEREDSTRINGS_H
