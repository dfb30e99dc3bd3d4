//===- VectorMathTest.cpp - accuracy of the library's functions -----------===//
// SPDX-License-Identifier: MIT
//
// Compiled for the machine that builds, and once more without fused
// multiply-add, which rounds more often.
//
//===----------------------------------------------------------------------===//

#include "vector/VectorMath.h"
#include "glow/Base/Scalar.h"
#include <bit>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace glow::vector;

namespace {

// In units in the last place.
#ifdef GLOW_TEST_UNFUSED
constexpr double bound = 5;
#else
constexpr double bound = 4;
#endif
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float quiet = std::numeric_limits<float>::quiet_NaN();
constexpr float tiniest = std::numeric_limits<float>::denorm_min();
constexpr float largest = std::numeric_limits<float>::max();

const std::vector<float> special = {
    0.f,      -0.f,     1.f,     -1.f,           2.f,      -2.f,
    0.5f,     -0.5f,    3.f,     -3.f,           1.5f,     -1.5f,
    88.7228f, 88.7229f, -87.34f, -103.97f,       -104.f,   1e-3f,
    1e30f,    0x1p20f,  0x1p24f, 0x1.000002p24f, -0x1p24f, 16777215.f,
    tiniest,  -tiniest, largest, -largest,       infinity, -infinity,
    quiet};

/// Floats of every sign and exponent, some of each.
std::vector<float> samples(int ofEachBinade) {
  std::vector<float> result = special;
  std::mt19937 random(7);
  for (uint32_t binade = 0; binade < 510; ++binade)
    for (int i = 0; i < ofEachBinade; ++i)
      result.push_back(std::bit_cast<float>(uint32_t((binade / 255) << 31 |
                                                     (binade % 255) << 23 |
                                                     (random() & 0x7fffff))));
  result.resize((result.size() + 15) / 16 * 16, 1.f);
  return result;
}

/// The distance of `got` from `wanted`, in units of a float like `wanted`.
double ulps(float got, long double wanted) {
  float rounded = float(wanted);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) == std::isnan(got) ? 0 : infinity;
  if (got == rounded)
    return std::signbit(got) == std::signbit(rounded) ? 0 : infinity;
  if (std::isinf(got) || std::isinf(rounded))
    return std::isinf(rounded) && got == std::copysign(largest, rounded)
               ? 1
               : infinity;
  int exponent = std::max(std::ilogb(rounded), -126);
  return double(std::fabs(got - wanted) / std::ldexp(1.0L, exponent - 23));
}

struct Worst {
  double error = 0;
  float a = 0, b = 0;
  void add(double error, float a, float b = 0) {
    if (error > this->error)
      *this = {error, a, b};
  }
  void check(const char *name) const {
    std::printf("%-6s %.2f ulp at %.9g %.9g\n", name, error, a, b);
    EXPECT_LE(error, bound) << name << "(" << a << ", " << b << ")";
  }
};

template <typename Vectors, typename Reference>
void unary(const char *name, Vectors vectors, Reference reference) {
  Worst worst;
  static const std::vector<float> xs = samples(1000);
  for (size_t i = 0; i < xs.size(); i += 16) {
    V16f y = vectors(load<V16f>(&xs[i]));
    for (size_t lane = 0; lane < 16; ++lane)
      worst.add(ulps(y[lane], reference((long double)xs[i + lane])),
                xs[i + lane]);
  }
  worst.check(name);
}

template <typename Vectors, typename Reference>
void binary(const char *name, const std::vector<float> &as,
            const std::vector<float> &bs, Vectors vectors,
            Reference reference) {
  Worst worst;
  for (float a : as)
    for (size_t i = 0; i < bs.size(); i += 16) {
      V16f y = vectors(splat<V16f>(a), load<V16f>(&bs[i]));
      for (size_t lane = 0; lane < 16; ++lane)
        worst.add(
            ulps(y[lane], reference((long double)a, (long double)bs[i + lane])),
            a, bs[i + lane]);
    }
  worst.check(name);
}

#define UNARY(name)                                                            \
  TEST(VectorMath, name) {                                                     \
    unary(                                                                     \
        #name, [](V16f x) { return glow::vector::name(x); },                   \
        [](long double x) { return std::name(x); });                           \
  }
UNARY(exp)
UNARY(expm1)
UNARY(log)
UNARY(log1p)
UNARY(tanh)
UNARY(erf)
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(sinh)
UNARY(cosh)
UNARY(asinh)
UNARY(acosh)
UNARY(atanh)
UNARY(sqrt)
UNARY(floor)
UNARY(ceil)

TEST(VectorMath, round) {
  unary(
      "round", [](V16f x) { return glow::vector::round(x); },
      [](long double x) { return std::nearbyint(x); });
}

TEST(VectorMath, normcdf) {
  unary(
      "normcdf", [](V16f x) { return glow::vector::normcdf(x); },
      [](long double x) { return glow::normcdf(x); });
}

