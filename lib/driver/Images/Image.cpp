//===- Image.cpp - images in PNG and JPEG files ---------------------------===//
//
// A format is known by how a file begins, not by its name. Of those that are
// not read, the usual ones are named in the message.
//
//===----------------------------------------------------------------------===//

#include "glow/Images/Image.h"
#include "ImageFormats.h"
#include <algorithm>

using namespace glow;

namespace {

/// A format that is not read, and how its files begin.
struct OtherFormat {
  std::string_view start;
  const char *name;
  std::string_view later = ""; ///< what follows at byte 8
};

using namespace std::string_view_literals;
constexpr OtherFormat otherFormats[] = {
    {"BM", "BMP"},
    {"GIF8", "GIF"},
    {"RIFF", "WebP", "WEBP"},
    {"II*\0"sv, "TIFF"},
    {"MM\0*"sv, "TIFF"},
    {"\0\0\0\x0cjP  "sv, "JPEG 2000"},
    {"\xff\x4f\xff\x51", "JPEG 2000"},
    {"P1", "PNM"},
    {"P2", "PNM"},
    {"P3", "PNM"},
    {"P4", "PNM"},
    {"P5", "PNM"},
    {"P6", "PNM"},
};

} // namespace

Result<Tensor> glow::parseImage(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"))
    return parsePng(bytes);
  if (bytes.starts_with("\xff\xd8\xff"))
    return parseJpeg(bytes);
  for (const OtherFormat &other : otherFormats)
    if (bytes.starts_with(other.start) &&
        bytes.substr(std::min<size_t>(bytes.size(), 8))
            .starts_with(other.later))
      return failure(Code::Unsupported, "it is a ", other.name,
                     " image, and only PNG and JPEG are read");
  return failure(Code::InvalidArgument, "it is neither a PNG nor a JPEG image");
}

/// Of 256 parts, rounded: what the standard gives each colour.
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

Result<Tensor> glow::imageTensor(int64_t height, int64_t width,
                                 int64_t channels) {
  // A few bytes can say any size; memory is taken only up to here.
  if (height > mostPixels / std::max<int64_t>(width, 1))
    return failure(Code::InvalidArgument, "the image has ", width, "x", height,
                   " pixels, it should have at most ", mostPixels);
  return Tensor::zeros({ElementKind::U8, {height, width, channels}});
}
