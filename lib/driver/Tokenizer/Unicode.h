//===- Unicode.h - characters of UTF-8 texts --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Functions take valid UTF-8; validPrefix checks it.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_TOKENIZER_UNICODE_H
#define GLOW_LIB_TOKENIZER_UNICODE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace glow::tokenizer {

/// U+FFFD in UTF-8, which stands for bytes that are no character.
inline constexpr std::string_view replacementCharacter = "\xef\xbf\xbd";

/// The length of the longest prefix that is UTF-8.
size_t validPrefix(std::string_view text);
/// The length of the longest part of a character at the begin of a text that
/// does not begin with a whole one; at least 1 if the text is not empty.
size_t partOfCharacter(std::string_view text);

/// The character at `at`, which moves behind it.
char32_t nextCharacter(std::string_view text, size_t &at);
void append(std::string &text, char32_t character);

/// Calls `take(character)` for each character of a text.
template <typename Take>
void forEachCharacter(std::string_view text, Take take) {
  for (size_t at = 0; at < text.size();)
    take(nextCharacter(text, at));
}

/// Property White_Space.
bool isSpace(char32_t character);
/// General category Nd, Nl or No.
bool isNumeric(char32_t character);
/// General category M.
bool isMark(char32_t character);
/// ASCII punctuation and symbols, or general category P.
bool isPunctuation(char32_t character);
/// Letters, marks, decimal digits, connectors and joiners: \w of UTS #18.
bool isWord(char32_t character);

enum class Form { NFC, NFD, NFKC, NFKD };
std::string normalized(std::string_view text, Form form);
std::string lowercase(std::string_view text);

/// The end of the grapheme cluster that begins at `at`.
size_t clusterEnd(std::string_view text, size_t at);

/// GPT-2's printable characters for bytes, in UTF-8.
std::string_view characterOfByte(unsigned char byte);
/// The byte of such a character; -1 if it has none.
int byteOfCharacter(char32_t character);

/// The byte of a token `<0xHH>`; -1 for other tokens. Digits are hexadecimal.
int byteOfToken(std::string_view token);
/// `<0xHH>`, with capital digits.
std::string tokenOfByte(unsigned char byte);

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_UNICODE_H
