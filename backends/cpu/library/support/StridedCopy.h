//===- StridedCopy.h - copies between strided elements ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Transposing, slicing, broadcasting and joining are walks through an index,
// with a stride in the source and a stride in the result.
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

/// to[x * toStride + y] = from[y * fromStride + x] for all x and y below 16.
template <Vector V, typename T>
GLOW_INLINE void moveWhole(T *to, int64_t toStride, const T *from,
                           int64_t fromStride) {
  V rows[16];
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 16; ++i) rows[i] =
      load<V>(from + i * fromStride);
  transpose(rows);
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 16; ++i)
      store(to + i * toStride, rows[i]);
}

/// The same for all x < width and y < height, both at most 16.
template <typename T>
GLOW_INLINE void moveTile(T *to, int64_t toStride, const T *from,
                          int64_t fromStride, int64_t width, int64_t height) {
  bool isWhole = width == lanes && height == lanes;
  if constexpr (sizeof(T) == 1)
    if (isWhole)
      return moveWhole<V16b>(to, toStride, from, fromStride);
  if constexpr (sizeof(T) == 4) {
    if (isWhole)
      return moveWhole<V16f>(to, toStride, from, fromStride);
    V16f rows[16];
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 16; ++i) rows[i] =
        i < height ? loadPart((const float *)from + i * fromStride, width)
                   : splat<V16f>(0);
    transpose(rows);
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 16;
                                            ++i) if (i < width)
        storePart((float *)to + i * toStride, rows[i], height);
  } else {
    for (int64_t x = 0; x < width; ++x)
      for (int64_t y = 0; y < height; ++y)
        to[x * toStride + y] = from[y * fromStride + x];
  }
}

/// Interleaves 16 pixels of images with three byte planes.
GLOW_INLINE void moveThreePlanes(void *to, const void *from,
                                 int64_t fromStride) {
  auto plane = [&](int64_t c) {
    return load<V16b>(static_cast<const char *>(from) + c * fromStride);
  };
  V16b zero{}, a = plane(0), b = plane(1), c = plane(2);
  auto both = __builtin_shufflevector(
      a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
      19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  auto last = __builtin_shufflevector(
      c, zero, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
      19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  char *out = static_cast<char *>(to);
  store(out, __builtin_shufflevector(both, last, 0, 16, 32, 1, 17, 33, 2, 18,
                                     34, 3, 19, 35, 4, 20, 36, 5));
  store(out + 16, __builtin_shufflevector(both, last, 21, 37, 6, 22, 38, 7, 23,
                                          39, 8, 24, 40, 9, 25, 41, 10, 26));
  store(out + 32,
        __builtin_shufflevector(both, last, 42, 11, 27, 43, 12, 28, 44, 13, 29,
                                45, 14, 30, 46, 15, 31, 47));
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

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

/// Dimensions from the slowest to the fastest, in the order of the result.
class Walk {
public:
  void add(int64_t size, int64_t from, int64_t to) {
    if (size == 1)
      return;
    if (rank > 0 && froms[rank - 1] == from * size &&
        tos[rank - 1] == to * size) {
      sizes[rank - 1] *= size;
      froms[rank - 1] = from, tos[rank - 1] = to;
      return;
    }
    sizes[rank] = size, froms[rank] = from, tos[rank] = to;
    ++rank;
  }
  /// Called after the last dimension was added.
  void finish() {
    if (rank == 0)
      sizes[rank] = 1, froms[rank] = tos[rank] = 1, ++rank;
    last = rank - 1;
    tiled = -1;
    for (int64_t i = 0; i < last; ++i)
      if (froms[i] == 1 && froms[last] != 1 && sizes[i] >= 4 && sizes[last] > 1)
        tiled = i;
    piece = tiled < 0 ? smaller(larger(1, sizes[last]), 16384) : sizes[last];
    units = tiled < 0 ? dividedUp(sizes[last], piece)
                      : dividedUp(sizes[tiled], lanes);
    for (int64_t i = 0; i < last; ++i)
      units *= i == tiled ? 1 : sizes[i];
  }
  Rows rows() const { return {units, tiled < 0 ? piece : sizes[last] * lanes}; }

  /// Copies units [begin, end), which are pieces of runs or strips of tiles.
  /// Only the first offset is computed by divisions, which take longer than a
  /// short run.
  template <typename T>
  [[gnu::noinline]] void run(T *to, const T *from, int64_t begin,
                             int64_t end) const {
    if (begin >= end)
      return;
    const int64_t parts = tiled < 0 ? dividedUp(sizes[last], piece)
                                    : dividedUp(sizes[tiled], lanes);
    int64_t part = begin % parts, row = begin / parts;
    int64_t index[2 * highestRank + 1];
    for (int64_t i = last; i-- > 0;) {
      if (i == tiled)
        continue;
      index[i] = row % sizes[i];
      row /= sizes[i];
      from += index[i] * froms[i];
      to += index[i] * tos[i];
    }
    for (int64_t unit = begin; unit < end; ++unit) {
      if (tiled < 0)
        runPiece(to, from, part * piece);
      else
        runStrip(to, from, part * lanes);
      if (++part < parts)
        continue;
      part = 0;
      advance(index, to, from);
    }
  }

private:
  /// Advances to the next row.
  template <typename T>
  GLOW_INLINE void advance(int64_t *index, T *&to, const T *&from) const {
    for (int64_t i = last; i-- > 0;) {
      if (i == tiled)
        continue;
      from += froms[i];
      to += tos[i];
      if (++index[i] < sizes[i])
        return;
      from -= sizes[i] * froms[i];
      to -= sizes[i] * tos[i];
      index[i] = 0;
    }
  }
  template <typename T>
  GLOW_INLINE void runPiece(T *to, const T *from, int64_t start) const {
    int64_t count = smaller(piece, sizes[last] - start), step = froms[last];
    from += start * step;
    to += start * tos[last];
    if (tos[last] == 1 && step == 1)
      copyRun(to, from, count);
    else if (tos[last] == 1 && step == 0)
      fillRun(to, *from, count);
    else
      for (int64_t i = 0; i < count; ++i)
        to[i * tos[last]] = from[i * step];
  }
  template <typename T>
  GLOW_INLINE void runStrip(T *to, const T *from, int64_t start) const {
    int64_t width = smaller(lanes, sizes[tiled] - start);
    from += start;
    to += start * tos[tiled];
    if (sizeof(T) == 1 && width == lanes && sizes[last] == 3 &&
        tos[tiled] == 3 && tos[last] == 1)
      return moveThreePlanes(to, from, froms[last]);
    for (int64_t i = 0; i < sizes[last]; i += lanes)
      moveTile(to + i * tos[last], tos[tiled], from + i * froms[last],
               froms[last], width, smaller(lanes, sizes[last] - i));
  }

  int64_t rank = 0, last = 0, tiled = -1, piece = 1, units = 1;
  int64_t sizes[2 * highestRank + 1], froms[2 * highestRank + 1];
  int64_t tos[2 * highestRank + 1];
};

/// The distance between neighbours along each dimension.
struct Strides {
  int64_t values[highestRank];
  explicit Strides(const Shape &shape) {
    int64_t stride = 1;
    for (int64_t i = shape.rank; i-- > 0; stride *= shape.sizes[i])
      values[i] = stride;
  }
  int64_t operator[](int64_t i) const { return values[i]; }
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_STRIDEDCOPY_H
