//===- Planes.h - elements that take turns, as planes -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Two, three or four planes are interleaved if their elements take turns, as
// the colours of a pixel do. Sixteen elements of each plane are moved by
// shuffles of whole vectors.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_PLANES_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_PLANES_H

#include "Support.h"

namespace glow::cpu {

template <typename T>
using Sixteen = T __attribute__((vector_size(16 * sizeof(T))));

/// The lanes `index(0)` to `index(15)` of two vectors.
template <auto index, Vector V> GLOW_INLINE V lanesOf(V a, V b) {
  return __builtin_shufflevector(a, b, index(0), index(1), index(2), index(3),
                                 index(4), index(5), index(6), index(7),
                                 index(8), index(9), index(10), index(11),
                                 index(12), index(13), index(14), index(15));
}

template <Vector V> GLOW_INLINE V evenLanes(V a, V b) {
  return lanesOf<[](int i) { return 2 * i; }>(a, b);
}
template <Vector V> GLOW_INLINE V oddLanes(V a, V b) {
  return lanesOf<[](int i) { return 2 * i + 1; }>(a, b);
}
/// Lanes of both vectors in turns: the lower halves, or the upper halves.
template <bool upper, Vector V> GLOW_INLINE V inTurns(V a, V b) {
  return lanesOf<[](int i) { return i % 2 * 16 + i / 2 + 8 * upper; }>(a, b);
}

/// The same of each four lanes, which registers of all widths do at once.
template <bool upper, Vector V> GLOW_INLINE V inTurnsOfFour(V a, V b) {
  return lanesOf<[](int i) {
    return i % 2 * 16 + i / 4 * 4 + i % 4 / 2 + 2 * upper;
  }>(a, b);
}
/// Groups of four lanes of both vectors in turns: the lower or upper halves.
template <bool upper, Vector V> GLOW_INLINE V foursInTurns(V a, V b) {
  return lanesOf<[](int i) {
    return i / 4 % 2 * 16 + i / 8 * 4 + i % 4 + 8 * upper;
  }>(a, b);
}
/// The lower halves of both vectors, or the upper ones.
template <bool upper, Vector V> GLOW_INLINE V halvesOf(V a, V b) {
  return lanesOf<[](int i) { return i / 8 * 16 + i % 8 + 8 * upper; }>(a, b);
}

/// Plane `plane` of three.
template <int plane, Vector V> GLOW_INLINE V planeOfThree(V (&v)[3]) {
  V low = lanesOf<[](int i) {
    const int element = 3 * i + plane;
    return element < 32 ? element : 0;
  }>(v[0], v[1]);
  return lanesOf<[](int i) {
    const int element = 3 * i + plane;
    return element < 32 ? i : element - 16;
  }>(low, v[2]);
}
/// Sixteen elements of three planes in turns, from element 16 * `part` on.
template <int part, Vector V> GLOW_INLINE V turnsOfThree(V (&v)[3]) {
  V low = lanesOf<[](int i) {
    const int element = 16 * part + i;
    return element % 3 < 2 ? element % 3 * 16 + element / 3 : 0;
  }>(v[0], v[1]);
  return lanesOf<[](int i) {
    const int element = 16 * part + i;
    return element % 3 < 2 ? i : 16 + element / 3;
  }>(low, v[2]);
}

/// Vectors of elements that take turns become vectors of planes.
template <int count, Vector V> GLOW_INLINE void separate(V (&v)[count]) {
  if constexpr (count == 2) {
    const V even = evenLanes(v[0], v[1]);
    v[1] = oddLanes(v[0], v[1]), v[0] = even;
  } else if constexpr (count == 3) {
    const V a = planeOfThree<0>(v), b = planeOfThree<1>(v);
    v[2] = planeOfThree<2>(v), v[0] = a, v[1] = b;
  } else {
    V low[2] = {v[0], v[1]}, high[2] = {v[2], v[3]};
    separate<2>(low), separate<2>(high);
    v[0] = evenLanes(low[0], high[0]), v[1] = evenLanes(low[1], high[1]);
    v[2] = oddLanes(low[0], high[0]), v[3] = oddLanes(low[1], high[1]);
  }
}
/// The inverse of `separate`.
template <int count, Vector V> GLOW_INLINE void interleave(V (&v)[count]) {
  if constexpr (count == 2) {
    const V low = inTurns<false>(v[0], v[1]);
    v[1] = inTurns<true>(v[0], v[1]), v[0] = low;
  } else if constexpr (count == 3) {
    const V a = turnsOfThree<0>(v), b = turnsOfThree<1>(v);
    v[2] = turnsOfThree<2>(v), v[0] = a, v[1] = b;
  } else if constexpr (sizeof(V) == 64) {
    // Group g of `elements[i]` has element 4 * g + i of all planes. A register
    // of AVX2 holds two groups, and LLVM takes five shuffles for each register
    // of the form below.
    const V even[2] = {inTurnsOfFour<false>(v[0], v[2]),
                       inTurnsOfFour<true>(v[0], v[2])};
    const V odd[2] = {inTurnsOfFour<false>(v[1], v[3]),
                      inTurnsOfFour<true>(v[1], v[3])};
    const V elements[4] = {inTurnsOfFour<false>(even[0], odd[0]),
                           inTurnsOfFour<true>(even[0], odd[0]),
                           inTurnsOfFour<false>(even[1], odd[1]),
                           inTurnsOfFour<true>(even[1], odd[1])};
    const V a = foursInTurns<false>(elements[0], elements[1]),
            b = foursInTurns<false>(elements[2], elements[3]),
            c = foursInTurns<true>(elements[0], elements[1]),
            d = foursInTurns<true>(elements[2], elements[3]);
    v[0] = halvesOf<false>(a, b), v[1] = halvesOf<true>(a, b);
    v[2] = halvesOf<false>(c, d), v[3] = halvesOf<true>(c, d);
  } else {
    V even[2] = {v[0], v[2]}, odd[2] = {v[1], v[3]};
    interleave<2>(even), interleave<2>(odd);
    v[0] = inTurns<false>(even[0], odd[0]);
    v[1] = inTurns<true>(even[0], odd[0]);
    v[2] = inTurns<false>(even[1], odd[1]);
    v[3] = inTurns<true>(even[1], odd[1]);
  }
}

/// Element i of plane p, at to[p * apart + i], is from[i * count + p].
template <int count, typename T>
[[gnu::noinline]] void separatePlanes(T *to, int64_t apart, const T *from,
                                      int64_t length) {
  int64_t i = 0;
  for (; i + lanes <= length; i += lanes) {
    Sixteen<T> v[count];
#pragma clang loop unroll(full)
    for (int p = 0; p < count; ++p)
      v[p] = load<Sixteen<T>>(from + i * count + p * lanes);
    separate<count>(v);
#pragma clang loop unroll(full)
    for (int p = 0; p < count; ++p)
      store(to + p * apart + i, v[p]);
  }
  for (; i < length; ++i)
    for (int p = 0; p < count; ++p)
      to[p * apart + i] = from[i * count + p];
}
/// The inverse of `separatePlanes`.
template <int count, typename T>
[[gnu::noinline]] void interleavePlanes(T *to, const T *from, int64_t apart,
                                        int64_t length) {
  int64_t i = 0;
  for (; i + lanes <= length; i += lanes) {
    Sixteen<T> v[count];
#pragma clang loop unroll(full)
    for (int p = 0; p < count; ++p)
      v[p] = load<Sixteen<T>>(from + p * apart + i);
    interleave<count>(v);
#pragma clang loop unroll(full)
    for (int p = 0; p < count; ++p)
      store(to + i * count + p * lanes, v[p]);
  }
  for (; i < length; ++i)
    for (int p = 0; p < count; ++p)
      to[i * count + p] = from[p * apart + i];
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_PLANES_H
