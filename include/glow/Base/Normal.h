//===- Normal.h - the distribution of a normal variable ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Shared by the interpreter and the kernel library, which is compiled without a
// C++ library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_NORMAL_H
#define GLOW_BASE_NORMAL_H

#if __STDC_HOSTED__
#include <cmath>
#else
extern "C" double exp(double) noexcept;
extern "C" double erfc(double) noexcept;
#endif

namespace glow {

/// The probability that a normal variable of mean 0 and variance 1 is below
/// `x`: erfc(-x / sqrt(2)) / 2, within 4 units in the last place.
///
/// Far below 0, one rounding of the quotient changes the result by x^2
/// roundings. So the quotient is the sum of `y` and `rest`: Dekker's product of
/// the halves of both factors. The derivative of erfc gives the share of
/// `rest`.
inline double normcdf(double x) {
  if (!(x > -40.0 && x < 9.0)) // 0, 1 or NaN
    return 0.5 * ::erfc(-x);
  const double factor = 0x1.6a09e667f3bcdp-1, below = -0x1.bdd3413b26456p-55;
  const double factorHigh = 0x1.6a09e6p-1, factorLow = factor - factorHigh;
  const double high = __builtin_bit_cast(
      double, __builtin_bit_cast(long long, x) & ~0x7ffffffLL);
  const double low = x - high;
  // Adding 0.0 rounds the product here, even where the compiler fuses a product
  // with the difference below.
  const double y = x * factor + 0.0;
  const double rest = high * factorHigh - y + high * factorLow +
                      low * factorHigh + low * factorLow + x * below;
  return 0.5 * ::erfc(-y) + 0.56418958354775629 * rest * ::exp(-y * y);
}
#if __STDC_HOSTED__
/// Reference implementation for tests.
inline long double normcdf(long double x) {
  return 0.5L * std::erfc(-x * 0.707106781186547524400844362104849039L);
}
#endif

} // namespace glow

#endif // GLOW_BASE_NORMAL_H
