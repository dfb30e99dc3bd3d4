//===- ImageTest.cpp - images in files ------------------------------------===//
// SPDX-License-Identifier: MIT

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
            "it is a GIF image, and this build reads only " + imageFormats());
  EXPECT_EQ(parseImage("RIFF....WAVE").status().message(),
            "it is no image that this build reads: " + imageFormats());
}

// 60000x60000 pixels would be 10 GB; the file has nothing but the header.
TEST(Image, RefusesHugeImages) {
  std::string bytes = jpeg(8, 8, 3, Bytes(192, 100));
  size_t frame = bytes.find("\xff\xc0");
  bytes.replace(frame + 5, 4, "\xea\x60\xea\x60");
  EXPECT_EQ(parseImage(bytes).status().message(),
            "the image has 60000x60000 pixels, it should have 1 to "
            "67108864");
}

TEST(Image, RefusesEveryBeginningOfPng) {
  std::string bytes = png(2, 3, PNG_FORMAT_RGB, sixPixels);
  EXPECT_EQ(refusedBeginnings(bytes, parseImage), bytes.size());
  survivesDamage(bytes, parseImage);
}

// The last two bytes may be missing: they only mark the end.
TEST(Image, RefusesEveryBeginningOfJpeg) {
  std::string bytes = jpeg(16, 16, 3, Bytes(768, 100));
  EXPECT_GE(refusedBeginnings(bytes, parseImage), bytes.size() - 2);
  survivesDamage(bytes, parseImage);
}

//===----------------------------------------------------------------------===//
// BMP and PNM
//===----------------------------------------------------------------------===//

static void append(std::string &bytes, uint32_t value, int size) {
  for (int i = 0; i < size; ++i)
    bytes += char(value >> (8 * i) & 255);
}

/// A file with a header of Windows.
static std::string bmp(int32_t width, int32_t height, uint32_t bits,
                       uint32_t form, const std::string &colours,
                       const std::string &pixels) {
  std::string bytes = "BM";
  const auto start = uint32_t(54 + colours.size());
  append(bytes, start + uint32_t(pixels.size()), 4), append(bytes, 0, 4);
  append(bytes, start, 4), append(bytes, 40, 4);
  append(bytes, uint32_t(width), 4), append(bytes, uint32_t(height), 4);
  append(bytes, 1, 2), append(bytes, bits, 2), append(bytes, form, 4);
  for (int i = 0; i < 5; ++i)
    append(bytes, 0, 4);
  return bytes + colours + pixels;
}

static Bytes pixelsOf(const std::string &bytes) {
  Result<Tensor> image = parseImage(bytes);
  EXPECT_TRUE(image) << image.status().message();
  return image ? listOf<uint8_t>(*image) : Bytes();
}

static std::string text(std::initializer_list<int> bytes) {
  return {bytes.begin(), bytes.end()};
}

TEST(Image, ReadsBmp) {
  // Blue first, from the bottom, rows of four bytes.
  const std::string rows = text({9, 8, 7, 0, 3, 2, 1, 0});
  EXPECT_EQ(pixelsOf(bmp(1, 2, 24, 0, "", rows)), (Bytes{1, 2, 3, 7, 8, 9}));
  EXPECT_EQ(pixelsOf(bmp(1, -2, 24, 0, "", rows)), (Bytes{7, 8, 9, 1, 2, 3}));
  EXPECT_EQ(pixelsOf(bmp(2, 1, 32, 0, "", rows)), (Bytes{7, 8, 9, 1, 2, 3}));
  // Five bits of each colour.
  EXPECT_EQ(pixelsOf(bmp(1, 1, 16, 0, "", text({0x1f, 0x7c, 0, 0}))),
            (Bytes{255, 0, 255}));
  // Masks of five, six and five.
  EXPECT_EQ(pixelsOf(bmp(1, 1, 16, 3,
                         text({0, 0xf8, 0, 0, 0xe0, 7, 0, 0, 0x1f, 0, 0, 0}),
                         text({0xe0, 7, 0, 0}))),
            (Bytes{0, 255, 0}));
}

