//===- Images.cpp - images in files that are values -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/HostOperators/Functions.h"
#include "glow/Images/Image.h"

using namespace glow;

static Result<PixelFormat> formatOf(const std::string &word) {
  if (word == "RGB")
    return PixelFormat::RGB;
  if (word == "BGR")
    return PixelFormat::BGR;
  if (word == "Grayscale")
    return PixelFormat::Grey;
  return failure(Code::InvalidArgument, "pixel_format ", word,
                 " should be RGB, BGR or Grayscale");
}

Status glow::host::imageDecoder(HostCall &call) {
  Result<const Tensor *> file = call.tensor(0);
  Result<PixelFormat> format =
      formatOf(call.attribute<std::string>("pixel_format", "RGB"));
  if (!file || !format)
    return file ? format.status() : file.status();
  const TensorType &type = (*file)->type();
  if (type.kind != ElementKind::U8 || type.shape.size() != 1)
    return failure(Code::ShapeMismatch, "input 0 is ", type.text(),
                   ", it should be the bytes of a file, u8[n]");
  Result<Tensor> image =
      parseImage({static_cast<const char *>((*file)->data()), type.bytes()});
  if (!image)
    return image.status();
  return call.setOutput(0, pixelsAs(*image, *format));
}
