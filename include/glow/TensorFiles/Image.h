//===- Image.h - pictures in PNG and JPEG files -----------------*- C++ -*-===//

#ifndef GLOW_TENSORFILES_IMAGE_H
#define GLOW_TENSORFILES_IMAGE_H

#include "glow/Base/Status.h"
#include "glow/Runtime/Tensor.h"
#include <cstdint>
#include <string_view>

namespace glow {

/// The pixels of a PNG or JPEG file as u8[height,width,channels], 1 channel for
/// grey and 3 for red, green, blue. Sixteen bits become eight, palettes become
/// colours, transparency is dropped, and colour profiles and orientation tags
/// are left alone.
///
/// Fails with Code::InvalidArgument if it is neither, is cut off or damaged, or
/// has more than `mostPixels`; Code::Unsupported for CMYK.
Result<Tensor> parseImage(std::string_view bytes);

/// Larger pictures are refused before memory is taken for them.
inline constexpr int64_t mostPixels = int64_t(1) << 26;

} // namespace glow

#endif // GLOW_TENSORFILES_IMAGE_H
