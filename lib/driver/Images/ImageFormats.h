//===- ImageFormats.h - one reader an image format --------------*- C++ -*-===//

#ifndef GLOW_LIB_IMAGES_IMAGEFORMATS_H
#define GLOW_LIB_IMAGES_IMAGEFORMATS_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <string_view>

namespace glow {

Result<Tensor> parsePng(std::string_view bytes);
Result<Tensor> parseJpeg(std::string_view bytes);

/// Zeroed u8[height,width,channels]; fails if that is more than `mostPixels`.
Result<Tensor> imageTensor(int64_t height, int64_t width, int64_t channels);

} // namespace glow

#endif // GLOW_LIB_IMAGES_IMAGEFORMATS_H
