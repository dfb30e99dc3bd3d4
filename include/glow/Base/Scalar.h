//===- Scalar.h - functions of one element --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The C++ of the ScalarFunction records in defs/Functions.td. `C` is double,
// int64_t or uint64_t; tests use long double. Integers wrap around; a division
// by 0 gives 0.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_SCALAR_H
#define GLOW_BASE_SCALAR_H

#include "glow/Base/Half.h"
#include "glow/Base/Normal.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace glow::scalar {

/// Converts a number to an element type. An integer type rounds a real number
/// towards zero and saturates it; NaN becomes 0.
template <typename C, typename From> C as(From a) {
  if constexpr (std::integral<C> && std::floating_point<From>) {
    using Limits = std::numeric_limits<C>;
    // The largest integer has no double; the next power of two has.
    const double end = 2.0 * double(C(1) << (Limits::digits - 1));
    if (std::isnan(a) || a >= end)
      return std::isnan(a) ? C(0) : Limits::max();
    return a < double(Limits::min()) ? Limits::min() : C(a);
  } else {
    return C(a);
  }
}

/// The floating-point type that computes a function: `long double` in the
/// references of tests, else double.
template <typename C>
using Real =
    std::conditional_t<std::is_same_v<C, long double>, long double, double>;

#define GLOW_REAL(name, value)                                                 \
  template <typename C> C name(C a) { return C(value(Real<C>(a))); }
GLOW_REAL(exp, std::exp)
GLOW_REAL(expm1, std::expm1)
GLOW_REAL(log, std::log)
GLOW_REAL(log1p, std::log1p)
GLOW_REAL(sqrt, std::sqrt)
GLOW_REAL(sin, std::sin)
GLOW_REAL(cos, std::cos)
GLOW_REAL(tan, std::tan)
GLOW_REAL(asin, std::asin)
GLOW_REAL(acos, std::acos)
GLOW_REAL(atan, std::atan)
GLOW_REAL(sinh, std::sinh)
GLOW_REAL(cosh, std::cosh)
GLOW_REAL(tanh, std::tanh)
GLOW_REAL(asinh, std::asinh)
GLOW_REAL(acosh, std::acosh)
GLOW_REAL(atanh, std::atanh)
GLOW_REAL(erf, std::erf)
GLOW_REAL(normcdf, glow::normcdf)
#undef GLOW_REAL

template <typename C> C floor(C a) {
  if constexpr (std::floating_point<C>)
    return std::floor(a);
  else
    return a;
}
template <typename C> C ceil(C a) {
  if constexpr (std::floating_point<C>)
    return std::ceil(a);
  else
    return a;
}
/// Rounds halves to even.
template <typename C> C round(C a) {
  if constexpr (std::floating_point<C>)
    return std::nearbyint(a);
  else
    return a;
}

template <typename C> C add(C a, C b) {
  if constexpr (std::integral<C>)
    return C(uint64_t(a) + uint64_t(b));
  else
    return a + b;
}
template <typename C> C subtract(C a, C b) {
  if constexpr (std::integral<C>)
    return C(uint64_t(a) - uint64_t(b));
  else
    return a - b;
}
template <typename C> C multiply(C a, C b) {
  if constexpr (std::integral<C>)
    return C(uint64_t(a) * uint64_t(b));
  else
    return a * b;
}
/// Integers round towards zero.
template <typename C> C divide(C a, C b) {
  if constexpr (std::floating_point<C>) {
    return a / b;
  } else {
    if (b == 0)
      return 0;
    if constexpr (std::signed_integral<C>)
      if (b == -1)
        return subtract<C>(0, a);
    return a / b;
  }
}
template <typename C> C negate(C a) {
  if constexpr (std::floating_point<C>)
    return -a;
  else
    return subtract<C>(0, a);
}

/// `max` and `min` give NaN if either operand is NaN.
template <typename C> C max(C a, C b) { return a > b || a != a ? a : b; }
template <typename C> C min(C a, C b) { return a < b || a != a ? a : b; }
template <typename C> C abs(C a) { return a < C(0) ? negate(a) : a; }
template <typename C> C sign(C a) {
  return a > C(0) ? C(1) : a < C(0) ? C(-1) : a;
}

template <typename C> C fmod(C a, C b) {
  if constexpr (std::floating_point<C>) {
    return std::fmod(a, b);
  } else {
    if (b == 0 || (std::signed_integral<C> && b == C(-1)))
      return 0;
    return a % b;
  }
}
template <typename C> C mod(C a, C b) {
  C rest = fmod(a, b);
  return rest != C(0) && (rest < C(0)) != (b < C(0)) ? add(rest, b) : rest;
}

/// Integer powers use repeated squaring, so that large results stay exact.
template <typename C> C pow(C a, C b) {
  if constexpr (std::floating_point<C>) {
    return std::pow(a, b);
  } else {
    if (b < C(0))
      return a == C(1) ? C(1) : a == C(-1) ? (b % 2 ? C(-1) : C(1)) : C(0);
    C result = 1;
    for (; b; b /= 2, a = multiply(a, a))
      if (b % 2)
        result = multiply(result, a);
    return result;
  }
}

template <typename C> bool isNan(C a) { return a != a; }
template <typename C> bool isInfinite(C a) {
  if constexpr (std::floating_point<C>)
    return std::isinf(a);
  else
    return false;
}

template <typename C> C halfOf(C bits) {
  return C(float(Half::fromBits(uint16_t(int64_t(bits)))));
}
template <typename C> C singleOf(C low, C high) {
  return C(std::bit_cast<float>(uint32_t(int64_t(low)) | uint32_t(int64_t(high))
                                                             << 16));
}

template <typename C> uint64_t bitsOf(C a) { return uint64_t(int64_t(a)); }
template <typename C> C bitAnd(C a, C b) { return C(bitsOf(a) & bitsOf(b)); }
template <typename C> C bitOr(C a, C b) { return C(bitsOf(a) | bitsOf(b)); }
template <typename C> C bitXor(C a, C b) { return C(bitsOf(a) ^ bitsOf(b)); }
template <typename C> C bitNot(C a) { return C(~bitsOf(a)); }
template <typename C> C shiftLeft(C a, C b) {
  return b >= C(64) || b < C(0) ? C(0) : C(bitsOf(a) << bitsOf(b));
}
/// Arithmetic shift for signed kinds: the sign bit fills the free bits.
template <typename C> C shiftRight(C a, C b) {
  const bool outside = b >= C(64) || b < C(0);
  if constexpr (std::signed_integral<C>)
    return C(int64_t(a) >> (outside ? 63 : int64_t(b)));
  return outside ? C(0) : C(bitsOf(a) >> bitsOf(b));
}

} // namespace glow::scalar

#endif // GLOW_BASE_SCALAR_H
