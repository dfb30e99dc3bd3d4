//===- Tile.cpp - a tensor so many times along each axis ------------------===//
// SPDX-License-Identifier: MIT
//
// A block is made once, and then copied as a whole: the blocks of an axis
// consist of copies of inner axes. Walking through all elements would copy
// short runs, each at the cost of a longer one.
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// Repeats a block of `length` elements to `count` blocks; the first one
/// exists.
template <typename T>
GLOW_INLINE void repeatBlock(T *block, int64_t length, int64_t count) {
  // Each copy is as long as all blocks before it.
  for (int64_t done = 1; done < count;) {
    const int64_t next = smaller(done, count - done);
    __builtin_memcpy(block + done * length, block,
                     size_t(next * length) * sizeof(T));
    done += next;
  }
}

/// The axes, the innermost first. An axis without repeats is part of the axis
/// before it.
struct Tiling {
  int64_t rank = 1;
  int64_t sizes[highestRank], repeats[highestRank];
  int64_t in[highestRank], out[highestRank]; ///< elements of all inner axes

  explicit Tiling(const TileCall &call) {
    const Shape &shape = call.in.shape;
    sizes[0] = repeats[0] = 1;
    for (int64_t i = shape.rank; i-- > 0;) {
      if (repeats[rank - 1] != 1)
        sizes[rank] = repeats[rank] = 1, ++rank;
      sizes[rank - 1] *= shape.sizes[i];
      repeats[rank - 1] = call.repeats[i];
    }
    in[0] = out[0] = 1;
    for (int64_t i = 1; i < rank; ++i) {
      in[i] = in[i - 1] * sizes[i - 1];
      out[i] = out[i - 1] * sizes[i - 1] * repeats[i - 1];
    }
  }

  /// Parts of the outermost axis, or copies of a single one.
  int64_t parts() const {
    return repeats[rank - 1] * (rank == 1 ? 1 : sizes[rank - 1]);
  }
  int64_t partLength() const { return rank == 1 ? sizes[0] : out[rank - 1]; }
  Rows rows() const { return {parts(), partLength()}; }

  /// Writes all copies of the axes inside of `axis`.
  template <typename T> void fill(int64_t axis, T *to, const T *from) const {
    const int64_t i = axis - 1;
    if (i == 0)
      __builtin_memcpy(to, from, size_t(sizes[0]) * sizeof(T));
    else
      for (int64_t x = 0; x < sizes[i]; ++x)
        fill(i, to + x * out[i], from + x * in[i]);
    repeatBlock(to, sizes[i] * out[i], repeats[i]);
  }

  template <typename T>
  GLOW_INLINE void run(T *to, const T *from, int64_t first,
                       int64_t last) const {
    const int64_t length = partLength(), outer = sizes[rank - 1];
    if (rank == 1) {
      if (first < last)
        __builtin_memcpy(to + first * length, from, size_t(length) * sizeof(T));
      return repeatBlock(to + first * length, length, last - first);
    }
    const int64_t made = smaller(last, first + outer);
    for (int64_t part = first; part < made; ++part)
      fill(rank - 1, to + part * length, from + part % outer * in[rank - 1]);
    // The rest are copies, as long as they may be.
    for (int64_t part = made, some; part < last; part += some) {
      some = smaller(outer, last - part);
      __builtin_memcpy(to + part * length, to + (part - outer) * length,
                       size_t(some * length) * sizeof(T));
    }
  }
};

template <typename T>
GLOW_INLINE void tile(const TileCall &call, int64_t begin, int64_t end) {
  const Tiling tiling(call);
  const Rows rows = tiling.rows();
  if (elements(call.out.shape) != 0)
    tiling.run(call.out.as<T>(), call.in.as<const T>(), rows.first(begin),
               rows.last(end));
}

} // namespace

#define GLOW_TILE(bytes, T)                                                    \
  GLOW_WORK(tile_##bytes) { Tiling(call).rows().cut(work); }                   \
  GLOW_KERNEL(tile_##bytes) { tile<T>(call, begin, end); }
GLOW_TILE(1, uint8_t)
GLOW_TILE(2, uint16_t)
GLOW_TILE(4, uint32_t)
GLOW_TILE(8, uint64_t)
