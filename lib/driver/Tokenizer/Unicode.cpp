//===- Unicode.cpp - characters of UTF-8 texts ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Unicode.h"
#include "glow/Base/OneLine.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utf8proc.h>

using namespace glow;
using namespace glow::tokenizer;

size_t tokenizer::validPrefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    size_t length = characterLength(text.substr(at));
    if (length == 0)
      break;
    at += length;
  }
  return at;
}

size_t tokenizer::partOfCharacter(std::string_view text) {
  // Bytes that complete it: those of the least and of the largest character.
  for (size_t length = std::min<size_t>(text.size(), 3); length > 1; --length)
    for (char filler : {'\x80', '\xbf'})
      for (size_t more = 1; length + more <= 4; ++more)
        if (characterLength(std::string(text.substr(0, length)) +
                            std::string(more, filler)) == length + more)
          return length;
  return std::min<size_t>(text.size(), 1);
}

char32_t tokenizer::nextCharacter(std::string_view text, size_t &at) {
  auto byte = [&] { return char32_t(uint8_t(text[at++])); };
  const char32_t first = byte();
  if (first < 0x80)
    return first;
  const int more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  char32_t character = first & (0x3f >> more);
  for (int i = 0; i < more && at < text.size(); ++i)
    character = character << 6 | (byte() & 0x3f);
  return character;
}

void tokenizer::append(std::string &text, char32_t character) {
  utf8proc_uint8_t bytes[4];
  const auto count = utf8proc_encode_char(utf8proc_int32_t(character), bytes);
  text.append(reinterpret_cast<const char *>(bytes), size_t(count));
}

static utf8proc_category_t categoryOf(char32_t character) {
  return utf8proc_category(utf8proc_int32_t(character));
}

static bool isIn(char32_t character, char32_t first, char32_t last) {
  return character >= first && character <= last;
}

bool tokenizer::isSpace(char32_t character) {
  if (character < 0x80)
    return character == ' ' || isIn(character, '\t', '\r');
  const utf8proc_category_t category = categoryOf(character);
  return character == 0x85 ||
         isIn(category, UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP);
}

bool tokenizer::isNumeric(char32_t character) {
  return isIn(categoryOf(character), UTF8PROC_CATEGORY_ND,
              UTF8PROC_CATEGORY_NO);
}

bool tokenizer::isMark(char32_t character) {
  return isIn(categoryOf(character), UTF8PROC_CATEGORY_MN,
              UTF8PROC_CATEGORY_ME);
}

bool tokenizer::isPunctuation(char32_t character) {
  if (character < 0x80)
    return isIn(character, '!', '/') || isIn(character, ':', '@') ||
           isIn(character, '[', '`') || isIn(character, '{', '~');
  return isIn(categoryOf(character), UTF8PROC_CATEGORY_PC,
              UTF8PROC_CATEGORY_PO);
}

bool tokenizer::isWord(char32_t character) {
  const utf8proc_category_t category = categoryOf(character);
  if (isIn(category, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_NL) ||
      category == UTF8PROC_CATEGORY_PC)
    return true;
  // Property Join_Control, and letters in circles and squares, which are
  // alphabetic symbols.
  return isIn(character, 0x200c, 0x200d) || isIn(character, 0x24b6, 0x24e9) ||
         isIn(character, 0x1f130, 0x1f149) ||
         isIn(character, 0x1f150, 0x1f169) || isIn(character, 0x1f170, 0x1f189);
}

std::string tokenizer::normalized(std::string_view text, Form form) {
  int options = UTF8PROC_STABLE;
  if (form == Form::NFKC || form == Form::NFKD)
    options |= UTF8PROC_COMPAT;
  options |= form == Form::NFC || form == Form::NFKC ? UTF8PROC_COMPOSE
                                                     : UTF8PROC_DECOMPOSE;
  utf8proc_uint8_t *result = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
      utf8proc_ssize_t(text.size()), &result, utf8proc_option_t(options));
  std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result,
                                                                &std::free);
  if (size < 0) // it has no other error for UTF-8
    throw std::bad_alloc();
  return std::string(reinterpret_cast<const char *>(result), size_t(size));
}

std::string tokenizer::lowercase(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  forEachCharacter(text, [&](char32_t character) {
    // The only character with a longer lowercase form, for which utf8proc has
    // the simple mapping.
    if (character == 0x130)
      lower += "i\xcc\x87";
    else
      append(lower, char32_t(utf8proc_tolower(utf8proc_int32_t(character))));
  });
  return lower;
}

size_t tokenizer::clusterEnd(std::string_view text, size_t at) {
  utf8proc_int32_t state = 0;
  auto before = utf8proc_int32_t(nextCharacter(text, at));
  while (at < text.size()) {
    size_t end = at;
    auto next = utf8proc_int32_t(nextCharacter(text, end));
    if (utf8proc_grapheme_break_stateful(before, next, &state))
      break;
    before = next, at = end;
  }
  return at;
}

/// Bytes that are printable in Latin-1 stand for themselves.
static bool isPrintable(unsigned byte) {
  return isIn(byte, '!', '~') || isIn(byte, 0xa1, 0xac) ||
         isIn(byte, 0xae, 0xff);
}

namespace {
struct ByteCharacters {
  std::array<std::string, 256> texts;
  std::array<int, 0x144> bytes; ///< by characters; the last one is U+0143

  ByteCharacters() {
    bytes.fill(-1);
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const char32_t character = isPrintable(byte) ? byte : next++;
      append(texts[byte], character);
      bytes[character] = int(byte);
    }
  }
};
} // namespace

static const ByteCharacters &byteCharacters() {
  static const ByteCharacters all;
  return all;
}

std::string_view tokenizer::characterOfByte(unsigned char byte) {
  return byteCharacters().texts[byte];
}

int tokenizer::byteOfCharacter(char32_t character) {
  const auto &bytes = byteCharacters().bytes;
  return character < bytes.size() ? bytes[character] : -1;
}

static int digitOf(char character) {
  if (character >= '0' && character <= '9')
    return character - '0';
  const int letter = character | 0x20;
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

int tokenizer::byteOfToken(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>')
    return -1;
  const int high = digitOf(token[3]), low = digitOf(token[4]);
  // As a number in Rust, the digits may begin with a sign.
  if (token[3] == '+')
    return low;
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

std::string tokenizer::tokenOfByte(unsigned char byte) {
  constexpr char digits[] = "0123456789ABCDEF";
  return {'<', '0', 'x', digits[byte >> 4], digits[byte & 15], '>'};
}
