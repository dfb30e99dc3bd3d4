//===- Float24Test.cpp - rounding of weights to 24 bits -------------------===//
// SPDX-License-Identifier: MIT

#include "codegen/tile/Float24.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace glow::cpu;

using Limits = std::numeric_limits<float>;

static uint32_t rounded(uint32_t bits) {
  return std::bit_cast<uint32_t>(round24(std::bit_cast<float>(bits)));
}

TEST(Float24, TheNearestAndTheEvenOfTwo) {
  EXPECT_EQ(rounded(0x3f80007f), 0x3f800000u);
  EXPECT_EQ(rounded(0x3f800080), 0x3f800000u);
  EXPECT_EQ(rounded(0x3f800081), 0x3f800100u);
  EXPECT_EQ(rounded(0x3f800180), 0x3f800200u);
  EXPECT_EQ(rounded(0xbfffffff), 0xc0000000u);
  EXPECT_EQ(rounded(0x80000080), 0x80000000u);
  EXPECT_EQ(rounded(0x00000081), 0x00000100u);
}

TEST(Float24, WholeNumbersOf16BitsStay) {
  for (int32_t i = -65536; i <= 65536; ++i)
    ASSERT_EQ(round24(float(i)), float(i));
}

TEST(Float24, WhatIsFiniteStaysSoAndWhatIsNot) {
  EXPECT_EQ(round24(Limits::infinity()), Limits::infinity());
  EXPECT_EQ(round24(-Limits::infinity()), -Limits::infinity());
  EXPECT_EQ(rounded(0x7f7fffff), 0x7f7fff00u);
  EXPECT_EQ(rounded(0xff7fff80), 0xff7fff00u);
  EXPECT_EQ(rounded(0x7f7fff7f), 0x7f7fff00u);
  for (uint32_t nan : {0x7f800001u, 0xff800080u, 0x7fffffffu, 0xffffffffu})
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(rounded(nan))));
}

TEST(Float24, AnErrorIsAtMostHalfOfTheLastBit) {
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    float value = std::bit_cast<float>(uint32_t(random()));
    if (std::isnormal(value) && std::abs(value) < 1e38f)
      ASSERT_LE(std::abs(round24(value) - value), 0x1p-16f * std::abs(value));
  }
}
