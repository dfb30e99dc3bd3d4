//===- PngWriter.cpp - PNG files of pixels --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Images/Image.h"
#include <png.h>

using namespace glow;

Result<std::string> glow::pngBytes(const Tensor &pixels) {
  const TensorType &type = pixels.type();
  const Ints &shape = type.shape;
  if (type.kind != ElementKind::U8 || shape.size() != 3 ||
      (shape[2] != 1 && shape[2] != 3) || type.elements() == 0)
    return failure(Code::InvalidArgument,
                   "a picture is u8[H,W,1] or "
                   "u8[H,W,3], but this is ",
                   type.text());
  // The simplified interface of libpng, which does not use longjmp.
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.height = png_uint_32(shape[0]), image.width = png_uint_32(shape[1]);
  image.format = shape[2] == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  auto write = [&](void *to, png_alloc_size_t &size) {
    return png_image_write_to_memory(&image, to, &size, /*convert_to_8bit=*/0,
                                     pixels.data(), /*row_stride=*/0,
                                     /*colormap=*/nullptr);
  };
  png_alloc_size_t size = 0;
  std::string bytes;
  bool isDone = write(nullptr, size);
  if (isDone) {
    bytes.resize(size);
    isDone = write(bytes.data(), size);
  }
  if (!isDone)
    return failure(Code::Internal, "the picture cannot be written: ",
                   std::string(image.message));
  bytes.resize(size);
  return bytes;
}
