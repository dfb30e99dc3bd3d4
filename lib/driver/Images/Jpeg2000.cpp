//===- Jpeg2000.cpp - images in JPEG 2000 files ---------------------------===//
// SPDX-License-Identifier: MIT
//
// Reads files with boxes (JP2), and bare codestreams. Components may have fewer
// pixels than the image, and any number of bits.
//
//===----------------------------------------------------------------------===//

#include "ImageFormats.h"
#include <algorithm>
#include <cstring>
#include <memory>
#include <openjpeg.h>

using namespace glow;

namespace {

/// A file in memory, for the library's callbacks.
struct Source {
  std::string_view bytes;
  size_t at = 0;
  std::string message;
};

class Jpeg2000Reader {
public:
  explicit Jpeg2000Reader(std::string_view bytes) : source{bytes, 0, ""} {}
  ~Jpeg2000Reader() {
    opj_image_destroy(image);
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
  }
  Jpeg2000Reader(const Jpeg2000Reader &) = delete;
  Result<Tensor> read();

private:
  Status damaged() const {
    return failure(Code::InvalidArgument,
                   "the JPEG 2000 image is cut off or damaged",
                   source.message.empty() ? "" : ": ", source.message);
  }
  bool open();
  Status checkComponents() const;
  Result<Tensor> pixels() const;

