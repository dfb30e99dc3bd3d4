//===- Pnm.cpp - images in PBM, PGM and PPM files -------------------------===//
// SPDX-License-Identifier: MIT
//
// P1 to P3 have numbers as text, P4 to P6 as bytes: black and white, grey, and
// colours. A header of words and comments comes first. Numbers of two bytes are
// big-endian.
//
//===----------------------------------------------------------------------===//

#include "ImageFormats.h"
#include <algorithm>
#include <optional>

using namespace glow;

namespace {

class PnmReader {
public:
  explicit PnmReader(std::string_view bytes)
      : rest(bytes.substr(2)), isText(bytes[1] <= '3'),
        isBits(bytes[1] == '1' || bytes[1] == '4'),
        channels(bytes[1] == '3' || bytes[1] == '6' ? 3 : 1) {}

  Result<Tensor> read();

private:
  Status damaged(const char *why) const {
    return failure(Code::InvalidArgument,
                   "the PNM image is cut off or damaged: ", why);
  }
  void skipBlanks();
  std::optional<uint32_t> number();
  bool readText(std::span<uint8_t> out);
  bool readBits(std::span<uint8_t> out);
  bool readBytes(std::span<uint8_t> out);

  std::string_view rest;
  bool isText, isBits;
  int64_t channels, width = 0;
  uint32_t most = 1;
};

} // namespace

static bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Skips blanks and comments; a comment goes from a # to the end of the line.
void PnmReader::skipBlanks() {
  while (!rest.empty() && (isBlank(rest[0]) || rest[0] == '#'))
    rest.remove_prefix(rest[0] == '#' ? std::min(rest.find('\n'), rest.size())
                                      : 1);
}

std::optional<uint32_t> PnmReader::number() {
  skipBlanks();
  constexpr uint32_t large = 100'000'000; // more than any size or number
  uint32_t value = 0;
  size_t digits = 0;
  for (; digits < rest.size() && isDigit(rest[digits]) && value < large;
       ++digits)
    value = value * 10 + uint32_t(rest[digits] - '0');
  rest.remove_prefix(digits);
  return digits ? std::optional(value) : std::nullopt;
}

/// Reads numbers as text. Digits of black and white need no blank between them.
bool PnmReader::readText(std::span<uint8_t> out) {
  for (uint8_t &element : out) {
    if (isBits) {
      skipBlanks();
      if (rest.empty() || (rest[0] != '0' && rest[0] != '1'))
        return false;
      element = rest[0] == '0' ? 255 : 0;
      rest.remove_prefix(1);
      continue;
    }
    const std::optional<uint32_t> value = number();
    if (!value)
      return false;
    element = asByte(*value, most);
  }
  return true;
}

/// Reads eight pixels from a byte, the first in the highest bit; a row begins
/// with a new byte.
bool PnmReader::readBits(std::span<uint8_t> out) {
  const size_t columns = size_t(width), stride = (columns + 7) / 8;
  const size_t rows = out.size() / columns;
  if (rest.size() < rows * stride)
    return false;
  for (size_t y = 0; y < rows; ++y)
    for (size_t x = 0; x < columns; ++x)
      out[y * columns + x] =
          uint8_t(rest[y * stride + x / 8]) >> (7 - x % 8) & 1 ? 0 : 255;
  return true;
}

bool PnmReader::readBytes(std::span<uint8_t> out) {
  const size_t size = most > 255 ? 2 : 1;
  if (rest.size() < out.size() * size)
    return false;
  for (size_t i = 0; i < out.size(); ++i) {
    uint32_t value = uint8_t(rest[i * size]);
    if (size == 2)
      value = value << 8 | uint8_t(rest[i * 2 + 1]);
    out[i] = asByte(value, most);
  }
  return true;
}

Result<Tensor> PnmReader::read() {
  const std::optional<uint32_t> columns = number(), rows = number();
  const std::optional<uint32_t> largest = isBits ? 1 : number();
  if (!columns || !rows || !largest)
    return damaged("its header is not whole");
  if (*largest == 0 || *largest > 65535)
    return damaged("its largest number should be 1 to 65535");
  // A single blank ends the header.
  if (!isText && (rest.empty() || !isBlank(rest[0])))
    return damaged("its header does not end");
  if (!isText)
    rest.remove_prefix(1);
  most = *largest, width = *columns;
  // A pixel takes at least a bit, so few bytes take little memory.
  if (uint64_t(*columns) * *rows / 8 > rest.size())
    return damaged("it ends too early");
  Result<Tensor> pixels = imageTensor(*rows, width, channels);
  if (!pixels)
    return pixels;
  const std::span<uint8_t> out = pixels->elements<uint8_t>();
  const bool isWhole = isText   ? readText(out)
                       : isBits ? readBits(out)
                                : readBytes(out);
  if (!isWhole)
    return damaged(isText ? "a number is missing" : "it ends too early");
  return pixels;
}

Result<Tensor> glow::parsePnm(std::string_view bytes) {
  return PnmReader(bytes).read();
}