TEST(Image, ReadsBmpWithPalettes) {
  std::string two = text({0, 0, 255, 0, 255, 0, 0, 0}); // red and blue
  EXPECT_EQ(pixelsOf(bmp(3, 1, 1, 0, two, text({0x40, 0, 0, 0}))),
            (Bytes{255, 0, 0, 0, 0, 255, 255, 0, 0}));
  two.resize(16 * 4);
  EXPECT_EQ(pixelsOf(bmp(2, 1, 4, 0, two, text({0x10, 0, 0, 0}))),
            (Bytes{0, 0, 255, 255, 0, 0}));
  two.resize(256 * 4);
  // Two of colour 1, a literal of three, the end.
  EXPECT_EQ(
      pixelsOf(bmp(5, 1, 8, 1, two, text({2, 1, 0, 3, 0, 1, 0, 0, 0, 1}))),
      (Bytes{0, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0, 255, 255, 0, 0}));
  two.resize(16 * 4);
  EXPECT_EQ(pixelsOf(bmp(3, 1, 4, 2, two, text({3, 0x10, 0, 1}))),
            (Bytes{0, 0, 255, 255, 0, 0, 0, 0, 255}));
  EXPECT_EQ(parseImage(bmp(1, 1, 4, 2, two, text({3, 0x10, 0, 1})))
                .status()
                .message(),
            "the BMP image is cut off or damaged: a run leaves the image");
}

TEST(Image, ReadsPnm) {
  EXPECT_EQ(pixelsOf("P1 # black is 1\n3 1\n101"), (Bytes{0, 255, 0}));
  EXPECT_EQ(pixelsOf("P2\n2 1 15 0 15"), (Bytes{0, 255}));
  EXPECT_EQ(pixelsOf("P3 1 1 255 1 2 3"), (Bytes{1, 2, 3}));
  EXPECT_EQ(pixelsOf("P4 9 1\n" + text({0x80, 0})),
            (Bytes{0, 255, 255, 255, 255, 255, 255, 255, 255}));
  EXPECT_EQ(pixelsOf("P5 1 2 65535\n" + text({255, 255, 128, 0})),
            (Bytes{255, 128}));
  EXPECT_EQ(pixelsOf("P6 1 1 255\n" + text({9, 8, 7})), (Bytes{9, 8, 7}));
}

/// Few bytes never take much memory, whatever sizes they name.
TEST(Image, RefusesWrongSizes) {
  for (int32_t width : {0, -1, 1 << 30, 8000})
    for (int32_t height : {0, INT32_MIN, 1 << 30, 8000})
      EXPECT_FALSE(parseImage(bmp(width, height, 24, 0, "", "")))
          << width << " " << height;
  for (const char *head : {"P5 0 1 255\n", "P5 99999 99999 255\n", "P6 1 1 0\n",
                           "P6 1 1 65536\n", "P5 999999999999 1 255\n"})
    EXPECT_FALSE(parseImage(head + std::string(64, 'a'))) << head;
}

TEST(Image, SurvivesDamagedBmpAndPnm) {
  std::string palette(256 * 4, 'c');
  for (const std::string &bytes :
       {bmp(2, 2, 24, 0, "", std::string(16, 'x')),
        bmp(5, 1, 8, 1, palette, text({2, 1, 0, 3, 0, 1, 0, 0, 0, 1})),
        std::string("P3 1 2 255 1 2 3 4 5 6"), "P4 9 2\n" + text({1, 2, 3, 4}),
        "P6 1 2 255\n" + text({9, 8, 7, 6, 5, 4})}) {
    // The last row of a BMP file may be without its filling.
    EXPECT_GE(refusedBeginnings(bytes, parseImage), bytes.size() - 2);
    survivesDamage(bytes, parseImage);
  }
}
