//===- VectorMath.h - exponentials and their kin ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Branch-free, for every float, within 4 units in the last place (5 where the
// processor has no fused multiply-add); test/cpu/unit/VectorMathTest.cpp
// measures.
//
// "Fit" beside coefficients: the polynomial of that degree with the smallest
// largest error relative to the function on the interval, found by iteratively
// reweighted least squares (Lawson's algorithm) at Chebyshev points. Reductions
// by constants in two parts are Cody and Waite's: the high part has so few bits
// that its products are exact.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORMATH_H
#define GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORMATH_H

#include "VectorAngle.h"

namespace glow::vector {

/// 2 to the power `n`, -126 to 127.
GLOW_INLINE V16f powerOfTwo(V16i n) { return bitsAs<V16f>((n + 127) << 23); }

/// exp(x) = mantissa * 2^exponent, for magnitudes up to some 200.
struct Power {
  V16f mantissa;
  V16i exponent;
};
/// x = rest + exponent * ln(2), where `near` less the multiple is at most
/// ln(2) / 2.
struct Multiple {
  V16f rest;
  V16i exponent;
};
GLOW_INLINE Multiple multipleOf(V16f x, V16f near) {
  // Adding 1.5 * 2^23 rounds to an integer, in the low bits of the sum.
  const float magic = 0x1.8p23f;
  V16f shifted = near * 0x1.715476p+0f + magic; // 1 / ln 2
  V16f whole = shifted - magic;
  V16i n = bitsAs<V16i>(shifted) - bitsAs<V16i>(splat<V16f>(magic));
  V16f r = whole * -0.693359375f + x; // ln 2, the high 9 bits
  return {whole * 2.12194440e-4f + r, n};
}
/// exp(r) - 1, for magnitudes up to ln(2) / 2.
GLOW_INLINE V16f expm1OfRest(V16f r) {
  // Fit of (exp(r) - 1 - r) / r^2 on [-ln(2) / 2, ln(2) / 2], degree 4: 2^-28.
  V16f p = horner(r, 0.499999934f, 0.166665204f, 0.0416683908f, 0.00836874513f,
                  0.00138145399f);
  return r * (r * p) + r;
}
/// mantissa * 2^exponent: in two steps, so that denormal results are rounded
/// once and large ones do not overflow on the way.
GLOW_INLINE V16f valueOf(Power power) {
  V16i half = power.exponent >> 1;
  return power.mantissa * powerOfTwo(half) * powerOfTwo(power.exponent - half);
}

/// exp(x) as a mantissa and the bits of a float whose low ones are the
/// exponent.
GLOW_INLINE Power powerInBits(V16f x) {
  const float magic = 0x1.8p23f; // as above
  V16f shifted = x * 0x1.715476p+0f + magic;
  V16f whole = shifted - magic;
  V16f r = whole * -0.693359375f + x;
  r = whole * 2.12194440e-4f + r;
  return {expm1OfRest(r) + 1.0f, bitsAs<V16i>(shifted)};
}
GLOW_INLINE V16f exp(V16f x) {
  // Beyond, the result is 0 or infinity; comparisons this way round keep NaN.
  Power power = powerInBits(min(89.0, max(-104.0, x)));
  // In two steps, as above: half of the exponent is added to the bits.
  V16i half = (power.exponent << 22) & int32_t(0xff800000);
  V16i rest = (power.exponent << 23) - half + (127 << 23);
  return bitsAs<V16f>(bitsAs<V16i>(power.mantissa) + half) * bitsAs<V16f>(rest);
}
/// The same where x is at most 0, and 0 for results that would be denormal.
GLOW_INLINE V16f expBelow(V16f x) {
  Power power = powerInBits(x);
  V16i bits = bitsAs<V16i>(power.mantissa) + (power.exponent << 23);
  return x < -87.0f ? splat<V16f>(0) : bitsAs<V16f>(bits);
}

/// exp(x) - 1 = 2^n (exp(r) - 1) + (2^n - 1), of which the last term is exact
/// where it is not far above the first.
GLOW_INLINE V16f expm1(V16f x) {
  // Beyond, the result is -1 or infinity.
  V16f inside = min(89.0, max(-20.0, x));
  Multiple multiple = multipleOf(inside, inside);
  // Half of the power of two, which is finite.
  V16f half = powerOfTwo(multiple.exponent - 1);
  V16f result = half * expm1OfRest(multiple.rest) + (half - 0.5f);
  return withSign(result + result, x);
}

/// 1 + exp(-x), in half the time of `exp`, for magnitudes that give a normal
/// number.
GLOW_INLINE V16f onePlusPowerOfMinus(V16f x) {
  const float magic = 0x1.8p23f;
  V16f shifted = x * -0x1.715476p+0f + magic;
  V16f whole = shifted - magic;
  // As above; each product is added by one instruction.
  V16f r = whole * -0.693359375f - x;
  r = whole * 2.12194440e-4f + r;
  // Fit of (exp(r) - 1 - r) / r^2 as above, degree 3: 2^-23.
  V16f p = horner(r, 1.0f, 1.0f, 0.499992311f, 0.166671142f, 0.0418901145f,
                  0.00831252523f);
  // The low bits of the sum are the exponent.
  return bitsAs<V16f>(bitsAs<V16i>(p) + (bitsAs<V16i>(shifted) << 23)) + 1.0f;
}
/// 1 + exp(-x), the divisor of logistic functions. Below -88.7 the result is
/// constant, 3.3e38.
GLOW_INLINE V16f onePlusExpOfMinus(V16f x) {
  return onePlusPowerOfMinus(min(86.5, max(-88.7, x)));
}

/// log((1 + f) * 2^exponent), for f in [-1/3, 1/3].
GLOW_INLINE V16f logOf(V16f f, V16f exponent) {
  // Fit of (log(1 + f) - f + f^2 / 2) / f^3 on [-1/3, 1/3], degree 7: 2^-27.
  V16f p = horner(f, 0.33333216f, -0.249997977f, 0.20010406f, -0.166804873f,
                  0.140058683f, -0.121842623f, 0.139844398f, -0.128916787f);
  V16f low = exponent * -2.12194440e-4f + f * f * (f * p - 0.5f);
  return exponent * 0.693359375f + (f + low);
}
/// The result of a logarithm of x, with the special cases of C.
GLOW_INLINE V16f logOrSpecial(V16f result, V16f x) {
  V16f infinity = splat<V16f>(__builtin_inff());
  result = x < infinity ? result : x;
  result = x == 0.0f ? -infinity : result;
  return x < 0.0f ? splat<V16f>(__builtin_nanf("")) : result;
}
GLOW_INLINE V16f log(V16f x) {
  // Denormals are brought into the range where exponents count.
  V16i denormal = x < 0x1p-126f;
  V16f y = denormal ? x * 0x1p23f : x;
  // y = m * 2^e with m in [2/3, 4/3), so that log(m) is accurate around 1.
  V16i bits = bitsAs<V16i>(y), e = (bits - 0x3f2aaaab) >> 23;
  V16f f = bitsAs<V16f>(bits - (e << 23)) - 1.0f;
  return logOrSpecial(logOf(f, convert<V16f>(e + (denormal & -23))), x);
}
/// log(1 + x) = log(m * 2^e) with m in [2/3, 4/3), and m - 1 from x itself.
GLOW_INLINE V16f log1p(V16f x) {
  V16f sum = x + 1.0f;
  V16i bits = bitsAs<V16i>(sum), e = (bits - 0x3f2aaaab) >> 23;
  V16f power = bitsAs<V16f>((127 - e) << 23); // 2^-e, of large sums not used
  V16f large = bitsAs<V16f>(bits - (e << 23)) - 1.0f;
  V16f f = sum < 0x1p24f ? x * power + (power - 1.0f) : large;
  return withSign(logOrSpecial(logOf(f, convert<V16f>(e)), sum), x);
}

/// tanh(x) = g / (g + 1) with g = (exp(2 x) - 1) / 2, which is as exact as a
/// float for small x, too.
GLOW_INLINE V16f tanh(V16f x) {
  // Beyond, the result is -1 or 1; comparisons this way round keep NaN.
  V16f inside = min(9.02, max(-9.02, x));
  const float magic = 0x1.8p23f; // as above
  V16f shifted = inside * 0x1.715476p+1f + magic;
  V16f whole = shifted - magic;
  // 2 x = n log(2) + 2 r. Of n up to 26 a log(2) of one float is enough.
  V16f r = whole * -0.346573591f + inside;
  // (exp(2 r) - 1) / 2, by the polynomial of expm1OfRest in 2 r.
  V16f p = horner(r, 0.999999868f, 0.666660816f, 0.333347126f, 0.133899921f,
                  0.0442065277f);
  V16f rest = r * (r * p) + r;
  V16f power = bitsAs<V16f>((bitsAs<V16i>(shifted) << 23) + 0x3f800000);
  V16f g = power * rest + (power * 0.5f - 0.5f);
  // Zero alone has lost its sign.
  V16i sign = bitsAs<V16i>(x) & int32_t(0x80000000);
  return bitsAs<V16f>(bitsAs<V16i>(g / (g + 1.0f)) | sign);
}

GLOW_INLINE V16f erf(V16f x) {
  V16f a = abs(x);
  // Fit of erf(x) / x on [0, 3.85] in t = 2 (x / 3.85)^2 - 1, in which the
  // terms do not cancel; degree 15: 2^-25.
  V16f t = a * a * 0.134930005f - 1.0f;
  V16f p =
      horner(t, 0.367284804f, -0.18330142f, 0.136213233f, -0.110388074f,
             0.0907884094f, -0.0731556755f, 0.0566113122f, -0.0412254875f,
             0.0276838016f, -0.0180467911f, 0.0121087455f, -0.00641068194f,
             0.00183211023f, -0.0011908644f, 0.00153727851f, -0.000600458974f);
  return withSign(a >= 3.85f ? 1.0f : min(1.0, a * p), x);
}

/// The probability that a normal variable is below x.
GLOW_INLINE V16f normcdf(V16f x) {
  V16f a = min(14.5, abs(x)); // beyond, no float is that small
  // exp(-a^2 / 2): the square of the first 12 bits is exact.
  V16f high = bitsAs<V16f>(bitsAs<V16i>(a) & -4096);
  V16f rest = (a - high) * (a + high) * -0.5f;
  V16f square = high * high * -0.5f;
  Multiple multiple = multipleOf(square, square + rest);
  V16f power = expm1OfRest(multiple.rest + rest);
  // The probability to be above a is exp(-a^2 / 2) s p. Fit of p in s - 0.5 on
  // [0, 14.5], degree 9: 2^-28. For small a, u = 1 - s is more exact than s.
  V16f s = 1.0f / (a * 0.3f + 1.0f), u = a * 0.3f * s;
  V16f p = horner(0.5f - u, 0.22197062f, 0.32915896f, 0.34619886f, 0.22208278f,
                  0.029057242f, -0.07755142f, -0.036465283f, 0.035917602f,
                  0.019629844f, -0.020623233f);
  V16f factor = a < 1.0f ? p - p * u : p * s;
  V16f above = valueOf({power * factor + factor, multiple.exponent});
  return x < 0.0f ? above : 1.0f - above;
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

/// sin(rest + quadrant * pi / 2), for a rest of at most pi / 4.
GLOW_INLINE V16f sineOf(V16f rest, V16i quadrant) {
  V16f u = rest * rest;
  // Fit of (sin(x) - x) / x^3 in x^2 on [0, pi / 4], degree 2: 2^-28.
  V16f s = horner(u, -0.166666546f, 0.00833215841f, -0.000195149576f);
  s = withSign(rest * (u * s) + rest, rest); // of -0 too
  // Fit of (cos(x) - 1 + x^2 / 2) / x^4 in x^2 on [0, pi / 4], degree 2: 2^-33.
  V16f c = horner(u, 0.0416666468f, -0.00138873645f, 2.44380908e-05f);
  c = u * (u * c - 0.5f) + 1.0f;
  V16f result = truth(quadrant & 1) ? c : s;
  return bitsAs<V16f>(bitsAs<V16i>(result) ^ ((quadrant & 2) << 30));
}
GLOW_INLINE V16f sin(V16f x) {
  Angle angle = reduceAngle(x);
  return sineOf(angle.rest, angle.quadrant);
}
GLOW_INLINE V16f cos(V16f x) {
  Angle angle = reduceAngle(x);
  return sineOf(angle.rest, angle.quadrant + 1);
}
GLOW_INLINE V16f tan(V16f x) {
  Angle angle = reduceAngle(x);
  return sineOf(angle.rest, angle.quadrant) /
         sineOf(angle.rest, angle.quadrant + 1);
}

/// pi / 2 and pi as sums of two floats.
struct TwoFloats {
  float high, low;
};
inline constexpr TwoFloats halfPi = {1.57079637f, -4.37113883e-8f};
inline constexpr TwoFloats wholePi = {3.14159274f, -8.74227766e-8f};
/// a - x. The low part makes up for the rounding of the constant.
GLOW_INLINE V16f minus(TwoFloats a, V16f x) { return (a.high - x) + a.low; }

GLOW_INLINE V16f atan(V16f x) {
  // atan(a) = pi / 2 - atan(1 / a).
  V16f a = abs(x);
  V16i large = a > 1.0f;
  V16f t = large ? 1.0f / a : a, u = t * t;
  // Fit of (atan(t) - t) / t^3 in t^2 on [0, 1], degree 8: 2^-28.
  V16f p = horner(u, -0.333332991f, 0.199985483f, -0.142642417f, 0.10952186f,
                  -0.0840345088f, 0.0579576026f, -0.0311778545f, 0.0109146102f,
                  -0.00179362267f);
  V16f near = t * (u * p) + t;
  return withSign(large ? minus(halfPi, near) : near, x);
}

/// asin(x) for x in [0, 0.5].
GLOW_INLINE V16f asinBelowHalf(V16f x) {
  // Fit of (asin(x) - x) / x^3 in x^2 on [0, 0.5], degree 4: 2^-27.
  V16f u = x * x;
  V16f p = horner(u, 0.166667525f, 0.0749529765f, 0.0454703752f, 0.0241795181f,
                  0.0421663030f);
  return x * (u * p) + x;
}
/// Above 0.5, asin(a) = pi / 2 - 2 asin(root) with root^2 = (1 - a) / 2.
struct Arc {
  V16i isLarge;
  V16f sine; ///< the root, or the magnitude itself
};
GLOW_INLINE Arc arcOf(V16f x) {
  V16f a = abs(x);
  V16i isLarge = a > 0.5f;
  return {isLarge, isLarge ? sqrt(0.5f - 0.5f * a) : a};
}
GLOW_INLINE V16f asin(V16f x) {
  Arc arc = arcOf(x);
  V16f y = asinBelowHalf(arc.sine);
  return withSign(arc.isLarge ? minus(halfPi, y + y) : y, x);
}
GLOW_INLINE V16f acos(V16f x) {
  Arc arc = arcOf(x);
  V16f y = asinBelowHalf(arc.sine), twice = y + y;
  V16f large = x < 0.0f ? minus(wholePi, twice) : twice;
  return arc.isLarge ? large : minus(halfPi, withSign(y, x));
}

//===----------------------------------------------------------------------===//
// Functions that are rare in networks: in double, so that nothing cancels
//===----------------------------------------------------------------------===//

GLOW_INLINE V16f sinh(V16f x) {
  V16d a = widen(x), e = roughExp(a), u = a * a;
  // Fit of (sinh(x) - x) / x^3 in x^2 on [0, 1], degree 4: 2^-43.
  V16d p = horner(u, 0.16666666667068919, 0.0083333332763552218,
                  0.0001984129604068907, 2.7552064712577989e-06,
                  2.552978947124635e-08);
  V16d large = 0.5 * (e - 1.0 / e);
  return convert<V16f>(abs(a) < 1.0 ? a * (u * p) + a : large);
}
GLOW_INLINE V16f cosh(V16f x) {
  V16d e = roughExp(widen(x));
  return convert<V16f>(0.5 * (e + 1.0 / e));
}
GLOW_INLINE V16f asinh(V16f x) {
  V16d a = widen(abs(x)), square = min(1e300, a * a); // not inf / inf
  V16d result = roughLog1p(a + square / (1.0 + sqrt(square + 1.0)));
  return withSign(convert<V16f>(result), x);
}
GLOW_INLINE V16f acosh(V16f x) {
  V16d a = widen(x) - 1.0;
  return convert<V16f>(roughLog1p(a + sqrt(a) * sqrt(a + 2.0)));
}
GLOW_INLINE V16f atanh(V16f x) {
  V16d a = widen(x);
  return convert<V16f>(0.5 * roughLog1p(2.0 * a / (1.0 - a)));
}

/// a to the power b, with the signs and special cases of C.
GLOW_INLINE V16f pow(V16f a, V16f b) {
  V16f magnitude = convert<V16f>(roughExp(widen(b) * roughLog(widen(abs(a)))));
  // From 2^24 on every float is even; infinity counts as even too.
  V16i large = abs(b) >= 0x1p24f;
  V16i whole = convert<V16i>(large ? splat<V16f>(0) : b);
  V16i isWhole = large | (convert<V16f>(whole) == b);
  V16i negative = bitsAs<V16i>(a) & (isWhole & (whole << 31));
  V16f result = bitsAs<V16f>(bitsAs<V16i>(magnitude) ^ negative);
  V16i undefined = ~isWhole & (a < 0.0f) & ~isInfinite(a);
  result = undefined ? splat<V16f>(__builtin_nanf("")) : result;
  V16i isOne = (a == 1.0f) | (b == 0.0f) | ((a == -1.0f) & (isInfinite(b)));
  return isOne ? splat<V16f>(1.0f) : result;
}

} // namespace glow::vector

#endif // GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORMATH_H
