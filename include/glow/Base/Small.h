//===- Small.h - numbers of eight to two bits -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Elements that are stored and converted, but not computed with. Each takes a
// byte in memory, with its unused bits 0, and converts to float exactly.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_SMALL_H
#define GLOW_BASE_SMALL_H

#include "glow/Base/Half.h"
#include <type_traits>

namespace glow {

/// Bit layout of a small float, and its infinities and NaNs.
struct SmallFloatFormat {
  enum Special {
    Ieee,           ///< infinities, and NaN where the mantissa is not 0
    OneNaN,         ///< FN: NaN where all bits but the sign are 1
    NoNegativeZero, ///< FNUZ: NaN in the bit pattern of -0
    OnlyNumbers,
  };
  int exponentBits, mantissaBits, bias;
  Special special;
};

/// Rounds to the nearest number of the format, ties to even. A number that is
/// too large becomes infinity; without infinities, NaN; without either, the
/// largest number. In a format without NaN, NaN becomes the largest positive
/// number.
uint8_t smallFloatBits(const SmallFloatFormat &format, double value);
float smallFloatValue(const SmallFloatFormat &format, uint8_t bits);

template <SmallFloatFormat Format> struct SmallFloat {
  uint8_t bits;

  SmallFloat() = default;
  explicit SmallFloat(double value) : bits(smallFloatBits(Format, value)) {}
  explicit SmallFloat(float value) : SmallFloat(double(value)) {}
  template <std::integral T>
  explicit SmallFloat(T value) : SmallFloat(static_cast<double>(value)) {}
  operator float() const { return smallFloatValue(Format, bits); }
};

struct Float8E4M3FN : SmallFloat<{4, 3, 7, SmallFloatFormat::OneNaN}> {
  using SmallFloat::SmallFloat;
};
struct Float8E4M3FNUZ
    : SmallFloat<{4, 3, 8, SmallFloatFormat::NoNegativeZero}> {
  using SmallFloat::SmallFloat;
};
struct Float8E5M2 : SmallFloat<{5, 2, 15, SmallFloatFormat::Ieee}> {
  using SmallFloat::SmallFloat;
};
struct Float8E5M2FNUZ
    : SmallFloat<{5, 2, 16, SmallFloatFormat::NoNegativeZero}> {
  using SmallFloat::SmallFloat;
};
struct Float4E2M1FN : SmallFloat<{2, 1, 1, SmallFloatFormat::OnlyNumbers}> {
  using SmallFloat::SmallFloat;
};

struct Float6E2M3FN : SmallFloat<{2, 3, 1, SmallFloatFormat::OnlyNumbers}> {
  using SmallFloat::SmallFloat;
};
struct Float6E3M2FN : SmallFloat<{3, 2, 3, SmallFloatFormat::OnlyNumbers}> {
  using SmallFloat::SmallFloat;
};

/// Rounds up to a power of two from 2^-127 to 2^127, ignoring the sign. A
/// larger number becomes NaN. The format has no sign and no zero.
uint8_t powerOfTwoBits(double value);
float powerOfTwoValue(uint8_t bits);

struct Float8E8M0FNU {
  uint8_t bits;

  Float8E8M0FNU() = default;
  explicit Float8E8M0FNU(double value) : bits(powerOfTwoBits(value)) {}
  explicit Float8E8M0FNU(float value) : Float8E8M0FNU(double(value)) {}
  template <std::integral T>
  explicit Float8E8M0FNU(T value) : Float8E8M0FNU(static_cast<double>(value)) {}
  operator float() const { return powerOfTwoValue(bits); }
};

/// An integer of few bits. A real number is rounded towards 0 and saturated,
/// and NaN becomes 0. An integer keeps its low bits.
template <int Width, bool IsSigned> struct FewBits {
  uint8_t bits;

  FewBits() = default;
  explicit FewBits(double value) {
    constexpr double least = IsSigned ? -(count / 2) : 0;
    constexpr double most = least + (count - 1);
    value = value != value  ? 0
            : value < least ? least
            : value > most  ? most
                            : value;
    bits = uint8_t(int(value)) & mask;
  }
  explicit FewBits(float value) : FewBits(double(value)) {}
  template <std::integral T>
  explicit FewBits(T value) : bits(uint8_t(value) & mask) {}
  operator float() const {
    int low = bits & mask;
    return float(IsSigned && low >= count / 2 ? low - count : low);
  }

private:
  static constexpr int count = 1 << Width; ///< number of different values
  static constexpr uint8_t mask = count - 1;
};

struct Int4 : FewBits<4, true> {
  using FewBits::FewBits;
};
struct UInt4 : FewBits<4, false> {
  using FewBits::FewBits;
};
struct Int2 : FewBits<2, true> {
  using FewBits::FewBits;
};
struct UInt2 : FewBits<2, false> {
  using FewBits::FewBits;
};

/// Whether the C++ element type is an integer; bool counts as one.
template <typename T>
inline constexpr bool isIntegral =
    std::is_integral_v<T> || std::is_same_v<T, Int4> ||
    std::is_same_v<T, UInt4> || std::is_same_v<T, Int2> ||
    std::is_same_v<T, UInt2>;

/// Whether the element type is a struct of `bits`, not an arithmetic type of
/// C++.
template <typename T> inline constexpr bool isBits = !std::is_arithmetic_v<T>;

/// Makes an element, of a type for which `isBits` holds, from its bits.
template <typename T> T fromBits(uint64_t bits) {
  T result;
  result.bits = static_cast<decltype(result.bits)>(bits);
  return result;
}

static_assert(sizeof(Int4) == 1 && sizeof(Float8E5M2) == 1);

} // namespace glow

#endif // GLOW_BASE_SMALL_H
