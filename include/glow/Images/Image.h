//===- Image.h - images in files --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMAGES_IMAGE_H
#define GLOW_IMAGES_IMAGE_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace glow {

/// Decodes an image file to u8[height,width,channels], with 1 channel for grey
/// and 3 for red, green, blue. Sixteen bits become eight, palettes become
/// colours, transparency is dropped, and colour profiles and orientation tags
/// are ignored. Formats are PNG, JPEG, BMP and PNM; also TIFF (the first
/// image), WebP and JPEG 2000 if their libraries were present at build time.
///
/// Fails with Code::InvalidArgument if the bytes are no image, are cut off or
/// damaged, or if there are more than `mostPixels`. Fails with
/// Code::Unsupported for CMYK, for animations, and for formats whose first
/// bytes are known but which are not read.
Result<Tensor> parseImage(std::string_view bytes);

/// The formats that this build reads: "PNG, JPEG, BMP and PNM".
std::string imageFormats();

/// Converts pixels to a channel order and count. Grey becomes three equal
/// colours; colours become grey by ITU-R 601.
enum class PixelFormat { RGB, BGR, Grey };
Result<Tensor> pixelsAs(const Tensor &image, PixelFormat format);

/// Encodes u8[height,width,1 or 3] as a PNG file. Fails with
/// Code::InvalidArgument for any other tensor or one without pixels.
Result<std::string> pngBytes(const Tensor &pixels);

/// Limit on the size of an image; larger ones are refused before memory is
/// allocated.
inline constexpr int64_t mostPixels = int64_t(1) << 26;

} // namespace glow

#endif // GLOW_IMAGES_IMAGE_H
