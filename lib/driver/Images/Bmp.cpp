//===- Bmp.cpp - images in BMP files --------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Headers of OS/2 and of Windows; palettes of 1, 4 and 8 bits, plain or in runs
// of equal pixels; colours of 16, 24 and 32 bits, with masks or without. Rows
// go from the bottom to the top, unless the height is negative. Pixels that
// runs leave out have colour 0.
//
//===----------------------------------------------------------------------===//

#include "ImageFormats.h"
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

using namespace glow;

namespace {

/// The encoding of pixels, a word of the header.
enum Encoding : uint32_t { Plain, Runs8, Runs4, Masks, AlphaMasks = 6 };

class BmpReader {
public:
  explicit BmpReader(std::string_view bytes) : bytes(bytes) {}
  Result<Tensor> read();

private:
  Status damaged(const char *why) const {
    return failure(Code::InvalidArgument,
                   "the BMP image is cut off or damaged: ", why);
  }
  uint32_t number(size_t at, size_t size) const;
  Status readHead();
  Status readColours();
  const char *readRows(std::span<uint8_t> out) const;
  const char *readRuns(std::span<uint8_t> out) const;
  std::array<uint8_t, 3> colourOf(uint32_t pixel) const;
  void put(std::span<uint8_t> out, int64_t x, int64_t y, uint32_t pixel) const;

  std::string_view bytes;
  int64_t width = 0, height = 0;
  bool isFromTop = false;
  uint32_t head = 0, bits = 0, form = Plain, start = 0, used = 0;
  std::array<uint32_t, 3> masks = {};
  std::vector<std::array<uint8_t, 3>> palette;
};

} // namespace

/// A little-endian number; bytes behind the end are 0.
uint32_t BmpReader::number(size_t at, size_t size) const {
  uint32_t value = 0;
  for (size_t i = size; i-- > 0;)
    value = value << 8 |
            (at + i < bytes.size() ? uint8_t(bytes[at + i]) : uint8_t(0));
  return value;
}

Status BmpReader::readHead() {
  start = number(10, 4), head = number(14, 4);
  const bool isOld = head == 12;
  if (!isOld && (head < 40 || head > 256))
    return damaged("the size of its header is not known");
  if (bytes.size() < 14 + size_t(head))
    return damaged("its header is not whole");
  width = isOld ? number(18, 2) : int64_t(int32_t(number(18, 4)));
  height = isOld ? number(20, 2) : int64_t(int32_t(number(22, 4)));
  bits = number(isOld ? 24 : 28, 2);
  form = isOld ? uint32_t(Plain) : number(30, 4);
  used = isOld ? 0 : number(46, 4);
  isFromTop = height < 0, height = std::abs(height);
  const bool isKnown =
      form == Plain   ? bits == 1 || bits == 4 || bits == 8 || bits == 16 ||
                            bits == 24 || bits == 32
      : form == Runs8 ? bits == 8
      : form == Runs4
          ? bits == 4
          : (form == Masks || form == AlphaMasks) && (bits == 16 || bits == 32);
  if (!isKnown)
    return failure(Code::Unsupported, "the BMP image has ", bits,
                   " bits in form ", form,
                   ", which is not read: it should have 1, 4, 8, 16, 24 or 32 "
                   "bits, plain, in runs or with masks");
  return Status();
}

/// Reads the palette, or the masks of red, green and blue.
Status BmpReader::readColours() {
  if (bits <= 8) {
    const size_t entry = head == 12 ? 3 : 4, most = size_t(1) << bits;
    const size_t count = used ? std::min<size_t>(used, most) : most;
    for (size_t i = 0; i < count; ++i) {
      const size_t at = 14 + head + i * entry;
      if (at + 3 > bytes.size())
        return damaged("its palette is not whole");
      palette.push_back(
          {uint8_t(bytes[at + 2]), uint8_t(bytes[at + 1]), uint8_t(bytes[at])});
    }
    palette.resize(most);
    return Status();
  }
  masks = {0xff0000, 0xff00, 0xff};
  if (bits == 16)
    masks = {0x7c00, 0x3e0, 0x1f};
  if (form == Masks || form == AlphaMasks)
    for (size_t i = 0; i < 3; ++i)
      masks[i] = number(54 + i * 4, 4); // behind the header, or in a later one
  return Status();
}

