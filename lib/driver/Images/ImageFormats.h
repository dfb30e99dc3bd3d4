//===- ImageFormats.h - one reader an image format --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMAGES_IMAGEFORMATS_H
#define GLOW_LIB_IMAGES_IMAGEFORMATS_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <string_view>

namespace glow {

// Each function reads the bytes of a file that begins as the format requires,
// and fails as parseImage does.
Result<Tensor> parseBmp(std::string_view bytes);
Result<Tensor> parseJpeg(std::string_view bytes);
Result<Tensor> parsePng(std::string_view bytes);
Result<Tensor> parsePnm(std::string_view bytes);

// These readers are built if the library of the format is installed.
#ifdef GLOW_HAS_JPEG2000
Result<Tensor> parseJpeg2000(std::string_view bytes);
#endif
#ifdef GLOW_HAS_TIFF
Result<Tensor> parseTiff(std::string_view bytes);
#endif
#ifdef GLOW_HAS_WEBP
Result<Tensor> parseWebP(std::string_view bytes);
#endif

/// Fails if a size is not above 0, or there are more than `mostPixels`.
Status checkImageSize(int64_t height, int64_t width);

/// Zeroed u8[height,width,channels]; fails as checkImageSize does.
Result<Tensor> imageTensor(int64_t height, int64_t width, int64_t channels);

/// A number from 0 to `most`, scaled to 0 to 255 and rounded.
inline uint8_t asByte(uint64_t value, uint64_t most) {
  return uint8_t(((value < most ? value : most) * 255 + most / 2) / most);
}

} // namespace glow

#endif // GLOW_LIB_IMAGES_IMAGEFORMATS_H
