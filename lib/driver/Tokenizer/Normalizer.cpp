//===- Normalizer.cpp - texts before they are divided ---------------------===//
// SPDX-License-Identifier: MIT

#include "Normalizer.h"
#include "Fields.h"
#include "Pattern.h"
#include "Unicode.h"
#include <array>

using namespace glow;
using namespace glow::tokenizer;

/// A normalizer that cannot fail, from a function on texts.
template <typename Change> static Normalizer always(Change change) {
  return [=](std::string &text) {
    text = change(text);
    return Status();
  };
}

/// Maps each character; 0 removes it.
static Normalizer eachCharacter(char32_t (*map)(char32_t)) {
  return always([=](const std::string &text) {
    std::string result;
    forEachCharacter(text, [&](char32_t character) {
      if (char32_t mapped = map(character); mapped || !character)
        append(result, mapped);
    });
    return result;
  });
}

static bool isAmong(char32_t character, std::u32string_view characters) {
  return characters.find(character) != characters.npos;
}

/// Control characters are removed, and characters that separate become blanks:
/// the rule of SentencePiece for translations.
static char32_t nmt(char32_t c) {
  const bool isControl = (c >= 0x01 && c <= 0x08) || c == 0x0b ||
                         (c >= 0x0e && c <= 0x1f) || c == 0x7f || c == 0x8f ||
                         c == 0x9f;
  if (isControl)
    return 0;
  const bool separates =
      (c >= 0x200b && c <= 0x200f) ||
      isAmong(c, U"\t\n\f\r\u1680\u2028\u2029\u2581\ufeff\ufffd");
  return separates ? U' ' : c;
}

static Normalizer strip(const Fields &of) {
  of.allow({"strip_left", "strip_right"});
  const bool left = of.flag("strip_left"), right = of.flag("strip_right");
  return always([=](const std::string &text) {
    size_t begin = std::string::npos, end = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t from = at;
      if (isSpace(nextCharacter(text, at)))
        continue;
      begin = std::min(begin, from), end = at;
    }
    begin = !left ? 0 : std::min(begin, text.size());
    end = !right ? text.size() : std::max(begin, end);
    return text.substr(begin, end - begin);
  });
}

static Normalizer replace(const Fields &of) {
  of.allow({"pattern", "content"});
  return [pattern = patternOf(of, "pattern"),
          by = of.text("content")](std::string &text) {
    Result<std::string> result = replaced(text, pattern, by);
    if (result)
      text = result.take();
    return result.status();
  };
}

static Normalizer prepend(const Fields &of) {
  of.allow({"prepend"});
  return always([before = of.text("prepend")](const std::string &text) {
    return text.empty() ? text : before + text;
  });
}

static Normalizer byteLevel(const Fields &) {
  return always([](const std::string &text) {
    std::string result;
    for (char byte : text)
      result += characterOfByte(static_cast<unsigned char>(byte));
    return result;
  });
}

static Normalizer sequence(const Fields &of) {
  of.allow({"normalizers"});
  std::vector<Normalizer> steps;
  for (const Fields &step : of.objects("normalizers"))
    steps.push_back(normalizerOf(step));
  return [steps = std::move(steps)](std::string &text) {
    for (const Normalizer &step : steps)
      if (Status status = step(text); !status.ok())
        return status;
    return Status();
  };
}

template <Form form> static Normalizer unicode(const Fields &) {
  return always([](const std::string &text) { return normalized(text, form); });
}

static Normalizer lower(const Fields &) {
  return always([](const std::string &text) { return lowercase(text); });
}

static Normalizer stripAccents(const Fields &) {
  return eachCharacter([](char32_t c) { return isMark(c) ? U'\0' : c; });
}

static Normalizer translation(const Fields &) { return eachCharacter(nmt); }

Normalizer tokenizer::normalizerOf(const Fields &of) {
  static constexpr std::array<std::string_view, 13> names = {
      "NFC",          "NFD",         "NFKC",      "NFKD",  "Lowercase",
      "StripAccents", "Nmt",         "ByteLevel", "Strip", "Replace",
      "Prepend",      "Precompiled", "Sequence"};
  using Reader = Normalizer (*)(const Fields &);
  static constexpr std::array<Reader, 13> readers = {unicode<Form::NFC>,
                                                     unicode<Form::NFD>,
                                                     unicode<Form::NFKC>,
                                                     unicode<Form::NFKD>,
                                                     lower,
                                                     stripAccents,
                                                     translation,
                                                     byteLevel,
                                                     strip,
                                                     replace,
                                                     prepend,
                                                     charsmapOf,
                                                     sequence};
  const size_t kind = of.choice("type", names);
  if (kind < 8)
    of.allow({});
  return readers[kind](of);
}
