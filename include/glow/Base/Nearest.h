//===- Nearest.h - suggestions for misspelt words ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_NEAREST_H
#define GLOW_BASE_NEAREST_H

#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// The word of `known` with the smallest edit distance to `word`: letters
/// inserted, removed, replaced, or swapped with the next one. Ties go to the
/// first. "" if every distance is more than 1 and more than a third of the
/// letters of `word`.
std::string nearest(std::string_view word,
                    const std::vector<std::string> &known);

/// Suggestion at the end of a message: "; did you mean 'bench'?", or "".
std::string didYouMean(std::string_view word,
                       const std::vector<std::string> &known);

} // namespace glow

#endif // GLOW_BASE_NEAREST_H
