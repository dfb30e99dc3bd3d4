//===- ResizeImage.cpp - resized images -----------------------------------===//
// SPDX-License-Identifier: MIT

#include "ResizeImage.h"

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#endif
#define STB_IMAGE_RESIZE_STATIC
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include <stb/stb_image_resize.h>
#ifdef __clang__
#pragma clang diagnostic pop
#endif

using namespace glow;
using namespace glow::tool;

Result<Pixels> tool::resizeImage(const Pixels &picture, const Region &region,
                                 int64_t height, int64_t width) {
  Pixels out{height, width, picture.channels, {}};
  out.values.resize(size_t(height * width * picture.channels));
  const int64_t row = picture.width * picture.channels;
  const float *first =
      &picture.values[size_t(region.y * row + region.x * picture.channels)];
  const bool isDone = ::stbir_resize_float_generic(
      first, int(region.width), int(region.height), int(row * sizeof(float)),
      out.values.data(), int(width), int(height), /*output_stride=*/0,
      int(picture.channels), STBIR_ALPHA_CHANNEL_NONE, /*flags=*/0,
      STBIR_EDGE_CLAMP, STBIR_FILTER_TRIANGLE, STBIR_COLORSPACE_LINEAR,
      /*alloc_context=*/nullptr);
  if (!isDone)
    return Status(Code::OutOfMemory, "there is no memory to resize a picture");
  return out;
}
