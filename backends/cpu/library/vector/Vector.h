//===- Vector.h - sixteen elements at a time --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The types that kernels of the library compute with: vectors of sixteen
// elements of one kind, with the scalar functions of the records
// (Base/Scalar.h). They work on any processor: the compiler splits vectors
// wider than a register. Compiled without a C++ library, and with wrapping
// integers (-fwrapv).
//
// A boolean is true if it is nonzero. A bool of a tensor is a byte, 0 or 1. A
// comparison gives a vector of integers as wide as the compared elements, 0 or
// -1. Constants and attributes stay scalar (double, or int64_t among integers),
// so that expressions of them alone are computed once.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTOR_H
#define GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#define GLOW_INLINE [[gnu::always_inline]] inline

namespace glow::vector {

// The functions of elements are compiled for one lane as well, for processors
// without registers of vectors.
#ifndef GLOW_LANES
#define GLOW_LANES 16
#endif
inline constexpr int lanesOfVector = GLOW_LANES;

using V16f = float __attribute__((vector_size(4 * GLOW_LANES)));
using V16i = int32_t __attribute__((vector_size(4 * GLOW_LANES)));
using V16u = uint32_t __attribute__((vector_size(4 * GLOW_LANES)));
using V16l = int64_t __attribute__((vector_size(8 * GLOW_LANES)));
using V16ul = uint64_t __attribute__((vector_size(8 * GLOW_LANES)));
using V16d = double __attribute__((vector_size(8 * GLOW_LANES)));
using V16b = signed char __attribute__((vector_size(GLOW_LANES)));

template <typename T> T valueOf();
template <typename V>
concept Vector = requires(V v) { v[0]; };
template <Vector V>
using ElementOf = __remove_reference_t(decltype(valueOf<V &>()[0]));
/// The integers that a comparison of two vectors gives.
template <Vector V> using MaskOf = decltype(valueOf<V>() < valueOf<V>());

template <Vector V> GLOW_INLINE V splat(ElementOf<V> value) {
  V first = {value};
  if constexpr (lanesOfVector == 1)
    return first;
  else
    return __builtin_shufflevector(first, first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                   0, 0, 0, 0, 0, 0);
}
/// The same bits, seen as other elements of the same size.
template <Vector To, Vector From> GLOW_INLINE To bitsAs(From a) {
  return __builtin_bit_cast(To, a);
}
/// Converts the elements to another kind; values out of its range are
/// undefined.
template <Vector To, Vector From> GLOW_INLINE To convert(From a) {
  return __builtin_convertvector(a, To);
}

/// A vector from an address of any alignment.
template <Vector V> GLOW_INLINE V load(const void *from) {
  struct Unaligned {
    V value;
  } __attribute__((packed, aligned(1), may_alias));
  return static_cast<const Unaligned *>(from)->value;
}
template <Vector V> GLOW_INLINE void store(void *to, V value) {
  struct Unaligned {
    V value;
  } __attribute__((packed, aligned(1), may_alias));
  static_cast<Unaligned *>(to)->value = value;
}

/// The type of an operation on `A` and `B`: that of the vector.
template <typename A, typename B> struct CommonType {
  using type = A;
};
template <typename A, Vector B>
  requires(!Vector<A>)
struct CommonType<A, B> {
  using type = B;
};
template <typename A, typename B>
using Common = typename CommonType<A, B>::type;

template <typename V, typename A> GLOW_INLINE V as(A a) {
  if constexpr (Vector<V> && !Vector<A>)
    return splat<V>(ElementOf<V>(a));
  else
    return V(a);
}
template <typename V> inline constexpr bool isReal = false;
template <> inline constexpr bool isReal<V16f> = true;
template <> inline constexpr bool isReal<V16d> = true;
template <> inline constexpr bool isReal<double> = true;

/// Whether each element is not 0.
template <typename A> GLOW_INLINE auto truth(A a) {
  if constexpr (Vector<A>)
    return a != as<A>(0);
  else
    return a != 0;
}
/// Whether a mask is true in any lane.
template <Vector M> GLOW_INLINE bool any(M mask) {
  return __builtin_reduce_or(mask) != 0;
}
/// `a` where `condition` holds, else `b`. The condition may be of another
/// width.
template <typename V, typename M, typename A, typename B>
GLOW_INLINE V select(M condition, A a, B b) {
  if constexpr (!Vector<M>)
    return condition ? as<V>(a) : as<V>(b);
  else if constexpr (sizeof(ElementOf<M>) == sizeof(ElementOf<V>))
    return truth(condition) ? as<V>(a) : as<V>(b);
  else
    return convert<MaskOf<V>>(truth(condition)) ? as<V>(a) : as<V>(b);
}
/// Bytes 0 or 1.
template <Vector M> GLOW_INLINE V16b toBool(M condition) {
  return convert<V16b>(truth(condition)) & 1;
}

/// A scalar, a boolean vector or a vector, as elements of a tensor.
template <Vector V, typename A> GLOW_INLINE V numbers(A a) {
  if constexpr (Vector<A> && !__is_same(V, A))
    return select<V>(a, 1, 0);
  else
    return as<V>(a);
}

/// A float as an integer: the nearest that fits, towards zero, and 0 for NaN.
template <Vector V> GLOW_INLINE V toInteger(V16f x) {
  constexpr int bits = 8 * sizeof(ElementOf<V>) - 1;
  const ElementOf<V> lowest = ElementOf<V>(uint64_t(-1) << bits);
  const float limit = -float(lowest);
  V16i fits = (x >= -limit) & (x < limit);
  V inside = convert<V>(fits ? x : splat<V16f>(0));
  V outside = select<V>(x >= limit, ~lowest, select<V>(x < 0.0f, lowest, 0));
  return select<V>(fits, inside, outside);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

#define GLOW_OPERATOR(name, op)                                                \
  template <typename A, typename B> GLOW_INLINE auto name(A a, B b) {          \
    using V = Common<A, B>;                                                    \
    return as<V>(a) op as<V>(b);                                               \
  }
GLOW_OPERATOR(add, +)
GLOW_OPERATOR(subtract, -)
GLOW_OPERATOR(multiply, *)
GLOW_OPERATOR(less, <)
GLOW_OPERATOR(lessEqual, <=)
GLOW_OPERATOR(greater, >)
GLOW_OPERATOR(greaterEqual, >=)
GLOW_OPERATOR(equal, ==)
GLOW_OPERATOR(notEqual, !=)
GLOW_OPERATOR(bitAnd, &)
GLOW_OPERATOR(bitOr, |)
GLOW_OPERATOR(bitXor, ^)
#undef GLOW_OPERATOR

template <typename A> GLOW_INLINE A negate(A a) { return -a; }
template <typename A> GLOW_INLINE A bitNot(A a) { return ~a; }
template <typename A> GLOW_INLINE auto logicalNot(A a) {
  return truth(a) == decltype(truth(a)){};
}
template <typename A, typename B> GLOW_INLINE auto both(A a, B b) {
  return bitAnd(truth(a), truth(b));
}
template <typename A, typename B> GLOW_INLINE auto either(A a, B b) {
  return bitOr(truth(a), truth(b));
}

/// Divides integers towards zero; division by 0 gives 0. Integers of 32 bits
/// are divided as doubles, which is exact and for which processors have
/// vectors.
template <Vector V> GLOW_INLINE V divideIntegers(V a, V b) {
  if constexpr (__is_same(V, V16ul))
    return select<V>(b == as<V>(0), 0, a / select<V>(b == as<V>(0), 1, b));
  V negated = -a;
  V safe = select<V>((b == as<V>(0)) | (b == as<V>(-1)), 1, b);
  V quotient;
  if constexpr (sizeof(ElementOf<V>) == 4)
    quotient = convert<V>(convert<V16d>(a) / convert<V16d>(safe));
  else
    quotient = a / safe;
  quotient = select<V>(b == as<V>(-1), negated, quotient);
  return select<V>(b == as<V>(0), 0, quotient);
}
template <typename A, typename B> GLOW_INLINE auto divide(A a, B b) {
  using V = Common<A, B>;
  if constexpr (!isReal<V>)
    return divideIntegers(as<V>(a), as<V>(b));
  else
    return as<V>(a) / as<V>(b);
}

//===----------------------------------------------------------------------===//
// Simple functions
//===----------------------------------------------------------------------===//

/// NaN if either operand is NaN. A scalar is compared first, since `a > b ? a :
/// b` is one instruction, which gives b if either is NaN.
template <typename A, typename B> GLOW_INLINE auto max(A a, B b) {
  using V = Common<A, B>;
  if constexpr (Vector<A> && !Vector<B>)
    return max(b, a);
  else if constexpr (!Vector<A>) {
    V larger = select<V>(as<V>(a) > as<V>(b), a, b);
    return a == a ? larger : as<V>(a);
  } else if constexpr (!isReal<V>) {
    return V(a > b ? a : b);
  } else {
    V larger = a > b ? a : b;
    return V(a != a ? a : larger);
  }
}
template <typename A, typename B> GLOW_INLINE auto min(A a, B b) {
  using V = Common<A, B>;
  if constexpr (Vector<A> && !Vector<B>)
    return min(b, a);
  else if constexpr (!Vector<A>) {
    V smaller = select<V>(as<V>(a) < as<V>(b), a, b);
    return a == a ? smaller : as<V>(a);
  } else if constexpr (!isReal<V>) {
    return V(a < b ? a : b);
  } else {
    V smaller = a < b ? a : b;
    return V(a != a ? a : smaller);
  }
}
template <Vector V> GLOW_INLINE V abs(V a) {
  if constexpr (__is_same(V, V16ul))
    return a;
  else
    return __builtin_elementwise_abs(a);
}
template <Vector V> GLOW_INLINE V sign(V a) {
  V negative = select<V>(a < as<V>(0), -1, a);
  return select<V>(a > as<V>(0), 1, negative);
}
template <Vector V> GLOW_INLINE V floor(V a) {
  return __builtin_elementwise_floor(a);
}
template <Vector V> GLOW_INLINE V ceil(V a) {
  return __builtin_elementwise_ceil(a);
}
/// Rounds to the nearest integer, halves to even.
template <Vector V> GLOW_INLINE V round(V a) {
  return __builtin_elementwise_roundeven(a);
}
template <Vector V> GLOW_INLINE V sqrt(V a) {
  return __builtin_elementwise_sqrt(a);
}
GLOW_INLINE double sqrt(double a) { return __builtin_elementwise_sqrt(a); }
template <Vector V> GLOW_INLINE MaskOf<V> isNan(V a) { return a != a; }
template <Vector V> GLOW_INLINE MaskOf<V> isInfinite(V a) {
  return abs(a) == as<V>(__builtin_inf());
}
/// `magnitude` with the sign of `sign`.
GLOW_INLINE V16f withSign(V16f magnitude, V16f sign) {
  return __builtin_elementwise_copysign(magnitude, sign);
}

/// Reinterprets bits as floating-point numbers.
GLOW_INLINE V16f halfOf(V16f bits) {
  V16i half = convert<V16i>(bits), magnitude = (half & 0x7fff) << 13;
  V16i finite = bitsAs<V16i>(bitsAs<V16f>(magnitude) * 0x1p112f);
  V16i endless = magnitude | 0x7f800000;
  V16i result = magnitude >= 0x0f800000 ? endless : finite;
  return bitsAs<V16f>(result | (half & 0x8000) << 16);
}
GLOW_INLINE V16f singleOf(V16f low, V16f high) {
  return bitsAs<V16f>(convert<V16i>(low) | convert<V16i>(high) << 16);
}
GLOW_INLINE V16d halfOf(V16d bits) {
  return convert<V16d>(halfOf(convert<V16f>(bits)));
}
GLOW_INLINE V16d singleOf(V16d low, V16d high) {
  return convert<V16d>(singleOf(convert<V16f>(low), convert<V16f>(high)));
}

/// Shifts left with the result of a 64-bit shift, of which these are the low
/// bits.
template <typename A, typename B> GLOW_INLINE auto shiftLeft(A a, B b) {
  using V = Common<A, B>;
  using Bits = V16ul;
  V16l count = convert<V16l>(as<V>(b)), value = convert<V16l>(as<V>(a));
  V16l outside = (count < 0) | (count > 63);
  Bits shifted = bitsAs<Bits>(value)
                 << bitsAs<Bits>(select<V16l>(outside, 0, count));
  return convert<V>(select<V16l>(outside, 0, bitsAs<V16l>(shifted)));
}
/// Shifts right; the sign fills the freed bits, or 0 for unsigned integers.
template <typename A, typename B> GLOW_INLINE auto shiftRight(A a, B b) {
  using V = Common<A, B>;
  V16l count = convert<V16l>(as<V>(b)), value = convert<V16l>(as<V>(a));
  V16l outside = (count < 0) | (count > 63);
  if constexpr (__is_same(V, V16ul))
    return select<V>(outside, 0,
                     a >> bitsAs<V>(select<V16l>(outside, 0, count)));
  else
    return convert<V>(value >> select<V16l>(outside, 63, count));
}

} // namespace glow::vector

#endif // GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTOR_H
