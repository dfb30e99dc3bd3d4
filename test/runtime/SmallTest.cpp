//===- SmallTest.cpp - conversions of numbers of few bits -----------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Small.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace glow;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename T> double valueOf(unsigned bits) {
  return double(float(fromBits<T>(bits)));
}

/// Every number is itself again; between two neighbours, the nearer one, and in
/// the middle the one whose last bit is 0.
template <typename T> void checkRounding(unsigned largest) {
  for (unsigned bits = 0; bits < largest; ++bits) {
    double low = valueOf<T>(bits), high = valueOf<T>(bits + 1);
    double middle = (low + high) / 2;
    ASSERT_LT(low, high);
    EXPECT_EQ(T(low).bits, bits);
    EXPECT_EQ(T(std::nextafter(middle, -infinity)).bits, bits);
    EXPECT_EQ(T(middle).bits, bits + bits % 2);
    EXPECT_EQ(T(std::nextafter(middle, infinity)).bits, bits + 1);
    if (low != 0)
      EXPECT_EQ(float(T(-low)), float(-low));
  }
}

TEST(Small, RoundsToTheNearest) {
  checkRounding<Float8E4M3FN>(0x7e);
  checkRounding<Float8E4M3FNUZ>(0x7f);
  checkRounding<Float8E5M2>(0x7b);
  checkRounding<Float8E5M2FNUZ>(0x7f);
  checkRounding<Float4E2M1FN>(0x7);
  checkRounding<Float6E2M3FN>(0x1f);
  checkRounding<Float6E3M2FN>(0x1f);
}

TEST(Small, HasTheExtremesOfItsFormat) {
  EXPECT_EQ(valueOf<Float8E4M3FN>(0x7e), 448);
  EXPECT_EQ(valueOf<Float8E4M3FN>(0x01), 0x1p-9);
  EXPECT_EQ(valueOf<Float8E4M3FNUZ>(0x7f), 240);
  EXPECT_EQ(valueOf<Float8E4M3FNUZ>(0x01), 0x1p-10);
  EXPECT_EQ(valueOf<Float8E5M2>(0x7b), 57344);
  EXPECT_EQ(valueOf<Float8E5M2>(0x01), 0x1p-16);
  EXPECT_EQ(valueOf<Float8E5M2FNUZ>(0x7f), 57344);
  EXPECT_EQ(valueOf<Float8E5M2FNUZ>(0x01), 0x1p-17);
  EXPECT_EQ(valueOf<Float4E2M1FN>(0x7), 6);
  EXPECT_EQ(valueOf<Float6E2M3FN>(0x1f), 7.5);
  EXPECT_EQ(valueOf<Float6E2M3FN>(0x01), 0.125);
  EXPECT_EQ(valueOf<Float6E3M2FN>(0x1f), 28);
  EXPECT_EQ(valueOf<Float6E3M2FN>(0x01), 0.0625);
}

TEST(Small, OverflowsToWhatTheFormatHas) {
  for (double value : {1e9, infinity}) {
    EXPECT_EQ(Float8E4M3FN(value).bits, 0x7f);
    EXPECT_EQ(Float8E4M3FNUZ(-value).bits, 0x80);
    EXPECT_EQ(Float8E5M2(-value).bits, 0xfc);
    EXPECT_EQ(Float8E5M2FNUZ(value).bits, 0x80);
    EXPECT_EQ(Float4E2M1FN(-value).bits, 0xf);
    EXPECT_EQ(Float6E3M2FN(-value).bits, 0x3f);
  }
  EXPECT_EQ(valueOf<Float8E5M2>(0xfc), -infinity);
  // The middle between the largest and what would follow rounds to the even.
  EXPECT_EQ(Float8E4M3FN(464.0).bits, 0x7e);
  EXPECT_EQ(Float8E4M3FN(465.0).bits, 0x7f);
  EXPECT_EQ(Float8E5M2(61440.0).bits, 0x7c);
}

TEST(Small, KnowsNaNAndZero) {
  double nan = std::nan("");
  EXPECT_TRUE(std::isnan(float(Float8E4M3FN(nan))));
  EXPECT_TRUE(std::isnan(float(Float8E4M3FNUZ(nan))));
  EXPECT_TRUE(std::isnan(float(Float8E5M2(nan))));
  EXPECT_TRUE(std::isnan(float(Float8E5M2FNUZ(nan))));
  for (unsigned bits : {0x7d, 0x7e, 0x7f, 0xfd})
    EXPECT_TRUE(std::isnan(valueOf<Float8E5M2>(bits)));
  EXPECT_EQ(Float8E4M3FN(-0.0).bits, 0x80);
  EXPECT_EQ(Float8E4M3FNUZ(-0.0).bits, 0);
  EXPECT_EQ(Float8E5M2FNUZ(-1e-9).bits, 0);
}

TEST(Small, WithoutNaNItIsTheLargest) {
  EXPECT_EQ(Float4E2M1FN(std::nan("")).bits, 7);
  EXPECT_EQ(Float4E2M1FN(-std::nan("")).bits, 7);
}

TEST(Small, PowersOfTwoAreNotBelowTheNumber) {
  for (unsigned bits = 0; bits < 255; ++bits) {
    double value = valueOf<Float8E8M0FNU>(bits);
    EXPECT_EQ(value, std::ldexp(1.0, int(bits) - 127));
    EXPECT_EQ(Float8E8M0FNU(value).bits, bits);
    EXPECT_EQ(Float8E8M0FNU(-value).bits, bits);
    EXPECT_EQ(Float8E8M0FNU(std::nextafter(value, infinity)).bits, bits + 1);
  }
  EXPECT_EQ(Float8E8M0FNU(0.0).bits, 0);
  EXPECT_EQ(Float8E8M0FNU(1e-300).bits, 0);
  for (double value : {infinity, 1e300, std::nan("")})
    EXPECT_TRUE(std::isnan(float(Float8E8M0FNU(value))));
}

TEST(Small, IntegersSaturateRealNumbersAndCutIntegers) {
  EXPECT_EQ(float(Int4(-9.5)), -8);
  EXPECT_EQ(float(Int4(7.9)), 7);
  EXPECT_EQ(float(Int4(std::nan(""))), 0);
  EXPECT_EQ(float(UInt4(-1.0)), 0);
  EXPECT_EQ(float(UInt4(99.0)), 15);
  EXPECT_EQ(float(Int4(int64_t(13))), -3);
  EXPECT_EQ(float(UInt4(int64_t(-3))), 13);
  for (int value = -8; value < 8; ++value)
    EXPECT_EQ(float(Int4(value)), value);
  EXPECT_EQ(float(Int2(-9.5)), -2);
  EXPECT_EQ(float(Int2(3.0)), 1);
  EXPECT_EQ(float(Int2(3)), -1);
  EXPECT_EQ(float(UInt2(7)), 3);
}

} // namespace
