//===- OneLine.cpp - any text, for a terminal -----------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/OneLine.h"
#include <cstdint>

using namespace glow;

size_t glow::characterLength(std::string_view text) {
  if (text.empty())
    return 0;
  auto byte = [&](size_t i) { return uint8_t(text[i]); };
  const uint8_t first = byte(0);
  size_t length = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;
  if (length > text.size())
    return 0;
  for (size_t i = 1; i < length; ++i)
    if (byte(i) >> 6 != 2)
      return 0;
  // An overlong encoding, half of a surrogate pair, or a code point past the
  // last.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f))
    return 0;
  return length;
}

/// Whether a terminal might obey the character: C0, C1 and delete.
static bool isControl(std::string_view character) {
  auto first = uint8_t(character[0]);
  return first < 0x20 || first == 0x7f ||
         (first == 0xc2 && uint8_t(character[1]) < 0xa0);
}

std::string glow::oneLine(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  std::string line;
  while (!text.empty()) {
    size_t length = characterLength(text);
    std::string_view character = text.substr(0, length ? length : 1);
    if (character == "\n")
      line += ' ';
    else if (length && !isControl(character))
      line += character;
    else
      for (char byte : character)
        line += {'\\', 'x', digits[uint8_t(byte) >> 4], digits[byte & 15]};
    text.remove_prefix(character.size());
  }
  return line;
}
