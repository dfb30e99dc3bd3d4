//===- Tiff.cpp - images in TIFF files ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Reads the first image of a file. libtiff converts every kind that it knows to
// RGB. Transparency is dropped and the orientation is ignored, as in other
// formats, so both tags are overwritten before pixels are read.
//
//===----------------------------------------------------------------------===//

#include "ImageFormats.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tiffio.h>
#include <vector>

using namespace glow;

namespace {

/// A file in memory, for libtiff's callbacks.
class TiffReader {
public:
  explicit TiffReader(std::string_view bytes);
  ~TiffReader() {
    if (tiff)
      TIFFClose(tiff);
  }
  TiffReader(const TiffReader &) = delete;
  Result<Tensor> read();

private:
  Status damaged() const {
    return failure(Code::InvalidArgument,
                   "the TIFF image is cut off or damaged: ", message);
  }
  bool isGrey() const;
  static TiffReader &self(void *handle) {
    return *static_cast<TiffReader *>(handle);
  }
  static tmsize_t onRead(void *handle, void *to, tmsize_t size);
  static toff_t onSeek(void *handle, toff_t offset, int whence);
  static toff_t onSize(void *handle) { return self(handle).bytes.size(); }
  static tmsize_t onWrite(void *, void *, tmsize_t) { return 0; }
  static int onClose(void *) { return 0; }
  static int onError(TIFF *, void *handle, const char *, const char *format,
                     va_list values);
  static int onWarning(TIFF *, void *, const char *, const char *, va_list) {
    return 1;
  }

  std::string_view bytes;
  uint64_t at = 0;
  TIFF *tiff = nullptr;
  char message[256] = "it has no image";
  bool hasMessage = false;
};

} // namespace

TiffReader::TiffReader(std::string_view bytes) : bytes(bytes) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options)
    return;
  constexpr tmsize_t mostMemory = tmsize_t(1) << 28; // of one allocation
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, mostMemory);
  TIFFOpenOptionsSetErrorHandlerExtR(options, onError, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options, onWarning, this);
  // Opened for reading only, and not mapped.
  tiff = TIFFClientOpenExt("image", "rm", this, onRead, onWrite, onSeek,
                           onClose, onSize, nullptr, nullptr, options);
  TIFFOpenOptionsFree(options);
}

tmsize_t TiffReader::onRead(void *handle, void *to, tmsize_t size) {
  TiffReader &own = self(handle);
  if (own.at >= own.bytes.size() || size <= 0)
    return 0;
  const size_t count =
      std::min<size_t>(size_t(size), own.bytes.size() - size_t(own.at));
  std::memcpy(to, own.bytes.data() + own.at, count);
  own.at += count;
  return tmsize_t(count);
}

toff_t TiffReader::onSeek(void *handle, toff_t offset, int whence) {
  TiffReader &own = self(handle);
  const uint64_t from = whence == SEEK_SET   ? 0
                        : whence == SEEK_CUR ? own.at
                                             : own.bytes.size();
  return own.at = from + offset;
}

/// Keeps the first message, which is the cause of later ones.
int TiffReader::onError(TIFF *, void *handle, const char *, const char *format,
                        va_list values) {
  TiffReader &own = self(handle);
  if (!own.hasMessage)
    std::vsnprintf(own.message, sizeof own.message, format, values);
  own.hasMessage = true;
  return 1;
}

bool TiffReader::isGrey() const {
  uint16_t photometric = PHOTOMETRIC_RGB;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  return photometric == PHOTOMETRIC_MINISBLACK ||
         photometric == PHOTOMETRIC_MINISWHITE;
}

Result<Tensor> TiffReader::read() {
  if (!tiff)
    return damaged();
  uint32_t width = 0, height = 0;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  const int64_t channels = isGrey() ? 1 : 3;
  Result<Tensor> pixels = imageTensor(height, width, channels);
  if (!pixels)
    return pixels;
  // Colours without premultiplied alpha stay unchanged.
  uint16_t count = 0, *kinds = nullptr;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
  if (count) {
    std::vector<uint16_t> associated(count, EXTRASAMPLE_ASSOCALPHA);
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, count, associated.data());
  }
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  char why[1024] = {};
  if (!TIFFRGBAImageOK(tiff, why))
    return failure(Code::Unsupported, "the TIFF image cannot be read: ", why);
  std::vector<uint32_t> colours(size_t(width) * height);
  if (!TIFFReadRGBAImageOriented(tiff, width, height, colours.data(),
                                 ORIENTATION_TOPLEFT, /*stop_on_error=*/1) ||
      hasMessage)
    return damaged();
  uint8_t *to = pixels->elements<uint8_t>().data();
  for (uint32_t colour : colours) {
    *to++ = uint8_t(TIFFGetR(colour));
    if (channels == 1)
      continue;
    *to++ = uint8_t(TIFFGetG(colour)), *to++ = uint8_t(TIFFGetB(colour));
  }
  return pixels;
}

Result<Tensor> glow::parseTiff(std::string_view bytes) {
  return TiffReader(bytes).read();
}
