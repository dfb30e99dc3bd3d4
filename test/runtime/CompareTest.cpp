//===- CompareTest.cpp - comparison of results ----------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Compare.h"
#include "Helpers.h"
#include "glow/Base/Half.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace glow;

template <typename T>
static Difference differ(const std::vector<T> &actual,
                         const std::vector<T> &expected,
                         const Tolerance &tolerance = {}) {
  return compare(tensorOf<T>(actual).view(), tensorOf<T>(expected).view(),
                 tolerance)
      .take();
}

// The tolerance everywhere is 1e-4 of the largest element, 100, plus 1e-6.
TEST(Compare, ToleranceIsOfTheLargest) {
  EXPECT_TRUE(differ<float>({0.0099f, 100}, {0, 100}).ok());
  EXPECT_FALSE(differ<float>({0.0101f, 100}, {0, 100}).ok());
}

TEST(Compare, ToleranceOfOnnxIsOfEachElement) {
  Tolerance onnx = Tolerance::ofOnnx();
  EXPECT_FALSE(differ<float>({0.0099f, 100}, {0, 100}, onnx).ok());
  EXPECT_TRUE(differ<float>({1.0009f, 100.09f}, {1, 100}, onnx).ok());
  EXPECT_FALSE(differ<float>({1.0011f, 100}, {1, 100}, onnx).ok());
  EXPECT_FALSE(differ<Half>({Half(1.01f)}, {Half(1.0f)}, onnx).ok());
}

// A result that is rounded once, in either direction, is right.
TEST(Compare, NeighboursAmongHalvesAreEqual) {
  Tolerance none{Tolerance::EachElement, 0, 0, 0};
  auto isOk = [&](float a, float e) {
    return differ<BFloat16>({BFloat16(a)}, {BFloat16(e)}, none).ok();
  };
  EXPECT_TRUE(isOk(1.0078125f, 1));
  EXPECT_FALSE(isOk(1.015625f, 1));
  EXPECT_FALSE(differ<float>({1.0000001f}, {1}, none).ok());
}

TEST(Compare, HalvesHaveTheirOwn) {
  EXPECT_TRUE(differ<Half>({Half(1.019f)}, {Half(1.0f)}).ok());
  EXPECT_FALSE(differ<Half>({Half(1.03f)}, {Half(1.0f)}).ok());
  EXPECT_TRUE(differ<BFloat16>({BFloat16(1.0078f)}, {BFloat16(1.0f)}).ok());
}

TEST(Compare, IntegersAreExact) {
  EXPECT_TRUE(differ<int64_t>({1, 2}, {1, 2}).ok());
  EXPECT_EQ(differ<uint8_t>({1, 255}, {1, 254}).wrong, 1);
  // These have the same double.
  int64_t large = (int64_t(1) << 53) + 1;
  EXPECT_FALSE(differ<int64_t>({large}, {large - 1}).ok());
  EXPECT_FALSE(differ<bool>({true}, {false}).ok());
}

TEST(Compare, NanAndInfinityMustMatch) {
  float nan = NAN, inf = INFINITY;
  EXPECT_TRUE(differ<float>({nan, inf, -inf}, {nan, inf, -inf}).ok());
  EXPECT_FALSE(differ<float>({nan}, {1}).ok());
  EXPECT_FALSE(differ<float>({1}, {nan}).ok());
  EXPECT_FALSE(differ<float>({inf}, {-inf}).ok());
  EXPECT_FALSE(differ<float>({3e38f}, {inf}).ok());
}

// An expected infinity must not make everything else allowed.
TEST(Compare, InfinityIsNoScale) {
  EXPECT_FALSE(differ<float>({INFINITY, 2}, {INFINITY, 1}).ok());
}

TEST(Compare, SaysWhichIsWorst) {
  Tensor actual = tensorOf<float>({1, 5, 3, 4}, {2, 2});
  Tensor expected = tensorOf<float>({1, 2, 3, 4.5}, {2, 2});
  Status status =
      verdict("y", compare(actual.view(), expected.view(), Tolerance()));
  EXPECT_EQ(status.message(),
            "output 'y' has 2 of 4 elements too far off, the worst: element "
            "[0,1] is 5, expected 2 within 0.000451");
}

TEST(Compare, TypesMustBeTheSame) {
  Result<Difference> found =
      compare(tensorOf<float>({1}).view(), tensorOf<double>({1}).view(), {});
  EXPECT_EQ(verdict("y", found).message(),
            "output 'y' is f32[1], expected f64[1]");
}

TEST(Compare, NothingEqualsNothing) { EXPECT_TRUE(differ<float>({}, {}).ok()); }
