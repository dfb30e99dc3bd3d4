//===- HalvesTest.cpp - rounding of weights to bf16 -----------------------===//
// SPDX-License-Identifier: MIT

#include "codegen/step/Halves.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using glow::cpu::halvesOf;

using Limits = std::numeric_limits<float>;

static uint32_t packed(float low, float high) {
  return std::bit_cast<uint32_t>(halvesOf(low, high));
}

TEST(Halves, TheNearestAndTheEvenOfTwo) {
  EXPECT_EQ(packed(1, -2), 0xc0003f80u);
  EXPECT_EQ(packed(0x1.01p0f, 0x1.03p0f), 0x3f823f80u);
}

TEST(Halves, WhatIsFiniteStaysSoAndWhatIsNot) {
  EXPECT_EQ(packed(Limits::max(), -Limits::max()), 0xff7f7f7fu);
  EXPECT_EQ(packed(0x1.ffp127f, 0x1.fep127f), 0x7f7f7f7fu);
  EXPECT_EQ(packed(Limits::infinity(), -Limits::infinity()), 0xff807f80u);
  uint32_t nan = packed(Limits::quiet_NaN(), 0);
  EXPECT_GT(nan & 0x7fff, 0x7f80u);
}
