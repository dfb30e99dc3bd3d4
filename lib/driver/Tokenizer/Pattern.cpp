//===- Pattern.cpp - where a text is divided ------------------------------===//
// SPDX-License-Identifier: MIT

#include "Pattern.h"
#include "Fields.h"
#include "Unicode.h"
#include <algorithm>
#include <array>

using namespace glow;
using namespace glow::tokenizer;

Pattern tokenizer::charactersPattern(bool (*matches)(char32_t)) {
  return [=](std::string_view text, std::vector<Span> &spans) {
    size_t last = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t begin = at;
      if (!matches(nextCharacter(text, at)))
        continue;
      if (last < begin)
        spans.push_back({last, begin, false});
      spans.push_back({begin, at, true});
      last = at;
    }
    if (last < text.size())
      spans.push_back({last, text.size(), false});
    return Status();
  };
}

Pattern tokenizer::textPattern(std::string what) {
  return [what = std::move(what)](std::string_view text,
                                  std::vector<Span> &spans) {
    size_t last = 0;
    for (size_t at; (at = text.find(what, last)) != text.npos;) {
      if (last < at)
        spans.push_back({last, at, false});
      spans.push_back({at, at + what.size(), true});
      last = at + what.size();
    }
    if (last < text.size())
      spans.push_back({last, text.size(), false});
    return Status();
  };
}

Pattern tokenizer::patternOf(const Fields &of, const char *key) {
  const Fields pattern = of.object(key);
  pattern.allow({"String", "Regex"});
  if (pattern.has("Regex") == pattern.has("String"))
    pattern.fail(nullptr, "an object with either 'String' or 'Regex'");
  if (pattern.has("Regex")) {
    Result<Pattern> regex = regexPattern(pattern.text("Regex"));
    if (regex)
      return regex.take();
    pattern.fail(regex.status().prefixed(pattern.place() + ".Regex "));
  }
  std::string text = pattern.textOr("String", " ");
  if (text.empty())
    pattern.fail("String", "a text of at least one character");
  return textPattern(std::move(text));
}

Result<std::string> tokenizer::replaced(std::string_view text,
                                        const Pattern &pattern,
                                        std::string_view by) {
  std::vector<Span> spans;
  if (Status status = pattern(text, spans); !status.ok())
    return status;
  std::string result;
  for (const Span &span : spans)
    result +=
        span.matches ? by : text.substr(span.begin, span.end - span.begin);
  return result;
}

Behavior tokenizer::behaviorOf(const Fields &of, const char *key) {
  static constexpr std::array<std::string_view, 5> names = {
      "Removed", "Isolated", "MergedWithPrevious", "MergedWithNext",
      "Contiguous"};
  return Behavior(of.choice(key, names));
}

/// Joins a span to the one behind it in `spans`, in either direction, where
/// `joins` holds for whether it is a match, and whether the last one was.
template <typename Spans, typename Joins>
static std::vector<Span> joined(const Spans &spans, Joins joins) {
  std::vector<Span> parts;
  bool last = false;
  for (const Span &span : spans) {
    if (joins(span.matches, last) && !parts.empty()) {
      parts.back().begin = std::min(parts.back().begin, span.begin);
      parts.back().end = std::max(parts.back().end, span.end);
    } else {
      parts.push_back({span.begin, span.end, false});
    }
    last = span.matches;
  }
  return parts;
}

std::vector<Span> tokenizer::divided(const std::vector<Span> &spans,
                                     Behavior behavior) {
  auto isFirst = [](bool matches, bool last) { return matches && !last; };
  std::vector<Span> parts;
  switch (behavior) {
  case Behavior::Removed:
    std::ranges::copy_if(spans, std::back_inserter(parts),
                         [](const Span &span) { return !span.matches; });
    return parts;
  case Behavior::Isolated:
    return joined(spans, [](bool, bool) { return false; });
  case Behavior::MergedWithPrevious:
    return joined(spans, isFirst);
  case Behavior::MergedWithNext: {
    const std::vector<Span> backwards(spans.rbegin(), spans.rend());
    parts = joined(backwards, isFirst);
    std::ranges::reverse(parts);
    return parts;
  }
  case Behavior::Contiguous:
    return joined(spans,
                  [](bool matches, bool last) { return matches == last; });
  }
  return parts;
}
