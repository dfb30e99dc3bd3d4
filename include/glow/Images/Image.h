//===- Image.h - images in files --------------------------------*- C++ -*-===//

#ifndef GLOW_IMAGES_IMAGE_H
#define GLOW_IMAGES_IMAGE_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace glow {

/// The pixels of an image file as u8[height,width,channels], 1 channel for grey
/// and 3 for red, green, blue. Sixteen bits become eight, palettes become
/// colours, transparency is dropped, and colour profiles and orientation tags
/// are left alone. Formats are PNG, JPEG, BMP and PNM, and TIFF (the first
/// image), WebP and JPEG 2000 where their libraries were there at build time.
///
/// Fails with Code::InvalidArgument if it is no image, is cut off or damaged,
/// or has more than `mostPixels`; Code::Unsupported for CMYK, for animations,
/// and for formats that are known by their first bytes, but not read.
Result<Tensor> parseImage(std::string_view bytes);

/// The formats that this build reads, as in "PNG, JPEG, BMP and PNM".
std::string imageFormats();

/// The same pixels in one of these orders, with as many channels as it has: of
/// one that is grey, colours that are all the same; of colours, the grey of
/// ITU-R 601.
enum class PixelFormat { RGB, BGR, Grey };
Result<Tensor> pixelsAs(const Tensor &image, PixelFormat format);

/// A PNG file of u8[height,width,1 or 3]. Fails with Code::InvalidArgument for
/// any other tensor or one without pixels.
Result<std::string> pngBytes(const Tensor &pixels);

/// Larger images are refused before memory is taken for them.
inline constexpr int64_t mostPixels = int64_t(1) << 26;

} // namespace glow

#endif // GLOW_IMAGES_IMAGE_H
