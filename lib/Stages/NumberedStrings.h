//===- NumberedStrings.h - numbers in the place of strings ------*- C++ -*-===//
//
// What moves elements, moves strings as it moves their numbers: one kernel for
// each operator does for both.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_STAGES_NUMBEREDSTRINGS_H
#define GLOW_LIB_STAGES_NUMBEREDSTRINGS_H

#include "glow/HostOperators/HostValue.h"

namespace glow {

/// Whether a value is strings, or a sequence that holds some.
bool hasStrings(const HostValue &value);

/// The strings of all inputs of a node, numbered through.
class NumberedStrings {
public:
  /// The same value with a tensor of `kind` for each one of strings. Fails when
  /// the MemoryBudget has no room, or there are more than such a number counts.
  Result<HostValue> numbersOf(const HostValue &value);

  /// The same value with strings for each tensor of `kind`. Fails when there is
  /// a number that is none of a string: then they were not only moved.
  Result<HostValue> stringsOf(const HostValue &value) const;

private:
  /// Nothing that moves elements makes tensors of this kind of its own.
  static constexpr ElementKind kind = ElementKind::I32;

  std::vector<HostValue> values; ///< of strings
  std::vector<int64_t> firsts;   ///< the number of the first string of each
  int64_t count = 0;
};

} // namespace glow

#endif // GLOW_LIB_STAGES_NUMBEREDSTRINGS_H
