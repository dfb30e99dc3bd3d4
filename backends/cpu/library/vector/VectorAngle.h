//===- VectorAngle.h - sine and cosine of doubles ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Sine and cosine for formulas that a record computes in f64: accurate to the
// last bits of double, for numbers of any size.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORANGLE_H
#define GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORANGLE_H

#include "VectorDouble.h"

namespace glow::vector {

/// x = rest + quadrant * pi / 2, the quadrant modulo 4.
struct AngleOfDouble {
  V16d rest;
  V16l quadrant;
};

/// The bits of 2 / pi, after 64 bits of 0.
inline constexpr uint64_t twoOverPiWords[] = {0,
                                              0xa2f9836e4e441529,
                                              0xfc2757d1f534ddc0,
                                              0xdb6295993c439041,
                                              0xfe5163abdebbc561,
                                              0xb7246e3a424dd2e0,
                                              0x06492eea09d1921c,
                                              0xfe1deb1cb129a73e,
                                              0xe88235f52ebb4484,
                                              0xe99c7026b45f7e41,
                                              0x3991d639835339f4,
                                              0x9c845f8bbdf9283b,
                                              0x1ff897ffde05980f,
                                              0xef2f118b5a0a6d1f,
                                              0x6d367ecf27cb09b7,
                                              0x4f463f669e5fea2d,
                                              0x7527bac7ebe5f17b,
                                              0x3d0739f78a5292ea,
                                              0x6bfb5fb11f8d5d08,
                                              0x56033046fc7b6bab,
                                              0xf0cfbc209af4361d};

/// The upper half of a product, on processors of 32 bits as well.
GLOW_INLINE uint64_t highProduct(uint64_t a, uint64_t b) {
  uint64_t al = uint32_t(a), ah = a >> 32, bl = uint32_t(b), bh = b >> 32;
  uint64_t first = ah * bl + (al * bl >> 32);
  uint64_t second = al * bh + uint32_t(first);
  return ah * bh + (first >> 32) + (second >> 32);
}

/// Like reduceLarge of floats, with the 192 relevant bits for a double.
GLOW_INLINE double reduceLarge(double x, int64_t &quadrant) {
  uint64_t bits = __builtin_bit_cast(uint64_t, x);
  // |x| = mantissa * 2^exponent
  int64_t exponent = int64_t(bits >> 52 & 0x7ff) - 1075;
  uint64_t mantissa = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  int64_t offset = exponent + 62, shift = offset & 63;
  const uint64_t *word = twoOverPiWords + (offset >> 6);
  uint64_t window[3];
  for (int i = 0; i < 3; ++i)
    window[i] = shiftedIn(word[i], word[i + 1], shift);
  uint64_t carried = highProduct(mantissa, window[2]);
  uint64_t middle = mantissa * window[1] + carried;
  // 2^64 is four quadrants; higher bits are a multiple of four quadrants.
  uint64_t turns = mantissa * window[0] + highProduct(mantissa, window[1]) +
                   (middle < carried);
  uint64_t nearest = (turns + (uint64_t(1) << 61)) >> 62;
  int64_t rest = int64_t(turns - (nearest << 62));
  double angle = (double(rest) * 0x1p-62 + double(middle) * 0x1p-126) *
                 1.57079632679489662;
  quadrant = bits >> 63 ? -int64_t(nearest) : int64_t(nearest);
  return bits >> 63 ? -angle : angle;
}

[[gnu::noinline]] inline void reduceLargeAngles(const V16d *x,
                                                AngleOfDouble *angle) {
  for (int i = 0; i < lanesOfVector; ++i) {
    double lane = (*x)[i];
    if (lane - lane != 0) // infinite, or NaN
      angle->rest[i] = __builtin_nan("");
    else if (__builtin_fabs(lane) > 0x1p20) {
      int64_t quadrant = 0;
      angle->rest[i] = reduceLarge(lane, quadrant);
      angle->quadrant[i] = quadrant;
    }
  }
}

/// pi / 2 in three parts, of which the first two have 33 bits: their products
/// with a quadrant are exact.
GLOW_INLINE AngleOfDouble reduceAngle(V16d x) {
  const double magic = 0x1.8p52;
  V16d shifted = x * 0x1.45f306dc9c883p-1 + magic; // 2 / pi
  V16d whole = shifted - magic;
  V16d rest = whole * -0x1.921fb54400000p+0 + x;
  rest = whole * -0x1.0b4611a600000p-34 + rest;
  rest = whole * -0x1.3198a2e037073p-69 + rest;
  AngleOfDouble angle = {rest, bitsAs<V16l>(shifted)};
  if (any((abs(x) <= 0x1p20) == 0)) [[unlikely]]
    reduceLargeAngles(&x, &angle);
  return angle;
}

/// sin(rest + quadrant * pi / 2), for a rest of at most pi / 4.
GLOW_INLINE V16d sineOf(V16d rest, V16l quadrant) {
  V16d u = rest * rest;
  // Fit of (sin(x) - x) / x^3 in x^2 on [0, pi / 4], degree 5: 2^-58.
  V16d s = horner(u, -1.66666666666666324348e-01, 8.33333333332248946124e-03,
                  -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                  -2.50507602534068634195e-08, 1.58969099521155010221e-10);
  s = __builtin_elementwise_copysign(rest * (u * s) + rest, rest); // of -0 too
  // Fit of (cos(x) - 1 + x^2 / 2) / x^4 in x^2 on [0, pi / 4], degree 5: 2^-58.
  V16d c = horner(u, 4.16666666666666019037e-02, -1.38888888888741095749e-03,
                  2.48015872894767294178e-05, -2.75573143513906633035e-07,
                  2.08757232129817482790e-09, -1.13596475577881948265e-11);
  c = u * (u * c - 0.5) + 1.0;
  V16d result = truth(quadrant & 1) ? c : s;
  return bitsAs<V16d>(bitsAs<V16l>(result) ^ ((quadrant & 2) << 62));
}
GLOW_INLINE V16d sin(V16d x) {
  AngleOfDouble angle = reduceAngle(x);
  return sineOf(angle.rest, angle.quadrant);
}
GLOW_INLINE V16d cos(V16d x) {
  AngleOfDouble angle = reduceAngle(x);
  return sineOf(angle.rest, angle.quadrant + 1);
}

} // namespace glow::vector

#endif // GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORANGLE_H
