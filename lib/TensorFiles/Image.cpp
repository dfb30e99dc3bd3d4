//===- Image.cpp - pictures in PNG and JPEG files -------------------------===//

#include "glow/TensorFiles/Image.h"
#include "ImageFormats.h"
#include <algorithm>

using namespace glow;

Result<Tensor> glow::parseImage(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"))
    return parsePng(bytes);
  if (bytes.starts_with("\xff\xd8\xff"))
    return parseJpeg(bytes);
  return failure(Code::InvalidArgument,
                 "it is neither a PNG nor a JPEG picture");
}

Result<Tensor> glow::imageTensor(int64_t height, int64_t width,
                                 int64_t channels) {
  if (height > mostPixels / std::max<int64_t>(width, 1))
    return failure(Code::InvalidArgument, "the picture has ", width, "x",
                   height, " pixels, it should have at most ", mostPixels);
  return Tensor::zeros({ElementKind::U8, {height, width, channels}});
}