/// Of doubles, by the format with 11 bits more.
TEST(VectorMath, normcdf_of_doubles) {
  double worst = 0, at = 0;
  for (double x = -37.5; x < 9; x += 0x1.3p-9) {
    long double wanted = glow::normcdf((long double)x);
    V16d got = glow::vector::normcdf(splat<V16d>(x));
    double error = double(std::fabs((got[3] - wanted) / wanted)) * 0x1p52;
    if (error > worst)
      worst = error, at = x;
    EXPECT_EQ(got[3], glow::normcdf(x));
  }
  EXPECT_LE(worst, bound) << at;
  EXPECT_TRUE(std::isnan(glow::normcdf(NAN)));
  EXPECT_EQ(glow::normcdf(double(infinity)), 1);
  EXPECT_EQ(glow::normcdf(-double(infinity)), 0);
}

TEST(VectorMath, logistic) {
  // The smaller of NaN and a number is the number.
  unary("1 + exp(-x)", onePlusExpOfMinus, [](long double x) {
    return std::isnan(x) ? x : 1 + std::exp(std::fmin(-x, 88.7f));
  });
}

TEST(VectorMath, powers) {
  // Bases and exponents of every size, and those whose power is a float.
  auto power = [](V16f a, V16f b) { return glow::vector::pow(a, b); };
  auto reference = [](long double a, long double b) { return std::pow(a, b); };
  binary("pow", samples(1), samples(1), power, reference);
  std::vector<float> bases, exponents = special;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> logarithm(-10, 10), size(-20, 20);
  for (int i = 0; i < 500; ++i)
    bases.push_back(std::exp(logarithm(random)) * (i % 2 ? 1.f : -1.f));
  for (int i = 0; i < 500; ++i)
    exponents.push_back(i % 2 ? size(random) : std::round(size(random)));
  exponents.resize(exponents.size() / 16 * 16);
  binary("pow", bases, exponents, power, reference);
}

TEST(VectorMath, remainders) {
  auto remainder = [](V16f a, V16f b) { return glow::vector::fmod(a, b); };
  auto reference = [](long double a, long double b) { return std::fmod(a, b); };
  binary("fmod", samples(1), samples(1), remainder, reference);
}

TEST(VectorMath, nan_spreads) {
  V16f one = splat<V16f>(1), nan = splat<V16f>(quiet);
  for (V16f y : {glow::vector::max(one, nan), glow::vector::max(nan, one),
                 glow::vector::min(one, nan), glow::vector::min(nan, one),
                 glow::vector::max(nan, 0.0), glow::vector::min(1.0, nan)})
    EXPECT_TRUE(std::isnan(y[0]));
}

/// Every pair of these, by the vectors' function and by the interpreter's.
template <typename V, typename Vectors, typename Reference>
void integers(const char *name, Vectors vectors, Reference reference) {
  using T = ElementOf<V>;
  constexpr T lowest = std::numeric_limits<T>::lowest();
  constexpr T highest = std::numeric_limits<T>::max();
  const T values[] = {0,      1,          -1,      2,           -2, 3,  -3, 7,
                      lowest, lowest + 1, highest, highest - 1, 10, 31, 32, 33,
                      -31,    T(1) << 30, 1000003, -12345,      63, 64};
  for (T a : values)
    for (T b : values) {
      // As the interpreter: in 64 bits, stored with the low ones.
      T wanted = T(reference(int64_t(a), int64_t(b)));
      EXPECT_EQ(V(vectors(splat<V>(a), splat<V>(b)))[5], wanted)
          << name << "(" << a << ", " << b << ")";
    }
}

#define INTEGERS(name)                                                         \
  TEST(VectorIntegers, name) {                                                 \
    auto vectors = [](auto a, auto b) { return glow::vector::name(a, b); };    \
    auto reference = [](int64_t a, int64_t b) {                                \
      return glow::scalar::name(a, b);                                         \
    };                                                                         \
    integers<V16i>(#name, vectors, reference);                                 \
    integers<V16l>(#name, vectors, reference);                                 \
  }
INTEGERS(add)
INTEGERS(subtract)
INTEGERS(multiply)
INTEGERS(divide)
INTEGERS(fmod)
INTEGERS(mod)
INTEGERS(pow)
INTEGERS(max)
INTEGERS(min)
INTEGERS(bitAnd)
INTEGERS(bitXor)
INTEGERS(shiftLeft)
INTEGERS(shiftRight)

TEST(VectorIntegers, casts) {
  struct {
    float from;
    int32_t to;
  } cases[] = {{1.9f, 1},
               {-1.9f, -1},
               {quiet, 0},
               {3e9f, 2147483647},
               {infinity, 2147483647},
               {-0x1p31f, INT32_MIN},
               {-3e9f, INT32_MIN},
               {0x1.fffffep30f, 2147483520}};
  for (auto [from, to] : cases)
    EXPECT_EQ(toInteger<V16i>(splat<V16f>(from))[3], to) << from;
  EXPECT_EQ(toInteger<V16l>(splat<V16f>(-infinity))[3], INT64_MIN);
  EXPECT_EQ(toInteger<V16l>(splat<V16f>(3e9f))[3], 3000000000);
}

TEST(VectorIntegers, truth) {
  V16f values = {0.f, -0.f, 1.f, quiet};
  V16b bits = toBool(values);
  EXPECT_EQ(bits[0] + bits[1], 0);
  EXPECT_EQ(bits[2], 1);
  EXPECT_EQ(bits[3], 1);
  V16f chosen = select<V16f>(bits, values, 5.0);
  EXPECT_EQ(chosen[0], 5.f);
  EXPECT_EQ(chosen[2], 1.f);
}

} // namespace
