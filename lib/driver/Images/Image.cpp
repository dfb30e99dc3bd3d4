//===- Image.cpp - images in files ----------------------------------------===//
// SPDX-License-Identifier: MIT
//
// The first bytes of a file determine its format, not its name. The message
// names formats without a reader in this build.
//
//===----------------------------------------------------------------------===//

#include "glow/Images/Image.h"
#include "ImageFormats.h"
#include <algorithm>

using namespace glow;

#ifndef GLOW_HAS_TIFF
static constexpr auto parseTiff = nullptr;
#endif
#ifndef GLOW_HAS_WEBP
static constexpr auto parseWebP = nullptr;
#endif
#ifndef GLOW_HAS_JPEG2000
static constexpr auto parseJpeg2000 = nullptr;
#endif

namespace {

/// A format: the first bytes of its files, and its reader, or null.
struct Format {
  std::string_view start;
  const char *name;
  Result<Tensor> (*parse)(std::string_view);
  std::string_view later = ""; ///< the bytes that follow at byte 8
};

using namespace std::string_view_literals;
constexpr Format formats[] = {
    {"\x89PNG\r\n\x1a\n", "PNG", parsePng},
    {"\xff\xd8\xff", "JPEG", parseJpeg},
    {"BM", "BMP", parseBmp},
    {"P1", "PNM", parsePnm},
    {"P2", "PNM", parsePnm},
    {"P3", "PNM", parsePnm},
    {"P4", "PNM", parsePnm},
    {"P5", "PNM", parsePnm},
    {"P6", "PNM", parsePnm},
    {"II*\0"sv, "TIFF", parseTiff},
    {"MM\0*"sv, "TIFF", parseTiff},
    {"RIFF", "WebP", parseWebP, "WEBP"},
    {"\0\0\0\x0cjP  "sv, "JPEG 2000", parseJpeg2000},
    {"\xff\x4f\xff\x51", "JPEG 2000", parseJpeg2000},
    {"GIF8", "GIF", nullptr},
};

} // namespace

std::string glow::imageFormats() {
  std::vector<std::string> names;
  for (const Format &format : formats)
    if (format.parse && (names.empty() || names.back() != format.name))
      names.push_back(format.name);
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

Result<Tensor> glow::parseImage(std::string_view bytes) {
  for (const Format &format : formats) {
    if (!bytes.starts_with(format.start) ||
        !bytes.substr(std::min<size_t>(bytes.size(), 8))
             .starts_with(format.later))
      continue;
    if (format.parse)
      return format.parse(bytes);
    return failure(Code::Unsupported, "it is a ", format.name,
                   " image, and this build reads only ", imageFormats());
  }
  return failure(Code::InvalidArgument,
                 "it is no image that this build reads: ", imageFormats());
}

/// The grey value, by the standard's weights in 256 parts, rounded.
static uint8_t greyOf(const uint8_t *colours) {
  constexpr uint32_t red = 19595, green = 38470, blue = 7471, half = 1 << 15;
  return uint8_t(
      (red * colours[0] + green * colours[1] + blue * colours[2] + half) >> 16);
}

Result<Tensor> glow::pixelsAs(const Tensor &image, PixelFormat format) {
  const Ints &shape = image.type().shape;
  const bool grey = format == PixelFormat::Grey, wasGrey = shape[2] == 1;
  Result<Tensor> result = imageTensor(shape[0], shape[1], grey ? 1 : 3);
  if (!result)
    return result;
  auto *from = static_cast<const uint8_t *>(image.data());
  auto *to = static_cast<uint8_t *>(result->data());
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i, from += shape[2]) {
    if (grey) {
      *to++ = wasGrey ? *from : greyOf(from);
      continue;
    }
    for (int64_t c = 0; c < 3; ++c)
      *to++ = from[wasGrey ? 0 : format == PixelFormat::BGR ? 2 - c : c];
  }
  return result;
}

Status glow::checkImageSize(int64_t height, int64_t width) {
  // A few bytes can declare any size; memory is taken only up to this limit.
  if (height > 0 && width > 0 && height <= mostPixels / width)
    return Status();
  return failure(Code::InvalidArgument, "the image has ", width, "x", height,
                 " pixels, it should have 1 to ", mostPixels);
}

Result<Tensor> glow::imageTensor(int64_t height, int64_t width,
                                 int64_t channels) {
  if (Status status = checkImageSize(height, width); !status.ok())
    return status;
  return Tensor::zeros({ElementKind::U8, {height, width, channels}});
}