  Source source;
  opj_codec_t *codec = nullptr;
  opj_stream_t *stream = nullptr;
  opj_image_t *image = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static OPJ_SIZE_T onRead(void *to, OPJ_SIZE_T size, void *user) {
  auto &source = *static_cast<Source *>(user);
  const size_t count = std::min(size, source.bytes.size() - source.at);
  if (count == 0)
    return OPJ_SIZE_T(-1); // the end
  std::memcpy(to, source.bytes.data() + source.at, count);
  source.at += count;
  return count;
}

static OPJ_OFF_T onSkip(OPJ_OFF_T size, void *user) {
  auto &source = *static_cast<Source *>(user);
  if (size < 0)
    return -1;
  const size_t count = std::min(size_t(size), source.bytes.size() - source.at);
  source.at += count;
  return count < size_t(size) ? -1 : OPJ_OFF_T(count);
}

static OPJ_BOOL onSeek(OPJ_OFF_T offset, void *user) {
  auto &source = *static_cast<Source *>(user);
  if (offset < 0 || size_t(offset) > source.bytes.size())
    return OPJ_FALSE;
  source.at = size_t(offset);
  return OPJ_TRUE;
}

/// Keeps the first message, which is the cause of later ones.
static void onError(const char *message, void *user) {
  auto &source = *static_cast<Source *>(user);
  if (!source.message.empty())
    return;
  source.message = message;
  while (!source.message.empty() && source.message.back() == '\n')
    source.message.pop_back();
}

static void onMessage(const char *, void *) {}

bool Jpeg2000Reader::open() {
  const bool isStream = source.bytes.starts_with("\xff\x4f\xff\x51");
  codec = opj_create_decompress(isStream ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
  stream = opj_stream_default_create(OPJ_TRUE);
  if (!codec || !stream)
    return false;
  opj_set_error_handler(codec, onError, &source);
  opj_set_warning_handler(codec, onMessage, nullptr);
  opj_set_info_handler(codec, onMessage, nullptr);
  opj_stream_set_user_data(stream, &source, nullptr);
  opj_stream_set_user_data_length(stream, source.bytes.size());
  opj_stream_set_read_function(stream, onRead);
  opj_stream_set_skip_function(stream, onSkip);
  opj_stream_set_seek_function(stream, onSeek);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  return opj_setup_decoder(codec, &parameters) &&
         opj_decoder_set_strict_mode(codec, OPJ_TRUE) &&
         opj_read_header(stream, codec, &image) && image;
}

//===----------------------------------------------------------------------===//
// Pixels
//===----------------------------------------------------------------------===//

/// Accepts grey or colours, with or without transparency.
Status Jpeg2000Reader::checkComponents() const {
  const bool isKnown = image->color_space == OPJ_CLRSPC_UNSPECIFIED ||
                       image->color_space == OPJ_CLRSPC_UNKNOWN ||
                       image->color_space == OPJ_CLRSPC_SRGB ||
                       image->color_space == OPJ_CLRSPC_GRAY ||
                       image->color_space == OPJ_CLRSPC_SYCC;
  if (image->numcomps < 1 || image->numcomps > 4 || !isKnown)
    return failure(Code::Unsupported, "the JPEG 2000 image has ",
                   image->numcomps,
                   " components, it should have 1 of grey or 3 of colours, "
                   "and one of transparency at most");
  for (OPJ_UINT32 i = 0; i < image->numcomps; ++i) {
    const opj_image_comp_t &component = image->comps[i];
    if (component.prec < 1 || component.prec > 31 || component.dx == 0 ||
        component.dy == 0)
      return failure(Code::Unsupported, "the JPEG 2000 image has ",
                     component.prec, " bits in component ", i,
                     ", it should have 1 to 31");
  }
  return Status();
}

/// An element of a component, from 0 to 255, at a pixel of the image.
static uint8_t elementOf(const opj_image_comp_t &component, int64_t y,
                         int64_t x) {
  const int64_t row = std::min<int64_t>(y / component.dy, component.h - 1);
  const int64_t column = std::min<int64_t>(x / component.dx, component.w - 1);
  int64_t value = component.data[row * component.w + column];
  if (component.sgnd)
    value += int64_t(1) << (component.prec - 1);
  return asByte(uint64_t(std::max<int64_t>(value, 0)),
                (uint64_t(1) << component.prec) - 1);
}

/// Luma and two differences as colours (ITU-R 601, of all the range).
static void toColours(uint8_t *pixel) {
  const double luma = pixel[0], blue = pixel[1] - 128.0, red = pixel[2] - 128.0;
  const auto byte = [](double value) {
    return uint8_t(std::clamp(value + 0.5, 0.0, 255.0));
  };
  pixel[0] = byte(luma + 1.402 * red);
  pixel[1] = byte(luma - 0.344136 * blue - 0.714136 * red);
  pixel[2] = byte(luma + 1.772 * blue);
}

Result<Tensor> Jpeg2000Reader::pixels() const {
  const int64_t height = int64_t(image->y1) - image->y0;
  const int64_t width = int64_t(image->x1) - image->x0;
  const int64_t channels = image->numcomps < 3 ? 1 : 3;
  for (int64_t c = 0; c < channels; ++c)
    if (!image->comps[c].data || !image->comps[c].w || !image->comps[c].h)
      return damaged();
  Result<Tensor> pixels = imageTensor(height, width, channels);
  if (!pixels)
    return pixels;
  uint8_t *to = pixels->elements<uint8_t>().data();
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x, to += channels) {
      for (int64_t c = 0; c < channels; ++c)
        to[c] = elementOf(image->comps[c], y, x);
      if (channels == 3 && image->color_space == OPJ_CLRSPC_SYCC)
        toColours(to);
    }
  return pixels;
}

Result<Tensor> Jpeg2000Reader::read() {
  if (!open())
    return damaged();
  if (Status status = checkComponents(); !status.ok())
    return status;
  // Checked before the library takes memory for the pixels.
  if (Status status = checkImageSize(int64_t(image->y1) - image->y0,
                                     int64_t(image->x1) - image->x0);
      !status.ok())
    return status;
  if (!opj_decode(codec, stream, image) || !opj_end_decompress(codec, stream) ||
      !source.message.empty())
    return damaged();
  return pixels();
}

Result<Tensor> glow::parseJpeg2000(std::string_view bytes) {
  return Jpeg2000Reader(bytes).read();
}
