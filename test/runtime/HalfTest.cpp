//===- HalfTest.cpp - conversions of two-byte floats ----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Half.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace glow;

namespace {

/// The reference by search: the nearest value of the type, the even one of two
/// equally near. Numbers from `limit` on round to infinity.
template <typename T> class Reference {
public:
  explicit Reference(uint16_t infinity) : infinity(infinity) {
    for (uint32_t bits = 0; bits < infinity; ++bits)
      values.push_back(float(T::fromBits(uint16_t(bits))));
    size_t last = values.size() - 1;
    limit = values[last] + (values[last] - values[last - 1]) / 2;
  }

  uint16_t bitsOf(double value) const {
    uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    double size = std::fabs(value);
    if (size >= limit)
      return sign | infinity;
    auto above = std::lower_bound(values.begin(), values.end(), size);
    if (above == values.end())
      return uint16_t(sign | (values.size() - 1));
    size_t high = size_t(above - values.begin());
    if (high == 0)
      return sign;
    double up = *above - size, down = size - values[high - 1];
    bool takeHigh = up < down || (up == down && high % 2 == 0);
    return uint16_t(sign | (takeHigh ? high : high - 1));
  }

  uint16_t infinity;
  std::vector<double> values;
  double limit;
};

template <typename T> void checkAll(uint16_t infinity) {
  Reference<T> reference(infinity);
  for (size_t i = 0; i + 1 < reference.values.size(); ++i) {
    double low = reference.values[i], high = reference.values[i + 1];
    double middle = low + (high - low) / 2;
    for (double value : {low, middle, std::nextafter(middle, 0.0),
                         std::nextafter(middle, INFINITY), -middle}) {
      ASSERT_EQ(T(value).bits, reference.bitsOf(value)) << value;
      float single = float(value);
      ASSERT_EQ(T(single).bits, reference.bitsOf(single)) << single;
    }
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    double value = std::bit_cast<double>(random());
    if (!std::isnan(value)) {
      ASSERT_EQ(T(value).bits, reference.bitsOf(value)) << value;
    }
    float single = std::bit_cast<float>(uint32_t(random()));
    if (!std::isnan(single)) {
      ASSERT_EQ(T(single).bits, reference.bitsOf(single)) << single;
    }
  }
}

} // namespace

TEST(Half, RoundsToNearestEven) { checkAll<Half>(0x7c00); }

TEST(BFloat16, RoundsToNearestEven) { checkAll<BFloat16>(0x7f80); }

TEST(Half, EveryValueSurvivesFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = Half::fromBits(uint16_t(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(float(Half(value))));
    else
      EXPECT_EQ(Half(value).bits, bits);
  }
}

TEST(Half, KnownValues) {
  EXPECT_EQ(Half(1.0f).bits, 0x3c00);
  EXPECT_EQ(Half(-2.0).bits, 0xc000);
  EXPECT_EQ(Half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(Half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(Half(0x1p-24).bits, 0x0001);
  EXPECT_EQ(Half(-0.0f).bits, 0x8000);
  EXPECT_EQ(float(Half(7)), 7.0f);
}

// A NaN whose payload is only in the bits that are dropped must not become
// infinity.
TEST(Half, NanStaysNan) {
  float nan = std::bit_cast<float>(0x7f800001u);
  EXPECT_TRUE(std::isnan(float(Half(nan))));
  EXPECT_TRUE(std::isnan(float(BFloat16(nan))));
  EXPECT_TRUE(std::isnan(float(Half(std::nan("")))));
}

// By way of float, 1 + 2^-11 + 2^-40 would become a tie and then 1.
TEST(Half, DoubleIsRoundedOnce) {
  EXPECT_EQ(Half(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(BFloat16(1 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
}
