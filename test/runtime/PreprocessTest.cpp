//===- PreprocessTest.cpp - images as inputs of a model -------------------===//
// SPDX-License-Identifier: MIT

#include "images/Preprocess.h"
#include "Helpers.h"
#include <gtest/gtest.h>

using namespace glow;
using namespace glow::tool;

static ImageOptions preset(const std::string &name) {
  ImageOptions options;
  options.preset = name;
  return options;
}

static Binding inputOf(const Ints &shape, ElementKind kind = ElementKind::F32) {
  return {"x", {kind, shape}, {}};
}

/// One pixel: red 255, green 102, blue 51.
static Tensor onePixel() {
  return tensorOf<uint8_t>({255, 102, 51}, {1, 1, 3});
}

static std::vector<float> valuesOf(const ImageOptions &options) {
  Result<Tensor> tensor =
      preprocess(onePixel(), inputOf({1, 3, 1, 1}), options);
  EXPECT_TRUE(tensor) << tensor.status().message();
  return listOf<float>(*tensor);
}

TEST(Preprocess, Presets) {
  EXPECT_EQ(valuesOf(preset("0to255")), (std::vector<float>{255, 102, 51}));
  EXPECT_EQ(valuesOf(preset("bgr-mean")), (std::vector<float>{-53, -15, 132}));
  EXPECT_FLOAT_EQ(valuesOf(preset("0to1"))[1], 0.4f);
  EXPECT_FLOAT_EQ(valuesOf(preset("imagenet"))[2], (0.2f - 0.406f) / 0.225f);
  EXPECT_FLOAT_EQ(valuesOf(preset("mnist"))[0], (1 - 0.1307f) / 0.3081f);
  EXPECT_EQ(valuesOf(preset("auto")), valuesOf(preset("0to255")));
  ImageOptions classifier;
  classifier.classifies = true;
  EXPECT_EQ(valuesOf(classifier), valuesOf(preset("imagenet")));
}

TEST(Preprocess, ChannelsFirstAndLast) {
  Tensor two = tensorOf<uint8_t>({1, 2, 3, 4, 5, 6}, {1, 2, 3});
  EXPECT_EQ(
      listOf<float>(
          preprocess(two, inputOf({1, 3, 1, 2}), preset("0to255")).take()),
      (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(
      listOf<float>(
          preprocess(two, inputOf({-1, -1, -1, 3}), preset("0to255")).take()),
      (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Preprocess, GreyAndColour) {
  Result<Tensor> grey =
      preprocess(onePixel(), inputOf({1, 1, 1, 1}), preset("0to255"));
  EXPECT_NEAR(listOf<float>(*grey)[0], 0.299 * 255 + 0.587 * 102 + 0.114 * 51,
              1e-3);
  Tensor white = tensorOf<uint8_t>({9}, {1, 1, 1});
  EXPECT_EQ(listOf<float>(
                preprocess(white, inputOf({3, 1, 1}), preset("0to255")).take()),
            (std::vector<float>{9, 9, 9}));
}

// Between pixel centres: the outer quarters repeat the border.
TEST(Preprocess, StretchesBetweenPixelCentres) {
  Tensor two = tensorOf<uint8_t>({0, 100}, {1, 2, 1});
  EXPECT_EQ(listOf<float>(
                preprocess(two, inputOf({1, 1, 4}), preset("0to255")).take()),
            (std::vector<float>{0, 25, 75, 100}));
}

TEST(Preprocess, IntegersAreRoundedIntoRange) {
  Result<Tensor> tensor = preprocess(
      onePixel(), inputOf({1, 3, 1, 1}, ElementKind::I8), preset("bgr-mean"));
  EXPECT_EQ(listOf<int8_t>(*tensor), (std::vector<int8_t>{-53, -15, 127}));
}

TEST(Preprocess, RefusesOtherInputs) {
  Result<Tensor> tensor =
      preprocess(onePixel(), inputOf({1, 10}), preset("auto"));
  EXPECT_FALSE(tensor); // a vector
  tensor = preprocess(onePixel(), inputOf({8, 3, 2, 2}), preset("auto"));
  EXPECT_EQ(tensor.status().message(),
            "input 'x' is f32[8,3,2,2]; for an image it should be [1,C,H,W], "
            "[1,H,W,C] or [H,W], with 1 or 3 channels");
}

TEST(Preprocess, MeanAndScaleOfTheUsers) {
  ImageOptions own;
  own.mean = {5, 2, 1};
  EXPECT_EQ(valuesOf(own), (std::vector<float>{250, 100, 50}));
  own.scale = {0.5f};
  EXPECT_EQ(valuesOf(own), (std::vector<float>{125, 50, 25}));
}

TEST(Preprocess, LayoutDecidesWhereBothCouldBe) {
  Tensor three = tensorOf<uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 3, 3});
  ImageOptions options = preset("0to255");
  std::string how;
  Result<Tensor> first =
      preprocess(three, inputOf({1, 3, 1, 3}), options, &how);
  EXPECT_EQ(how, "3x1 -> x f32[1,3,1,3], 0to255");
  EXPECT_EQ(listOf<float>(*first),
            (std::vector<float>{1, 4, 7, 2, 5, 8, 3, 6, 9}));
  options.layout = "nhwc";
  Tensor column = tensorOf<uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 1, 3});
  Result<Tensor> last = preprocess(column, inputOf({1, 3, 1, 3}), options);
  EXPECT_EQ(listOf<float>(*last),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  options.layout = "nchw";
  Result<Tensor> none = preprocess(three, inputOf({1, 4, 4, 3}), options);
  EXPECT_EQ(none.status().code(), Code::ShapeMismatch);
}