/// The bits of each mask, scaled to 0 to 255.
std::array<uint8_t, 3> BmpReader::colourOf(uint32_t pixel) const {
  if (bits <= 8)
    return palette[pixel % palette.size()];
  std::array<uint8_t, 3> colour = {};
  for (size_t i = 0; i < 3; ++i)
    if (masks[i]) {
      const int shift = std::countr_zero(masks[i]);
      colour[i] = asByte((pixel & masks[i]) >> shift, masks[i] >> shift);
    }
  return colour;
}

void BmpReader::put(std::span<uint8_t> out, int64_t x, int64_t y,
                    uint32_t pixel) const {
  const int64_t row = isFromTop ? y : height - 1 - y;
  const std::array<uint8_t, 3> colour = colourOf(pixel);
  std::ranges::copy(colour, out.begin() + (row * width + x) * 3);
}

/// Reads rows; each begins at a multiple of four bytes. Returns an error text,
/// or null.
const char *BmpReader::readRows(std::span<uint8_t> out) const {
  const size_t stride = (size_t(width) * bits + 31) / 32 * 4;
  // The last row may be without its padding.
  const size_t whole =
      size_t(height - 1) * stride + (size_t(width) * bits + 7) / 8;
  if (start > bytes.size() || bytes.size() - start < whole)
    return "it ends too early";
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      const size_t row = start + size_t(y) * stride, bit = size_t(x) * bits;
      uint32_t pixel = number(row + bit / 8, std::max<size_t>(bits / 8, 1));
      if (bits < 8)
        pixel = pixel >> (8 - bits - bit % 8) & ((1u << bits) - 1);
      put(out, x, y, pixel);
    }
  return nullptr;
}

/// Reads runs. A pair is a count and pixels; without a count, the end of a row
/// (0), of the image (1), a step (2), or as many pixels as it has.
const char *BmpReader::readRuns(std::span<uint8_t> out) const {
  int64_t x = 0, y = 0;
  for (int64_t i = 0; i < width * height; ++i)
    put(out, i % width, i / width, 0);
  const auto byte = [&](size_t at) { return uint8_t(bytes[at]); };
  const auto nibble = [](uint32_t pair, size_t i) {
    return i % 2 ? pair & 15 : pair >> 4;
  };
  for (size_t at = start; at < bytes.size() && bytes.size() - at >= 2;) {
    const size_t count = byte(at), value = byte(at + 1);
    at += 2;
    const bool isLiteral = count == 0 && value > 2;
    if (count == 0 && value == 1)
      return nullptr;
    if (count == 0 && value == 0)
      x = 0, ++y;
    if (count == 0 && value == 2) {
      if (bytes.size() - at < 2)
        break;
      x += byte(at), y += byte(at + 1), at += 2;
    }
    const size_t pixels = isLiteral ? value : count;
    const size_t size = (isLiteral ? (pixels * bits + 15) / 16 * 2 : 0);
    if (bytes.size() - at < size)
      break;
    if (pixels && (y >= height || x + int64_t(pixels) > width))
      return "a run leaves the image";
    for (size_t i = 0; i < pixels; ++i, ++x) {
      const uint32_t pair = isLiteral ? byte(at + i * bits / 8) : value;
      put(out, x, y, bits == 8 ? pair : nibble(pair, i));
    }
    at += size;
  }
  return "it ends too early";
}

Result<Tensor> BmpReader::read() {
  if (Status status = readHead(); !status.ok())
    return status;
  if (Status status = readColours(); !status.ok())
    return status;
  const bool isInRuns = form == Runs8 || form == Runs4;
  // A pixel in rows takes at least a bit; runs may leave pixels out.
  if (!isInRuns && width > 0 && height / 8 > int64_t(bytes.size()) / width)
    return damaged("it ends too early");
  Result<Tensor> pixels = imageTensor(height, width, 3);
  if (!pixels)
    return pixels;
  const std::span<uint8_t> out = pixels->elements<uint8_t>();
  if (const char *why = isInRuns ? readRuns(out) : readRows(out))
    return damaged(why);
  return pixels;
}

Result<Tensor> glow::parseBmp(std::string_view bytes) {
  return BmpReader(bytes).read();
}
