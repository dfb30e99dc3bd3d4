//===- Charsmap.cpp - replaced characters of SentencePiece ----------------===//
// SPDX-License-Identifier: MIT
//
// The table is a trie of UTF-8 keys in a double array, in the layout of Darts,
// and the texts that replace the keys, each with a zero byte behind it.
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "Normalizer.h"
#include "Unicode.h"
#include <cstring>

using namespace glow;
using namespace glow::tokenizer;

/// The bytes of a text in base64; nothing if it is none.
static std::optional<std::string> bytesOfBase64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "abcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < 2 && text.ends_with('='); ++i)
    text.remove_suffix(1);
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (char character : text) {
    const size_t digit = digits.find(character);
    if (digit == digits.npos)
      return std::nullopt;
    bits = bits << 6 | uint32_t(digit), count += 6;
    if (count >= 8)
      bytes += char(bits >> (count -= 8));
  }
  return bytes;
}

namespace {
class Charsmap {
public:
  /// Nothing if the bytes are no such table.
  static std::optional<Charsmap> parse(std::string_view bytes);

  std::string apply(std::string_view text) const;

private:
  /// The replacement of the shortest key that `text` begins with.
  std::optional<std::string_view> find(std::string_view text) const;

  // A unit is a label with a leaf below it (bit 8), and the offset to its
  // children; or, with bit 31, a value: an index of `texts`.
  std::vector<uint32_t> units;
  std::string texts;
};
} // namespace

static constexpr uint32_t valueBit = uint32_t(1) << 31;

static uint32_t offsetOf(uint32_t unit) {
  return (unit >> 10) << ((unit & 0x200) >> 6);
}

std::optional<Charsmap> Charsmap::parse(std::string_view bytes) {
  uint32_t size = 0;
  if (bytes.size() < sizeof size)
    return std::nullopt;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (size == 0 || size % 4 || size > bytes.size())
    return std::nullopt;
  Charsmap map;
  map.units.resize(size / 4);
  std::memcpy(map.units.data(), bytes.data(), size);
  map.texts = bytes.substr(size);
  if (validPrefix(map.texts) != map.texts.size())
    return std::nullopt;
  for (uint32_t unit : map.units) {
    const size_t value = unit & ~valueBit;
    const bool isText =
        value < map.texts.size() && (uint8_t(map.texts[value]) & 0xc0) != 0x80;
    if ((unit & valueBit) && !isText)
      return std::nullopt;
  }
  return map;
}

std::optional<std::string_view> Charsmap::find(std::string_view text) const {
  uint32_t at = offsetOf(units[0]);
  for (char character : text) {
    const uint8_t byte = uint8_t(character);
    at ^= byte;
    if (byte == 0 || at >= units.size() ||
        (units[at] & (valueBit | 0xff)) != byte)
      return std::nullopt;
    const bool hasLeaf = units[at] & 0x100;
    at ^= offsetOf(units[at]);
    if (!hasLeaf)
      continue;
    if (at >= units.size() || !(units[at] & valueBit))
      return std::nullopt;
    return std::string_view(texts.data() + (units[at] & ~valueBit));
  }
  return std::nullopt;
}

/// Short clusters of characters are looked up first, as SentencePiece does, and
/// then each character.
std::string Charsmap::apply(std::string_view text) const {
  constexpr size_t longest = 6;
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = clusterEnd(text, at);
    const std::string_view cluster = text.substr(at, end - at);
    at = end;
    std::optional<std::string_view> by;
    if (cluster.size() < longest && (by = find(cluster))) {
      result += *by;
      continue;
    }
    for (size_t i = 0; i < cluster.size();) {
      const size_t begin = i;
      nextCharacter(cluster, i);
      const std::string_view character = cluster.substr(begin, i - begin);
      result += find(character).value_or(character);
    }
  }
  return result;
}

Normalizer tokenizer::charsmapOf(const Fields &of) {
  constexpr const char *key = "precompiled_charsmap";
  of.allow({key});
  std::optional<std::string> bytes = bytesOfBase64(of.text(key));
  std::optional<Charsmap> map;
  if (bytes)
    map = Charsmap::parse(*bytes);
  if (!map) {
    of.fail(key, "a table of SentencePiece in base64");
    return {};
  }
  return [map = std::move(*map)](std::string &text) {
    text = map.apply(text);
    return Status();
  };
}
