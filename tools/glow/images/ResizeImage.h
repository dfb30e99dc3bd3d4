//===- ResizeImage.h - resized images ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_IMAGES_RESIZEPICTURE_H
#define GLOW_TOOLS_GLOW_IMAGES_RESIZEPICTURE_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <vector>

namespace glow::tool {

/// Rows of pixels, channels adjacent.
struct Pixels {
  int64_t height, width, channels;
  std::vector<float> values;

  float &at(int64_t y, int64_t x, int64_t c) {
    return values[size_t((y * width + x) * channels + c)];
  }
};

/// A rectangle of a picture.
struct Region {
  int64_t y = 0, x = 0, height, width;
};

/// The region of a picture in another size. A smaller image averages the source
/// pixels, by weights that fall linearly (a triangle as wide as two of its
/// pixels). A larger image is interpolated between pixel centres. Fails with
/// Code::OutOfMemory.
Result<Pixels> resizeImage(const Pixels &picture, const Region &region,
                           int64_t height, int64_t width);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_IMAGES_RESIZEPICTURE_H
