//===- Pattern.h - where a text is divided ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_PATTERN_H
#define GLOW_LIB_TOKENIZER_PATTERN_H

#include "glow/Base/Status.h"
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glow::tokenizer {

class Fields;

/// A part of a text, in bytes.
struct Span {
  size_t begin, end;
  bool matches; ///< whether it is a match of the pattern, or between two
};

/// Divides a text into matches and the parts between them. The spans cover the
/// text in order. Parts between matches are not empty, matches may be.
/// Fails if a regular expression takes too many steps.
using Pattern =
    std::function<Status(std::string_view text, std::vector<Span> &spans)>;

/// Each character for which `matches` is true is a match.
Pattern charactersPattern(bool (*matches)(char32_t));
/// A text that is not empty.
Pattern textPattern(std::string text);
/// A regular expression of Oniguruma, the engine of the format's library. Fails
/// with Code::Unsupported for syntax that is not supported.
Result<Pattern> regexPattern(std::string_view regex);

/// {"String": TEXT} or {"Regex": TEXT} of a field.
Pattern patternOf(const Fields &of, const char *key);

/// `text` with each match replaced.
Result<std::string> replaced(std::string_view text, const Pattern &pattern,
                             std::string_view by);

/// Handling of matches between parts.
enum class Behavior {
  Removed,
  Isolated,           ///< a match is a part
  MergedWithPrevious, ///< a match ends the part before it
  MergedWithNext,     ///< a match begins the part behind it
  Contiguous,         ///< adjacent matches are one part
};
Behavior behaviorOf(const Fields &of, const char *key);

/// The spans of parts, of which all have `matches` false. Parts may be empty.
std::vector<Span> divided(const std::vector<Span> &spans, Behavior behavior);

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_PATTERN_H
