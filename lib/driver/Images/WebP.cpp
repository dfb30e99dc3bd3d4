//===- WebP.cpp - images in WebP files ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "ImageFormats.h"
#include <webp/decode.h>

using namespace glow;

Result<Tensor> glow::parseWebP(std::string_view bytes) {
  const Status damaged(Code::InvalidArgument,
                       "the WebP image is cut off or damaged");
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK)
    return damaged;
  if (features.has_animation)
    return Status(Code::Unsupported,
                  "the WebP image is animated, it should be a single picture");
  Result<Tensor> pixels = imageTensor(features.height, features.width, 3);
  if (!pixels)
    return pixels;
  if (!WebPDecodeRGBInto(data, bytes.size(),
                         static_cast<uint8_t *>(pixels->data()),
                         pixels->type().bytes(), features.width * 3))
    return damaged;
  return pixels;
}
