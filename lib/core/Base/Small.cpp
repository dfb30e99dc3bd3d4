//===- Small.cpp - numbers of eight to two bits ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Small.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace glow;
using enum SmallFloatFormat::Special;

namespace {

/// The bits of a format's extremes, without a sign.
struct Extremes {
  explicit Extremes(const SmallFloatFormat &format)
      : sign(1 << (format.exponentBits + format.mantissaBits)) {
    int infinite = ((1 << format.exponentBits) - 1) << format.mantissaBits;
    largest = sign - 1 - (format.special == OneNaN);
    overflow = nan = largest;
    if (format.special == Ieee) {
      overflow = infinite;
      largest = infinite - 1;
      nan = infinite | 1 << (format.mantissaBits - 1);
    } else if (format.special == OneNaN) {
      overflow = nan = sign - 1;
    } else if (format.special == NoNegativeZero) {
      overflow = nan = sign;
    }
  }
  int sign, largest, overflow, nan;
};

} // namespace

static bool isNaN(const SmallFloatFormat &format, const Extremes &extremes,
                  int bits) {
  int size = bits & (extremes.sign - 1);
  switch (format.special) {
  case Ieee:
    return size > extremes.overflow;
  case OneNaN:
    return size == extremes.nan;
  case NoNegativeZero:
    return bits == extremes.nan;
  case OnlyNumbers:
    break;
  }
  return false;
}

float glow::smallFloatValue(const SmallFloatFormat &format, uint8_t bits) {
  Extremes extremes(format);
  int size = bits & (extremes.sign - 1), mantissaBits = format.mantissaBits;
  if (isNaN(format, extremes, bits))
    return std::numeric_limits<float>::quiet_NaN();
  int exponent = size >> mantissaBits;
  int mantissa = size & ((1 << mantissaBits) - 1);
  float value =
      exponent == 0
          ? std::ldexp(float(mantissa), 1 - format.bias - mantissaBits)
          : std::ldexp(float(mantissa + (1 << mantissaBits)),
                       exponent - format.bias - mantissaBits);
  if (size > extremes.largest)
    value = std::numeric_limits<float>::infinity();
  return bits & extremes.sign ? -value : value;
}

uint8_t glow::smallFloatBits(const SmallFloatFormat &format, double value) {
  Extremes extremes(format);
  int sign = std::signbit(value) ? extremes.sign : 0;
  if (std::isnan(value))
    return uint8_t(format.special == OnlyNumbers ? extremes.largest
                                                 : extremes.nan | sign);
  int exponent = 1 - format.bias; // that of the least normal number
  double size = std::fabs(value);
  if (std::isfinite(size) && size > 0)
    exponent = std::max(exponent, std::ilogb(size));
  // The size in units of the last mantissa bit; a carry moves on into the
  // exponent bits.
  double units =
      std::nearbyint(std::ldexp(size, format.mantissaBits - exponent));
  double bits =
      units + std::ldexp(exponent + format.bias - 1, format.mantissaBits);
  if (!(bits <= extremes.largest))
    return uint8_t(extremes.overflow | sign);
  if (bits == 0 && format.special == NoNegativeZero)
    return 0;
  return uint8_t(int(bits) | sign);
}

static constexpr int powerBias = 127;
static constexpr uint8_t powerNaN = 255;

uint8_t glow::powerOfTwoBits(double value) {
  if (!std::isfinite(value))
    return powerNaN;
  int exponent = 0; // of a fraction from 1/2 to 1, which itself is left out
  bool isPower = std::fabs(std::frexp(value, &exponent)) == 0.5;
  int bits = exponent - isPower + powerBias;
  return uint8_t(value == 0 ? 0 : std::clamp<int>(bits, 0, powerNaN));
}

float glow::powerOfTwoValue(uint8_t bits) {
  return bits == powerNaN ? std::numeric_limits<float>::quiet_NaN()
                          : std::ldexp(1.0f, bits - powerBias);
}
