//===- Narrow.h - numbers of two bytes, one at a time -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_LIBRARY_VECTOR_NARROW_H
#define GLOW_BACKENDS_CPU_LIBRARY_VECTOR_NARROW_H

#include "Vector.h"

namespace glow::cpu::library {

struct F16 {
  _Float16 value;
};
/// The upper half of a float.
struct BF16 {
  uint16_t bits;
};

/// Converts an element to a type with arithmetic.
template <typename T> GLOW_INLINE T wide(T element) { return element; }
GLOW_INLINE float wide(F16 element) { return float(element.value); }
GLOW_INLINE float wide(BF16 element) {
  return __builtin_bit_cast(float, uint32_t(element.bits) << 16);
}

/// Rounds a number to the nearest element.
template <typename T, typename C> GLOW_INLINE T narrow(C number) {
  if constexpr (__is_same(T, F16)) {
    return {_Float16(float(number))};
  } else if constexpr (__is_same(T, BF16)) {
    auto bits = __builtin_bit_cast(uint32_t, float(number));
    if (number != number)
      return {uint16_t(bits >> 16 | 0x40)};
    return {uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
  } else {
    return T(number);
  }
}

} // namespace glow::cpu::library

#endif // GLOW_BACKENDS_CPU_LIBRARY_VECTOR_NARROW_H
