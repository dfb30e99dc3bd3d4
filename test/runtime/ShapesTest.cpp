//===- ShapesTest.cpp - sizes for symbolic dimensions ---------------------===//
// SPDX-License-Identifier: MIT

#include "model/Shapes.h"
#include <gtest/gtest.h>

using namespace glow;
using namespace glow::tool;

/// a: f32[N,3], b: f32[N,?], c: i64[L].
static InputShapes threeInputs() {
  return InputShapes({{"a", {ElementKind::F32, {-1, 3}}, {"N", ""}},
                      {"b", {ElementKind::F32, {-1, -1}}, {"N", ""}},
                      {"c", {ElementKind::I64, {-1}}, {"L"}}});
}

TEST(InputShapes, NamedDimensionsAreOneSize) {
  InputShapes shapes = threeInputs();
  EXPECT_TRUE(shapes.apply({"a=2x3"}).ok());
  EXPECT_EQ(shapes.find("b")->type.shape, (Ints{2, -1}));
  Status status = shapes.setType("b", {ElementKind::F32, {4, 1}});
  EXPECT_EQ(status.code(), Code::ShapeMismatch);
  EXPECT_EQ(status.message(), "input 'b' is f32[4,1], it should be f32[2,?], "
                              "where 'N' is from input 'a'");
}

TEST(InputShapes, DimensionsCanBeSaid) {
  InputShapes shapes = threeInputs();
  EXPECT_TRUE(shapes.apply({"N=5", "L=7"}).ok());
  EXPECT_EQ(shapes.find("a")->type.shape, (Ints{5, 3}));
  EXPECT_EQ(shapes.known(),
            (std::map<std::string, Ints>{{"a", {5, 3}}, {"c", {7}}}));
}

TEST(InputShapes, ShapesWithoutRankCanBeSaid) {
  InputShapes shapes({{"x", {ElementKind::F32, {}}, {}, /*ranked=*/false}});
  EXPECT_EQ(shapes.checkKnown().message(),
            "input 'x' f32[...] has no shape in the model; give sizes, as glow "
            "--shape x=1x3x224x224");
  EXPECT_TRUE(shapes.known().empty());
  EXPECT_TRUE(shapes.apply({"x=2x3"}).ok());
  EXPECT_EQ(shapes.known(), (std::map<std::string, Ints>{{"x", {2, 3}}}));
  EXPECT_EQ(shapes.setType("x", {ElementKind::F32, {4, 3}}).message(),
            "input 'x' is f32[4,3], it should be f32[2,3]");
}

TEST(InputShapes, SaysWhatIsMissing) {
  InputShapes shapes = threeInputs();
  EXPECT_EQ(shapes.checkKnown().message(),
            "input 'a' f32[N,3] has no size for 'N'; input 'b' f32[N,?] has no "
            "size for 'N', dimension 1; input 'c' i64[L] has no size for 'L'; "
            "give sizes, as glow --shape N=1 --shape b=1x512 --shape L=16");
  EXPECT_TRUE(shapes.apply({"N=2"}).ok());
  const std::string only[] = {"b"};
  EXPECT_EQ(shapes.checkKnown(only).message(),
            "input 'b' f32[2,?] has no size for dimension 1; give sizes, as "
            "glow --shape b=2x512");
}

TEST(InputShapes, ProposesPicturesThatShowSomething) {
  InputShapes shapes({{"x",
                       {ElementKind::F32, {-1, 3, -1, -1}},
                       {"N", "", "image height", "w"}}});
  EXPECT_EQ(shapes.checkKnown().message(),
            "input 'x' f32[N,3,image height,w] has no size for 'N', 'image "
            "height', 'w'; give sizes, as glow --shape N=1 --shape 'image "
            "height=224' --shape w=224");
}

// Of tensors that have more than that; a length is none.
TEST(InputShapes, BatchIsOneWhereNothingIsSaid) {
  InputShapes shapes = threeInputs();
  EXPECT_TRUE(shapes.assumeBatch().ok());
  EXPECT_EQ(shapes.find("a")->type.shape, (Ints{1, 3}));
  EXPECT_EQ(shapes.find("b")->type.shape, (Ints{1, -1}));
  EXPECT_EQ(shapes.find("c")->type.shape, (Ints{-1}));
}

TEST(InputShapes, SaysWhatIsWrong) {
  InputShapes shapes = threeInputs();
  EXPECT_EQ(shapes.apply({"a=2x4"}).message(),
            "--shape: input 'a' is 2x4, it should be f32[N,3]");
  EXPECT_EQ(shapes.apply({"a=2xq"}).message(),
            "--shape 'a=2xq' should be a name and sizes, as "
            "input=1x3x224x224");
  EXPECT_EQ(shapes.apply({"z=2"}).message(),
            "--shape: the model has no input named 'z'; its inputs are 'a' "
            "f32[N,3], 'b' f32[N,?], 'c' i64[L]");
  EXPECT_EQ(shapes.setType("c", {ElementKind::F32, {1}}).message(),
            "input 'c' is f32[1], it should be i64[L]");
}

TEST(InputShapes, BatchIsDimensionZero) {
  InputShapes shapes = threeInputs();
  EXPECT_TRUE(shapes.apply({"L=9"}).ok());
  EXPECT_TRUE(shapes.setBatch(4).ok());
  EXPECT_EQ(shapes.find("a")->type.shape, (Ints{4, 3}));
  EXPECT_EQ(shapes.find("c")->type.shape, Ints{9});
}
