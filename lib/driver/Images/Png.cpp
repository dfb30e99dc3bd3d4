//===- Png.cpp - images in PNG files --------------------------------------===//
// SPDX-License-Identifier: MIT
//
// libpng reports errors by longjmp. So no object with a destructor is created
// between the setjmp and a call of the library; objects that must live longer
// are in PngReader.
//
//===----------------------------------------------------------------------===//

#include "ImageFormats.h"
#include <cstring>
#include <png.h>
#include <vector>

using namespace glow;

namespace {

class PngReader {
public:
  explicit PngReader(std::string_view bytes) : rest(bytes) {
    png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
    info = png ? png_create_info_struct(png) : nullptr;
  }
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
  PngReader(const PngReader &) = delete;

  Result<Tensor> read() {
    if (!info)
      return Status(Code::OutOfMemory, "no memory to read an image");
    if (!readHead())
      return damaged();
    Result<Tensor> pixels = imageTensor(height, width, channels);
    if (!pixels)
      return pixels;
    uint8_t *start = static_cast<uint8_t *>(pixels->data());
    for (int64_t y = 0; y < height; ++y)
      rows.push_back(start + y * width * channels);
    if (!readRows())
      return damaged();
    return pixels;
  }

private:
  Status damaged() const {
    return failure(Code::InvalidArgument,
                   "the PNG image is cut off or damaged: ", message);
  }

  bool readHead() {
    if (setjmp(png_jmpbuf(png)))
      return false;
    png_set_read_fn(png, this, onRead);
    png_read_info(png, info);
    png_set_strip_16(png);
    png_set_expand(png); // palettes to colours, fewer bits to eight
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    height = png_get_image_height(png, info);
    width = png_get_image_width(png, info);
    channels = png_get_channels(png, info);
    return true;
  }

  bool readRows() {
    if (setjmp(png_jmpbuf(png)))
      return false;
    png_read_image(png, rows.data());
    png_read_end(png, nullptr);
    return true;
  }

  static void onRead(png_structp png, png_bytep out, size_t size) {
    auto *self = static_cast<PngReader *>(png_get_io_ptr(png));
    // The library reads only through this function, so it never leaves the
    // bytes.
    if (size > self->rest.size())
      png_error(png, "it ends too early");
    std::memcpy(out, self->rest.data(), size);
    self->rest.remove_prefix(size);
  }

  static void onError(png_structp png, png_const_charp text) {
    auto *self = static_cast<PngReader *>(png_get_error_ptr(png));
    std::strncpy(self->message, text, sizeof self->message - 1);
    png_longjmp(png, 1);
  }

  static void onWarning(png_structp, png_const_charp) {}

  std::string_view rest;
  png_structp png = nullptr;
  png_infop info = nullptr;
  int64_t height = 0, width = 0, channels = 0;
  std::vector<png_bytep> rows;
  char message[128] = {};
};

} // namespace

Result<Tensor> glow::parsePng(std::string_view bytes) {
  return PngReader(bytes).read();
}
