//===- Numbers.h - functions on compile-time numbers ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Arithmetic, rounding, bounds. See Functions.h.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_FUNCTIONS_NUMBERS_H
#define GLOW_BASE_FUNCTIONS_NUMBERS_H

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace glow::expr {

/// Whether arithmetic on this thread had a result beyond 64 bits since the flag
/// was last cleared. Signatures, requirements and imports check it before they
/// use a result.
inline bool &hasOverflowed() {
  static thread_local bool flag = false;
  return flag;
}

constexpr int64_t endOf(bool negative) {
  return negative ? std::numeric_limits<int64_t>::min()
                  : std::numeric_limits<int64_t>::max();
}
/// The result of arithmetic that does not fit: the largest or the smallest
/// number, so that the behaviour is defined. Sets the flag of the thread.
constexpr int64_t overflow(bool negative) {
  if (!std::is_constant_evaluated())
    hasOverflowed() = true;
  return endOf(negative);
}

// `/` and `%` round towards minus infinity; a division by 0 gives 0.
constexpr int64_t add(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? overflow(a < 0) : result;
}
constexpr int64_t subtract(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? overflow(a < 0) : result;
}
constexpr int64_t multiply(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? overflow((a < 0) != (b < 0))
                                               : result;
}
constexpr int64_t divide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return subtract(0, a);
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
/// Rounds towards zero.
constexpr int64_t truncatedQuotient(int64_t a, int64_t b) {
  return b == 0 ? 0 : b == -1 ? subtract(0, a) : a / b;
}
constexpr int64_t modulo(int64_t a, int64_t b) {
  if (b == 0 || b == -1)
    return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Whether the number is the same in all runs.
constexpr bool isFixed(int64_t) { return true; }
inline double ratio(int64_t a, int64_t b) { return double(a) / double(b); }
/// Whether the numbers are equal in each run.
constexpr bool isSame(int64_t a, int64_t b) { return a == b; }
/// Whether `a` is the number, in each run.
constexpr bool isNumber(int64_t a, int64_t number) { return a == number; }
constexpr int64_t max(int64_t a, int64_t b) { return a < b ? b : a; }
constexpr double max(double a, double b) { return a < b ? b : a; }
constexpr int64_t min(int64_t a, int64_t b) { return b < a ? b : a; }
constexpr double min(double a, double b) { return b < a ? b : a; }
constexpr int64_t abs(int64_t a) { return a < 0 ? subtract(0, a) : a; }
inline double abs(double a) { return std::fabs(a); }
/// Number of values from, from + step, ... before `end`; 0 for a step of 0. The
/// distance from `from` to `end` need not fit into 64 bits.
constexpr int64_t stepsUntil(int64_t from, int64_t end, int64_t step) {
  const bool down = step < 0;
  if (step == 0 || (down ? from <= end : from >= end))
    return 0;
  const uint64_t way =
      down ? uint64_t(from) - uint64_t(end) : uint64_t(end) - uint64_t(from);
  const uint64_t each = down ? -uint64_t(step) : uint64_t(step);
  const uint64_t count = (way - 1) / each + 1;
  return count > uint64_t(endOf(false)) ? overflow(false) : int64_t(count);
}
constexpr int64_t wrapAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? add(axis, rank) : axis;
}
/// Rounds towards zero; 0 for NaN.
inline int64_t integerOf(double a) {
  constexpr double beyond = 0x1p63;
  if (a != a)
    return 0;
  return a >= -beyond && a < beyond ? int64_t(a) : overflow(a < 0);
}
inline int64_t integerOf(int64_t a) { return a; }
inline double realOf(double a) { return a; }
inline double realOf(int64_t a) { return double(a); }
inline int64_t floor(double a) { return integerOf(std::floor(a)); }
inline int64_t floorOfProduct(int64_t a, double b) {
  return floor(double(a) * b);
}
inline int64_t ceil(double a) { return integerOf(std::ceil(a)); }
inline double sqrt(double a) { return std::sqrt(a); }
inline double log(double a) { return std::log(a); }
inline double exp(double a) { return std::exp(a); }
inline double power(double a, double b) { return std::pow(a, b); }
inline bool isNan(double a) { return std::isnan(a); }

} // namespace glow::expr

#endif // GLOW_BASE_FUNCTIONS_NUMBERS_H
