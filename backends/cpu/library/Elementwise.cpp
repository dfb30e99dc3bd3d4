//===- Elementwise.cpp - functions of sixteen elements --------------------===//
// SPDX-License-Identifier: MIT
//
// `glow_function_<function>_<kind>` takes 16 elements of each operand. Vectors
// of i64 and f64 are larger than any register: they are passed by address, and
// the first address is that of the result. In casts, a bool is a byte, 0 or 1.
//
//===----------------------------------------------------------------------===//

#include "vector/VectorMath.h"

using namespace glow::vector;

namespace {
using V16ub = uint8_t __attribute__((vector_size(GLOW_LANES)));

/// The nearest number that fits into a byte, towards zero, and 0 for NaN.
template <Vector V> GLOW_INLINE V toByte(V16f x, int32_t least, int32_t most) {
  V16i whole = toInteger<V16i>(x);
  whole = whole < least ? splat<V16i>(least) : whole;
  return convert<V>(whole > most ? splat<V16i>(most) : whole);
}
} // namespace

extern "C" {
#include "glow/Generated/GlowScalarFunctions.cpp.inc"

/// A helper for formulas of the records; no record names it.
[[gnu::always_inline]] V16f glow_one_plus_exp_of_minus(V16f x) {
  return onePlusExpOfMinus(x);
}

/// Casts, by the same rules: from each of these kinds to each other one.
#define GLOW_CAST(from, From, to, To, value)                                   \
  [[gnu::always_inline]] To glow_cast_##from##_##to(From x) { return value; }
#define GLOW_CAST_WIDE(from, From, to, value)                                  \
  [[gnu::always_inline]] void glow_cast_##from##_##to(V16l &result, From x) {  \
    result = value;                                                            \
  }
GLOW_CAST(f32, V16f, i32, V16i, toInteger<V16i>(x))
GLOW_CAST(f32, V16f, bool, V16b, toBool(x))
GLOW_CAST(i32, V16i, f32, V16f, convert<V16f>(x))
GLOW_CAST(i32, V16i, bool, V16b, toBool(x))
GLOW_CAST(bool, V16b, f32, V16f, convert<V16f>(x))
GLOW_CAST(bool, V16b, i32, V16i, convert<V16i>(x))
GLOW_CAST(i64, const V16l &, f32, V16f, convert<V16f>(x))
GLOW_CAST(i64, const V16l &, i32, V16i, convert<V16i>(x))
GLOW_CAST(i64, const V16l &, bool, V16b, toBool(x))
GLOW_CAST_WIDE(f32, V16f, i64, toInteger<V16l>(x))
GLOW_CAST_WIDE(i32, V16i, i64, convert<V16l>(x))
GLOW_CAST_WIDE(bool, V16b, i64, convert<V16l>(x))

#define GLOW_CAST_BYTE(byte, Byte, least, most)                                \
  GLOW_CAST(byte, Byte, f32, V16f, convert<V16f>(convert<V16i>(x)))            \
  GLOW_CAST(byte, Byte, i32, V16i, convert<V16i>(x))                           \
  GLOW_CAST(byte, Byte, bool, V16b, toBool(x))                                 \
  GLOW_CAST_WIDE(byte, Byte, i64, convert<V16l>(x))                            \
  GLOW_CAST(f32, V16f, byte, Byte, toByte<Byte>(x, least, most))               \
  GLOW_CAST(i32, V16i, byte, Byte, convert<Byte>(x))                           \
  GLOW_CAST(i64, const V16l &, byte, Byte, convert<Byte>(x))                   \
  GLOW_CAST(bool, V16b, byte, Byte, convert<Byte>(x))
GLOW_CAST_BYTE(i8, V16b, -128, 127)
GLOW_CAST_BYTE(u8, V16ub, 0, 255)
GLOW_CAST(i8, V16b, u8, V16ub, bitsAs<V16ub>(x))
GLOW_CAST(u8, V16ub, i8, V16b, bitsAs<V16b>(x))
}
