//===- Counted.h - singular and plural in messages --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_COUNTED_H
#define GLOW_BASE_COUNTED_H

#include <cstdint>
#include <string>

namespace glow {

/// `one` for 1, else `many`: "is", "are".
inline const char *wordFor(uint64_t count, const char *one, const char *many) {
  return count == 1 ? one : many;
}

/// "1 run", "3 runs". `many` is the plural where it does not end in s.
inline std::string counted(uint64_t count, const std::string &noun,
                           const std::string &many = "") {
  return std::to_string(count) + " " +
         (count == 1     ? noun
          : many.empty() ? noun + "s"
                         : many);
}

/// "1 of 3 runs", "1 of 1 run".
inline std::string countedOf(uint64_t part, uint64_t whole,
                             const std::string &noun) {
  return std::to_string(part) + " of " + counted(whole, noun);
}

} // namespace glow

#endif // GLOW_BASE_COUNTED_H
