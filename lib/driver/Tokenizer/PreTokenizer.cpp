//===- PreTokenizer.cpp - division of a text into words -------------------===//
// SPDX-License-Identifier: MIT

#include "PreTokenizer.h"
#include "Fields.h"
#include "Pattern.h"
#include "Unicode.h"
#include <array>

using namespace glow;
using namespace glow::tokenizer;

/// Calls `divide(piece, parts)` for each piece that is no added token, and
/// takes the parts in its place.
template <typename Divide>
static Status divideEach(Pieces &pieces, Divide divide) {
  Pieces parts;
  parts.reserve(pieces.size());
  for (Piece &piece : pieces) {
    if (piece.token)
      parts.push_back(std::move(piece));
    else if (Status status = divide(std::move(piece), parts); !status.ok())
      return status;
  }
  std::erase_if(parts, [](const Piece &part) {
    return part.text.empty() && !part.token;
  });
  pieces = std::move(parts);
  return Status();
}

static Status divideBy(const Pattern &pattern, Behavior behavior,
                       const Piece &piece, Pieces &parts, bool invert = false) {
  thread_local std::vector<Span> spans;
  spans.clear();
  if (Status status = pattern(piece.text, spans); !status.ok())
    return status;
  if (invert)
    for (Span &span : spans)
      span.matches = !span.matches;
  for (const Span &span : divided(spans, behavior))
    parts.push_back({piece.text.substr(span.begin, span.end - span.begin),
                     piece.isFirst && span.begin == 0});
  return Status();
}

static PreTokenizer divider(Pattern pattern, Behavior behavior,
                            bool invert = false) {
  return [=](Pieces &pieces) {
    return divideEach(pieces, [&](const Piece &piece, Pieces &parts) {
      return divideBy(pattern, behavior, piece, parts, invert);
    });
  };
}

static PreTokenizer byteLevel(const Fields &of) {
  of.allow({"add_prefix_space", "trim_offsets", "use_regex"});
  const bool prefix = of.flag("add_prefix_space");
  Pattern pattern;
  if (of.flagOr("use_regex", true))
    pattern = *regexPattern("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|"
                            " ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+");
  return [=](Pieces &pieces) {
    Status status = divideEach(pieces, [&](Piece piece, Pieces &parts) {
      if (prefix && !piece.text.starts_with(' '))
        piece.text.insert(0, 1, ' ');
      if (pattern)
        return divideBy(pattern, Behavior::Isolated, piece, parts);
      parts.push_back(std::move(piece));
      return Status();
    });
    for (Piece &piece : pieces) {
      if (piece.token)
        continue;
      std::string text;
      text.reserve(piece.text.size() * 2);
      for (char byte : piece.text)
        text += characterOfByte(static_cast<unsigned char>(byte));
      piece.text = std::move(text);
    }
    return status;
  };
}

PrependScheme tokenizer::prependSchemeOf(const Fields &of) {
  static constexpr std::array<std::string_view, 3> names = {"always", "first",
                                                            "never"};
  const bool prefix = of.flagOr("add_prefix_space", true);
  const auto scheme = of.has("prepend_scheme")
                          ? PrependScheme(of.choice("prepend_scheme", names))
                          : PrependScheme::Always;
  if (prefix)
    return scheme;
  if (of.has("prepend_scheme") && scheme != PrependScheme::Never)
    of.fail("prepend_scheme", "'never', since add_prefix_space is false");
  return PrependScheme::Never;
}

static PreTokenizer metaspace(const Fields &of) {
  of.allow({"replacement", "prepend_scheme", "split", "add_prefix_space",
            "str_rep"});
  const std::string mark = of.character("replacement");
  const PrependScheme scheme = prependSchemeOf(of);
  const bool split = of.flagOr("split", true);
  return [mark, scheme, split, blank = textPattern(" "),
          pattern = textPattern(mark)](Pieces &pieces) {
    return divideEach(pieces, [&](Piece piece, Pieces &parts) {
      piece.text = *replaced(piece.text, blank, mark);
      const bool prepends = scheme == PrependScheme::Always ||
                            (scheme == PrependScheme::First && piece.isFirst);
      if (prepends && !piece.text.empty() && !piece.text.starts_with(mark))
        piece.text.insert(0, mark);
      if (split)
        return divideBy(pattern, Behavior::MergedWithNext, piece, parts);
      parts.push_back(std::move(piece));
      return Status();
    });
  };
}

static PreTokenizer split(const Fields &of) {
  of.allow({"pattern", "behavior", "invert"});
  return divider(patternOf(of, "pattern"), behaviorOf(of, "behavior"),
                 of.flag("invert"));
}

static PreTokenizer characterSplit(const Fields &of) {
  of.allow({"delimiter"});
  return divider(textPattern(of.character("delimiter")), Behavior::Removed);
}

static PreTokenizer punctuation(const Fields &of) {
  of.allow({"behavior"});
  return divider(charactersPattern(isPunctuation),
                 of.has("behavior") ? behaviorOf(of, "behavior")
                                    : Behavior::Isolated);
}

static PreTokenizer digits(const Fields &of) {
  of.allow({"individual_digits"});
  return divider(charactersPattern(isNumeric), of.flag("individual_digits")
                                                   ? Behavior::Isolated
                                                   : Behavior::Contiguous);
}

static PreTokenizer whitespaceSplit(const Fields &of) {
  of.allow({});
  return divider(charactersPattern(isSpace), Behavior::Removed);
}

/// Words, and runs of other characters, without the spaces between them.
static PreTokenizer whitespace(const Fields &of) {
  of.allow({});
  const PreTokenizer atSpaces = whitespaceSplit(of);
  const PreTokenizer atWords =
      divider(charactersPattern(isWord), Behavior::Contiguous);
  return [=](Pieces &pieces) {
    Status status = atSpaces(pieces);
    return status.ok() ? atWords(pieces) : status;
  };
}

static PreTokenizer sequence(const Fields &of) {
  of.allow({"pretokenizers"});
  std::vector<PreTokenizer> steps;
  for (const Fields &step : of.objects("pretokenizers"))
    steps.push_back(preTokenizerOf(step));
  return [steps = std::move(steps)](Pieces &pieces) {
    for (const PreTokenizer &step : steps)
      if (Status status = step(pieces); !status.ok())
        return status;
    return Status();
  };
}

PreTokenizer tokenizer::preTokenizerOf(const Fields &of) {
  static constexpr std::array<std::string_view, 9> names = {
      "ByteLevel", "Metaspace",   "Whitespace", "WhitespaceSplit",
      "Digits",    "Punctuation", "Split",      "CharDelimiterSplit",
      "Sequence"};
  using Reader = PreTokenizer (*)(const Fields &);
  static constexpr std::array<Reader, 9> readers = {
      byteLevel,   metaspace, whitespace,     whitespaceSplit, digits,
      punctuation, split,     characterSplit, sequence};
  return readers[of.choice("type", names)](of);
}
