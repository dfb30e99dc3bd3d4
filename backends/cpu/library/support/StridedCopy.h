//===- StridedCopy.h - copies of tiles and runs of elements -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Tiles are turned in registers, and runs are copied by the widest vectors that
// fit.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_STRIDEDCOPY_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_STRIDEDCOPY_H

#include "Support.h"

namespace glow::cpu {

//===----------------------------------------------------------------------===//
// Tiles of 16 x 16
//===----------------------------------------------------------------------===//

/// Exchanges the off-diagonal blocks of `distance` rows and lanes.
#define GLOW_EXCHANGE(distance, ...)                                           \
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 16; ++i) {            \
    if (i & distance)                                                          \
      continue;                                                                \
    V a = rows[i], b = rows[i + distance];                                     \
    rows[i] = __builtin_shufflevector(a, b, __VA_ARGS__);                      \
    rows[i + distance] = exchange##distance(a, b);                             \
  }
template <Vector V> GLOW_INLINE V exchange8(V a, V b) {
  return __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26,
                                 27, 28, 29, 30, 31);
}
template <Vector V> GLOW_INLINE V exchange4(V a, V b) {
  return __builtin_shufflevector(a, b, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14,
                                 15, 28, 29, 30, 31);
}
template <Vector V> GLOW_INLINE V exchange2(V a, V b) {
  return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26,
                                 27, 14, 15, 30, 31);
}
template <Vector V> GLOW_INLINE V exchange1(V a, V b) {
  return __builtin_shufflevector(a, b, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11,
                                 27, 13, 29, 15, 31);
}
template <Vector V> GLOW_INLINE void transpose(V (&rows)[16]) {
  GLOW_EXCHANGE(8, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
  GLOW_EXCHANGE(4, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27)
  GLOW_EXCHANGE(2, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
  GLOW_EXCHANGE(1, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30)
}
#undef GLOW_EXCHANGE

/// to(x)[y] = from[y * fromStride + x] for all x and y below 16.
template <Vector V, typename To, typename T>
GLOW_INLINE void moveWhole(const To &to, const T *from, int64_t fromStride) {
  V rows[16];
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 16; ++i) rows[i] =
      load<V>(from + i * fromStride);
  transpose(rows);
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 16; ++i)
      store(to(i), rows[i]);
}

/// The same for all x < width and y < height, both at most 16.
template <typename To, typename T>
GLOW_INLINE void moveTile(const To &to, const T *from, int64_t fromStride,
                          int64_t width, int64_t height) {
  bool isWhole = width == lanes && height == lanes;
  if constexpr (sizeof(T) == 1)
    if (isWhole)
      return moveWhole<V16b>(to, from, fromStride);
  if constexpr (sizeof(T) == 4) {
    if (isWhole)
      return moveWhole<V16f>(to, from, fromStride);
    V16f rows[16];
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 16; ++i) rows[i] =
        i < height ? loadPart((const float *)from + i * fromStride, width)
                   : splat<V16f>(0);
    transpose(rows);
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 16;
                                            ++i) if (i < width)
        storePart((float *)to(i), rows[i], height);
  } else {
    for (int64_t x = 0; x < width; ++x)
      for (int64_t y = 0; y < height; ++y)
        to(x)[y] = from[y * fromStride + x];
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

template <typename T> struct Block {
  using Vector = T __attribute__((vector_size(64)));
  static constexpr int64_t count = 64 / sizeof(T);
};

/// Copies 64 bytes at a time; the last block overlaps the one before.
template <typename T>
GLOW_INLINE void copyRun(T *to, const T *from, int64_t count) {
  using Vector = typename Block<T>::Vector;
  constexpr int64_t block = Block<T>::count;
  if (count >= 4096) {
    __builtin_memcpy(to, from, size_t(count) * sizeof(T));
    return;
  }
  int64_t i = 0;
  for (; i + block <= count; i += block)
    store(to + i, load<Vector>(from + i));
  if (i < count && count >= block)
    store(to + count - block, load<Vector>(from + count - block));
  else
    for (; i < count; ++i)
      to[i] = from[i];
}

/// Copies runs of `run` bytes, which are `Bytes` to 2 * `Bytes`. All kinds of
/// elements share its code; steps are in bytes.
template <int Bytes>
GLOW_INLINE void copyRunsBy(char *to, int64_t toStep, const char *from,
                            int64_t fromStep, int64_t count, int64_t run) {
  using Vector = uint8_t __attribute__((vector_size(Bytes)));
  // The second vector overlaps the first one.
  const int64_t rest = run - Bytes;
  for (int64_t i = 0; i < count; ++i, to += toStep, from += fromStep) {
    const Vector first = load<Vector>(from), second = load<Vector>(from + rest);
    store(to, first);
    store(to + rest, second);
  }
}
/// The same for runs of 2 to 128 bytes.
[[gnu::noinline]] inline void copyShortRuns(char *to, int64_t toStep,
                                            const char *from, int64_t fromStep,
                                            int64_t count, int64_t run) {
  if (run >= 64)
    copyRunsBy<64>(to, toStep, from, fromStep, count, run);
  else if (run >= 32)
    copyRunsBy<32>(to, toStep, from, fromStep, count, run);
  else if (run >= 16)
    copyRunsBy<16>(to, toStep, from, fromStep, count, run);
  else if (run >= 8)
    copyRunsBy<8>(to, toStep, from, fromStep, count, run);
  else if (run >= 4)
    copyRunsBy<4>(to, toStep, from, fromStep, count, run);
  else
    copyRunsBy<2>(to, toStep, from, fromStep, count, run);
}
/// Copies `count` runs of at least 2 elements.
template <typename T>
GLOW_INLINE void copyRuns(T *to, int64_t toStep, const T *from,
                          int64_t fromStep, int64_t count, int64_t run) {
  constexpr int64_t size = sizeof(T);
  const int64_t bytes = run * size;
  if (bytes > 128) {
    for (int64_t i = 0; i < count; ++i)
      copyRun(to + i * toStep, from + i * fromStep, run);
    return;
  }
  auto *toBytes = reinterpret_cast<char *>(to);
  auto *fromBytes = reinterpret_cast<const char *>(from);
  copyShortRuns(toBytes, toStep * size, fromBytes, fromStep * size, count,
                bytes);
}

template <typename T> GLOW_INLINE void fillRun(T *to, T value, int64_t count) {
  using Vector = typename Block<T>::Vector;
  constexpr int64_t block = Block<T>::count;
  Vector values = value - Vector{}; // in every lane
  int64_t i = 0;
  for (; i + block <= count; i += block)
    store(to + i, values);
  if (i < count && count >= block)
    store(to + count - block, values);
  else
    for (; i < count; ++i)
      to[i] = value;
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_STRIDEDCOPY_H
