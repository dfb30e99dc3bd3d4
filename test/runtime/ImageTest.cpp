//===- ImageTest.cpp - images in PNG and JPEG files -----------------------===//

#include "glow/Images/Image.h"
#include "Helpers.h"
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
// After cstdio, which it needs.
#include <jpeglib.h>
#include <png.h>

using namespace glow;

using Bytes = std::vector<uint8_t>;

static std::string png(uint32_t height, uint32_t width, uint32_t format,
                       const Bytes &pixels) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = format;
  std::string bytes(1 << 16, 0);
  size_t size = bytes.size();
  EXPECT_TRUE(png_image_write_to_memory(&image, bytes.data(), &size, 0,
                                        pixels.data(), 0, nullptr));
  bytes.resize(size);
  return bytes;
}

static std::string jpeg(uint32_t height, uint32_t width, int channels,
                        Bytes pixels) {
  jpeg_error_mgr errors;
  jpeg_compress_struct image;
  image.err = jpeg_std_error(&errors);
  jpeg_create_compress(&image);
  unsigned char *memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&image, &memory, &size);
  image.image_width = width;
  image.image_height = height;
  image.input_components = channels;
  image.in_color_space = channels == 1   ? JCS_GRAYSCALE
                         : channels == 3 ? JCS_RGB
                                         : JCS_CMYK;
  jpeg_set_defaults(&image);
  jpeg_set_quality(&image, 100, TRUE);
  jpeg_start_compress(&image, TRUE);
  while (image.next_scanline < height) {
    JSAMPROW row =
        pixels.data() + image.next_scanline * width * uint32_t(channels);
    jpeg_write_scanlines(&image, &row, 1);
  }
  jpeg_finish_compress(&image);
  std::string bytes(reinterpret_cast<char *>(memory), size);
  jpeg_destroy_compress(&image);
  std::free(memory);
  return bytes;
}

static const Bytes sixPixels = {255, 0, 0, 0, 255, 0, 0, 0, 255,
                                1,   2, 3, 4, 5,   6, 7, 8, 9};

TEST(Image, ReadsColourPng) {
  Result<Tensor> image = parseImage(png(2, 3, PNG_FORMAT_RGB, sixPixels));
  ASSERT_TRUE(image) << image.status().message();
  EXPECT_EQ(image->type().text(), "u8[2,3,3]");
  EXPECT_EQ(listOf<uint8_t>(*image), sixPixels);
}

TEST(Image, ReadsGreyPng) {
  Result<Tensor> image = parseImage(png(1, 3, PNG_FORMAT_GRAY, {0, 128, 255}));
  ASSERT_TRUE(image);
  EXPECT_EQ(image->type().text(), "u8[1,3,1]");
  EXPECT_EQ(listOf<uint8_t>(*image), (Bytes{0, 128, 255}));
}

TEST(Image, DropsTransparency) {
  Result<Tensor> image =
      parseImage(png(1, 1, PNG_FORMAT_RGBA, {10, 20, 30, 40}));
  ASSERT_TRUE(image);
  EXPECT_EQ(listOf<uint8_t>(*image), (Bytes{10, 20, 30}));
}

TEST(Image, ReadsJpeg) {
  Result<Tensor> colour = parseImage(jpeg(8, 8, 3, Bytes(192, 100)));
  ASSERT_TRUE(colour) << colour.status().message();
  EXPECT_EQ(colour->type().text(), "u8[8,8,3]");
  EXPECT_NEAR(colour->elements<uint8_t>()[0], 100, 2);
  Result<Tensor> grey = parseImage(jpeg(8, 8, 1, Bytes(64, 50)));
  ASSERT_TRUE(grey);
  EXPECT_EQ(grey->type().text(), "u8[8,8,1]");
}

TEST(Image, RefusesCmyk) {
  Result<Tensor> image = parseImage(jpeg(8, 8, 4, Bytes(256, 100)));
  EXPECT_EQ(image.status().message(), "the JPEG image has 4 colour "
                                      "components, it should have 1 or 3");
}

TEST(Image, RefusesOtherFiles) {
  EXPECT_EQ(parseImage("GIF89a").status().message(),
            "it is a GIF image, and only PNG and JPEG are read");
  EXPECT_EQ(parseImage("RIFF....WAVE").status().message(),
            "it is neither a PNG nor a JPEG image");
}

// 60000x60000 pixels would be 10 GB; the header is all there is of them.
TEST(Image, RefusesHugeImages) {
  std::string bytes = jpeg(8, 8, 3, Bytes(192, 100));
  size_t frame = bytes.find("\xff\xc0");
  bytes.replace(frame + 5, 4, "\xea\x60\xea\x60");
  EXPECT_EQ(parseImage(bytes).status().message(),
            "the image has 60000x60000 pixels, it should have at most "
            "67108864");
}

TEST(Image, RefusesEveryBeginningOfPng) {
  std::string bytes = png(2, 3, PNG_FORMAT_RGB, sixPixels);
  EXPECT_EQ(refusedBeginnings(bytes, parseImage), bytes.size());
  survivesDamage(bytes, parseImage);
}

// But for the two bytes that only say that this is the end.
TEST(Image, RefusesEveryBeginningOfJpeg) {
  std::string bytes = jpeg(16, 16, 3, Bytes(768, 100));
  EXPECT_GE(refusedBeginnings(bytes, parseImage), bytes.size() - 2);
  survivesDamage(bytes, parseImage);
}
