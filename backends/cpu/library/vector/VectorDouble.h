//===- VectorDouble.h - the same in double, for reductions ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Exponential, logarithm and arc tangent to about 40 bits, `rough`: accurate
// enough for any float function that is computed from them. VectorMath.h
// explains "fit".
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORDOUBLE_H
#define GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORDOUBLE_H

#include "VectorLibm.h"

namespace glow::vector {

/// a + x (b + x (c + ...)).
template <Vector V> GLOW_INLINE V horner(V, ElementOf<V> a) {
  return splat<V>(a);
}
template <Vector V, typename... Rest>
GLOW_INLINE V horner(V x, ElementOf<V> a, Rest... rest) {
  return horner(x, rest...) * x + a;
}

GLOW_INLINE V16d widen(V16f x) { return convert<V16d>(x); }

/// exp(x) for magnitudes up to 200; beyond, the result exceeds the range of
/// float.
GLOW_INLINE V16d roughExp(V16d x) {
  x = min(200.0, max(-200.0, x));
  const double magic = 0x1.8p52;
  V16d shifted = x * 0x1.71547652b82fep+0 + magic; // 1 / ln 2
  V16d whole = shifted - magic;
  V16l n = bitsAs<V16l>(shifted) - bitsAs<V16l>(splat<V16d>(magic));
  V16d r = whole * -0x1.62e42fee00000p-1 + x; // ln 2, the high 32 bits
  r = whole * -0x1.a39ef35793c76p-33 + r;
  // Fit of (exp(r) - 1 - r) / r^2 on [-ln(2) / 2, ln(2) / 2], degree 6: 2^-39.
  V16d p =
      horner(r, 0.50000000004285172, 0.16666666784794118, 0.041666664398286354,
             0.0083332817053071943, 0.001388919774802725, 0.0001990900646467549,
             2.4708194519021246e-05);
  p = r * (r * p) + r + 1.0;
  return p * bitsAs<V16d>((n + 1023) << 52);
}

/// log(x), not for denormal numbers.
GLOW_INLINE V16d roughLog(V16d x) {
  V16l bits = bitsAs<V16l>(x), e = (bits - 0x3fe5555555555555) >> 52;
  V16d f = bitsAs<V16d>(bits - (e << 52)) - 1.0;
  V16d s = f / (f + 2.0), u = s * s;
  // log(m) = 2 atanh((m - 1) / (m + 1)). Fit of (2 atanh(s) - 2 s) / s^3 in s^2
  // for m in [1 / sqrt(2), sqrt(2)], degree 4: 2^-43.
  V16d p = horner(u, 0.66666666675846753, 0.39999995604581345,
                  0.28572111154103536, 0.2217609883366449, 0.19585532366101982);
  V16d exponent = convert<V16d>(convert<V16i>(e));
  V16d result = exponent * 0x1.62e42fefa39efp-1 + (s * (u * p) + 2.0 * s);
  V16d infinity = splat<V16d>(__builtin_inf());
  result = x < infinity ? result : x;
  result = x == 0.0 ? -infinity : result;
  return x < 0.0 ? splat<V16d>(__builtin_nan("")) : result;
}

/// log(1 + x), also where x is too small to change 1 (Kahan's correction).
GLOW_INLINE V16d roughLog1p(V16d x) {
  V16d sum = 1.0 + x, rest = sum - 1.0;
  V16l plain = (rest == 0.0) | (sum == __builtin_inf());
  V16d corrected = roughLog(sum) * (x / (plain ? splat<V16d>(1.0) : rest));
  V16d result = rest == 0.0 ? x : corrected;
  return sum == __builtin_inf() ? sum : result;
}

//===----------------------------------------------------------------------===//
// Reduction of angles
//===----------------------------------------------------------------------===//

/// x = rest + quadrant * pi / 2, the quadrant modulo 4.
struct Angle {
  V16f rest;
  V16i quadrant;
};

/// The bits of 2 / pi, after 32 bits of 0.
inline constexpr uint32_t twoOverPi[] = {0,          0xa2f9836e, 0x4e441529,
                                         0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                         0x3c439041, 0xfe5163ab, 0xdebbc561};

/// `high` shifted left by `shift` bits, filled with the upper bits of `low`.
GLOW_INLINE uint64_t shiftedIn(uint64_t high, uint64_t low, int64_t shift) {
  return high << shift | low >> 1 >> (63 - shift);
}

/// Reduces a large angle by the integer product with the relevant 96 bits of
/// 2 / pi (Payne and Hanek): higher bits only add multiples of four quadrants.
GLOW_INLINE double reduceLarge(float x, int32_t &quadrant) {
  uint32_t bits = __builtin_bit_cast(uint32_t, x);
  // |x| = mantissa * 2^exponent
  int32_t exponent = int32_t(bits >> 23 & 0xff) - 150;
  uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
  int32_t offset = exponent + 30, shift = offset & 31;
  const uint32_t *word = twoOverPi + (offset >> 5);
  uint64_t high = uint64_t(word[0]) << 32 | word[1];
  uint64_t low = uint64_t(word[2]) << 32 | word[3];
  high = shiftedIn(high, low, shift);
  low = low << shift >> 32;
  uint64_t turns =
      high * mantissa + (low * mantissa >> 32); // 2^64 is four quadrants
  uint64_t nearest = (turns + (uint64_t(1) << 61)) >> 62;
  int64_t rest = int64_t(turns - (nearest << 62));
  double angle = double(rest) * (1.57079632679489662 * 0x1p-62);
  quadrant = int32_t(bits >> 31 ? -nearest : nearest);
  return bits >> 31 ? -angle : angle;
}

[[gnu::noinline]] inline void reduceLargeAngles(const V16f *x, Angle *angle) {
  for (int i = 0; i < lanesOfVector; ++i) {
    int32_t quadrant = 0;
    float lane = (*x)[i];
    uint32_t bits = __builtin_bit_cast(uint32_t, lane) & 0x7fffffff;
    if (bits >= 0x7f800000)
      angle->rest[i] = lane - lane; // NaN
    else if (bits >= 0x49000000)    // 2^19
      angle->rest[i] = float(reduceLarge(lane, quadrant));
    else
      continue;
    angle->quadrant[i] = quadrant;
  }
}

/// Numbers below 2^20 are reduced in double; a vector with a larger one takes
/// longer.
GLOW_INLINE Angle reduceAngle(V16f x) {
  V16d y = widen(x);
  const double magic = 0x1.8p52;
  V16d shifted = y * 0x1.45f306dc9c883p-1 + magic; // 2 / pi
  V16d whole = shifted - magic;
  V16d rest = whole * -0x1.921fb54400000p+0 + y; // pi / 2, the high 33 bits
  rest = whole * -0x1.0b4611a626331p-34 + rest;
  Angle angle = {convert<V16f>(rest), convert<V16i>(bitsAs<V16l>(shifted))};
  if (any(abs(x) > 0x1p20f)) [[unlikely]]
    reduceLargeAngles(&x, &angle);
  return angle;
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

/// The exact remainder, with the sign of `a`. Subtracts multiples of `b` with
/// so few bits that the product is exact. This ends after at most eleven
/// rounds, and nearly always after one.
GLOW_INLINE V16f fmod(V16f a, V16f b) {
  V16i good = (abs(a) < __builtin_inff()) & (b == b) & (b != 0.0f);
  V16d rest = widen(abs(good ? a : splat<V16f>(0)));
  V16d divisor = widen(abs(good ? b : splat<V16f>(1)));
  V16l over = rest >= divisor;
  while (any(over)) {
    // A little less than the quotient, of 28 bits, and at least 1.
    V16l bits = bitsAs<V16l>(rest / divisor * (1.0 - 0x1p-50));
    V16d quotient = bitsAs<V16d>(bits & ~((int64_t(1) << 25) - 1));
    quotient = max(1.0, __builtin_elementwise_trunc(quotient));
    rest = over ? rest - quotient * divisor : rest;
    over = rest >= divisor;
  }
  V16f result = withSign(convert<V16f>(rest), a);
  return good ? result : splat<V16f>(__builtin_nanf(""));
}
template <Vector V> GLOW_INLINE V fmod(V a, V b) {
  V safe = select<V>(b == as<V>(0), 1, b);
  return select<V>(b == as<V>(0), 0, a - divideIntegers(a, safe) * safe);
}
template <Vector V> GLOW_INLINE V mod(V a, V b) {
  V rest = fmod(a, b);
  auto wrong = (rest != as<V>(0)) & ((rest < as<V>(0)) ^ (b < as<V>(0)));
  return select<V>(wrong, rest + b, rest);
}

/// Powers of integers by repeated squaring. A negative power is 0, except of 1
/// and -1.
template <Vector V> GLOW_INLINE V pow(V a, V b) {
  V result = splat<V>(1), square = a;
  for (V rest = b; any(rest > as<V>(0)); rest >>= 1, square *= square)
    result =
        select<V>((rest > as<V>(0)) & truth(rest & 1), result * square, result);
  V odd = truth(b & 1);
  V negative = select<V>(a == as<V>(-1), select<V>(odd, -1, 1), 0);
  negative = select<V>(a == as<V>(1), 1, negative);
  return select<V>(b < as<V>(0), negative, result);
}

} // namespace glow::vector

#endif // GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORDOUBLE_H
