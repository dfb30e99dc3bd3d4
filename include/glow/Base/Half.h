//===- Half.h - floating-point numbers of two bytes -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Half is IEEE 754 binary16; BFloat16 is the upper half of a float. Both
// convert from float and double with one rounding, to nearest, ties to even.
// Numbers that are too large become infinity, and NaN stays NaN. Arithmetic is
// done in float, to which both convert exactly.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_HALF_H
#define GLOW_BASE_HALF_H

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace glow {

namespace detail {

/// `value` rounded to odd: an inexact result has its last bit set. A second
/// rounding to at most 22 bits then gives the result of a single rounding.
constexpr float roundToOdd(double value) {
  float near = static_cast<float>(value);
  double back = near;
  if (back == value || value != value)
    return near;
  uint32_t bits = std::bit_cast<uint32_t>(near);
  if (bits & 1)
    return near;
  // The neighbour on the other side of `value` has an odd last bit. If the
  // float overflowed to infinity, that neighbour is the largest float.
  bool awayFromZero = (back < 0 ? -back : back) > (value < 0 ? -value : value);
  return std::bit_cast<float>(awayFromZero ? bits - 1 : bits + 1);
}

/// Drops the low `count` bits of `bits`, rounding to nearest, ties to even.
constexpr uint32_t dropBits(uint32_t bits, unsigned count) {
  uint32_t half = (uint32_t(1) << (count - 1)) - 1;
  return (bits + half + ((bits >> count) & 1)) >> count;
}

constexpr uint16_t halfBits(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = uint16_t(bits >> 16 & 0x8000);
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) // NaN: keep the top of the payload, quiet
    return uint16_t(sign | 0x7e00 | (bits >> 13 & 0x1ff));
  if (bits >= 0x47800000) // 65536 and more
    return uint16_t(sign | 0x7c00);
  if (bits >= 0x38800000) // normal: rebias the exponent; a carry may reach inf
    return uint16_t(sign | dropBits(bits - 0x38000000, 13));
  unsigned shift = 126 - (bits >> 23); // subnormal: 14 for the largest
  if (shift > 24)
    return sign;
  uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
  return uint16_t(sign | dropBits(mantissa, shift));
}

constexpr float halfValue(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
  if (exponent == 0) { // zero and subnormal: units of 2^-24
    float size = float(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(size));
  }
  uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

constexpr uint16_t bfloatBits(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t(dropBits(bits, 16));
}

} // namespace detail

/// IEEE 754 binary16: 11 significant bits, largest 65504, smallest 2^-24.
struct Half {
  uint16_t bits;

  Half() = default;
  constexpr explicit Half(float value) : bits(detail::halfBits(value)) {}
  constexpr explicit Half(double value) : Half(detail::roundToOdd(value)) {}
  template <std::integral T>
  constexpr explicit Half(T value) : Half(static_cast<double>(value)) {}
  constexpr operator float() const { return detail::halfValue(bits); }

  static constexpr Half fromBits(uint16_t bits) {
    Half half(0.0f);
    half.bits = bits;
    return half;
  }
};

/// The upper two bytes of a float: 8 significant bits, the range of a float.
struct BFloat16 {
  uint16_t bits;

  BFloat16() = default;
  constexpr explicit BFloat16(float value) : bits(detail::bfloatBits(value)) {}
  constexpr explicit BFloat16(double value)
      : BFloat16(detail::roundToOdd(value)) {}
  template <std::integral T>
  constexpr explicit BFloat16(T value) : BFloat16(static_cast<double>(value)) {}
  constexpr operator float() const {
    return std::bit_cast<float>(uint32_t(bits) << 16);
  }

  static constexpr BFloat16 fromBits(uint16_t bits) {
    BFloat16 result(0.0f);
    result.bits = bits;
    return result;
  }
};

static_assert(sizeof(Half) == 2 && sizeof(BFloat16) == 2);

} // namespace glow

template <> struct std::numeric_limits<glow::Half> {
  static constexpr bool is_specialized = true, is_signed = true,
                        is_integer = false, is_exact = false,
                        has_infinity = true, has_quiet_NaN = true;
  static constexpr int digits = 11, max_exponent = 16, min_exponent = -13;
  static constexpr glow::Half bits(uint16_t b) {
    return glow::Half::fromBits(b);
  }
  static constexpr glow::Half min() { return bits(0x0400); }
  static constexpr glow::Half max() { return bits(0x7bff); }
  static constexpr glow::Half lowest() { return bits(0xfbff); }
  static constexpr glow::Half epsilon() { return bits(0x1400); }
  static constexpr glow::Half infinity() { return bits(0x7c00); }
  static constexpr glow::Half quiet_NaN() { return bits(0x7e00); }
  static constexpr glow::Half denorm_min() { return bits(0x0001); }
};

template <> struct std::numeric_limits<glow::BFloat16> {
  static constexpr bool is_specialized = true, is_signed = true,
                        is_integer = false, is_exact = false,
                        has_infinity = true, has_quiet_NaN = true;
  static constexpr int digits = 8, max_exponent = 128, min_exponent = -125;
  static constexpr glow::BFloat16 bits(uint16_t b) {
    return glow::BFloat16::fromBits(b);
  }
  static constexpr glow::BFloat16 min() { return bits(0x0080); }
  static constexpr glow::BFloat16 max() { return bits(0x7f7f); }
  static constexpr glow::BFloat16 lowest() { return bits(0xff7f); }
  static constexpr glow::BFloat16 epsilon() { return bits(0x3c00); }
  static constexpr glow::BFloat16 infinity() { return bits(0x7f80); }
  static constexpr glow::BFloat16 quiet_NaN() { return bits(0x7fc0); }
  static constexpr glow::BFloat16 denorm_min() { return bits(0x0001); }
};

#endif // GLOW_BASE_HALF_H
