//===- Walk.h - copies between strided elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Transposing, slicing and joining are walks through an index, with a stride in
// the source and a stride in the result.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_WALK_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_WALK_H

#include "Planes.h"
#include "StridedCopy.h"

namespace glow::cpu {

/// Dimensions from the slowest to the fastest, in the order of the result. The
/// last dimension, and others that `isInner` marks, are copied by a unit of
/// work; the walk through the rest finds the first element of a unit.
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
    for (int64_t i = 0; i < rank; ++i)
      isInner[i] = i == last;
    parts =
        dividedUp(sizes[last], piece = smaller(larger(1, sizes[last]), most));
    length = piece;
    units = 0;
    for (int64_t i = 0; i < rank; ++i)
      if (sizes[i] == 0)
        return;
    if (!findShortRuns() && !findPlanes())
      findTiles();
    units = parts;
    for (int64_t i = 0; i < rank; ++i)
      units *= isInner[i] ? 1 : sizes[i];
  }
  Rows rows() const { return {units, length}; }

  /// Copies units [begin, end). Only the first offset is computed by divisions,
  /// which take longer than a short run.
  template <typename T>
  [[gnu::noinline]] void run(T *to, const T *from, int64_t begin,
                             int64_t end) const {
    if (begin >= end)
      return;
    int64_t part = begin % parts, row = begin / parts;
    int64_t index[mostRank];
    for (int64_t i = rank; i-- > 0;) {
      if (isInner[i])
        continue;
      index[i] = row % sizes[i];
      row /= sizes[i];
      from += index[i] * froms[i];
      to += index[i] * tos[i];
    }
    for (int64_t unit = begin; unit < end; ++unit) {
      runUnit(to, from, part);
      if (++part < parts)
        continue;
      part = 0;
      advance(index, to, from);
    }
  }

private:
  enum class Way { Runs, ShortRuns, Separated, Interleaved, Tiles };
  static constexpr int64_t most = 16384;      ///< elements of a unit, about
  static constexpr int64_t mostOfShort = 256; ///< elements of a short run
  static constexpr int64_t mostRank = 2 * highestRank + 1;

  /// The dimension that has this stride in the source, except the last; -1 if
  /// there is none.
  int64_t findStride(int64_t stride) const {
    for (int64_t i = last; i-- > 0;)
      if (froms[i] == stride)
        return i;
    return -1;
  }
  void setInner(int64_t dimension) { isInner[second = dimension] = true; }

  /// Short runs: a unit has many of them, and neighbours in the source, so that
  /// lines of the cache are read once.
  bool findShortRuns() {
    const int64_t run = sizes[last];
    if (froms[last] != 1 || tos[last] != 1 || run > mostOfShort || last == 0)
      return false;
    way = Way::ShortRuns;
    setInner(last - 1);
    third = findStride(run);
    if (third == second)
      third = -1;
    height = 1;
    if (third >= 0) {
      isInner[third] = true;
      height = smaller(sizes[third], dividedUp(2 * lanes, run));
    }
    piece = smaller(sizes[second], third < 0 ? most / run : 64);
    parts = dividedUp(sizes[second], piece) *
            (third < 0 ? 1 : dividedUp(sizes[third], height));
    length = piece * run * height;
    return true;
  }

  /// Two to four planes, whose elements take turns in the source or the result.
  bool findPlanes() {
    const int64_t near = findStride(1);
    if (near < 0 || froms[last] == 1)
      return false;
    auto fewOf = [&](int64_t i) { return sizes[i] >= 2 && sizes[i] <= 4; };
    if (fewOf(near) && froms[last] == sizes[near] && tos[last] == 1) {
      way = Way::Separated;
      piece = smaller(sizes[last], most / 4);
      parts = dividedUp(sizes[last], piece);
    } else if (fewOf(last) && tos[near] == sizes[last] && tos[last] == 1) {
      way = Way::Interleaved;
      piece = smaller(sizes[near], most / 4);
      parts = dividedUp(sizes[near], piece);
    } else {
      return false;
    }
    setInner(near);
    length = piece * 4;
    return true;
  }

  /// Squares of 16 neighbours in the source by 16 neighbours in the result. The
  /// neighbours in the source are of one dimension, or of several if the first
  /// ones are short.
  void findTiles() {
    if (froms[last] == 1 || sizes[last] == 1)
      return;
    int64_t count = 1;
    for (int64_t i;
         chained < highestRank && count < lanes && (i = findStride(count)) >= 0;
         ++chained) {
      chain[chained] = i;
      count *= sizes[i];
    }
    if (count < 4)
      return;
    way = Way::Tiles;
    for (int64_t i = 0; i < chained; ++i)
      isInner[chain[i]] = true;
    width = count;
    // A unit is so many whole tiles that it pays for a thread.
    piece = smaller(sizes[last], most / 8);
    parts = dividedUp(count, lanes) * dividedUp(sizes[last], piece);
    length = piece * lanes;
  }

  template <typename T>
  GLOW_INLINE void runUnit(T *to, const T *from, int64_t part) const {
    switch (way) {
    case Way::Runs:
      return runPiece(to, from, part * piece);
    case Way::ShortRuns:
      return runShort(to, from, part);
    case Way::Separated:
      return runSeparated(to, from, part * piece);
    case Way::Interleaved:
      return runInterleaved(to, from, part * piece);
    case Way::Tiles:
      return runStrip(to, from, part);
    }
  }

  /// Advances to the next row.
  template <typename T>
  GLOW_INLINE void advance(int64_t *index, T *&to, const T *&from) const {
    for (int64_t i = rank; i-- > 0;) {
      if (isInner[i])
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
  GLOW_INLINE void runShort(T *to, const T *from, int64_t part) const {
    const int64_t across = dividedUp(sizes[second], piece);
    const int64_t start = part % across * piece, top = part / across * height;
    const int64_t count = smaller(piece, sizes[second] - start);
    from += start * froms[second];
    to += start * tos[second];
    const int64_t bottom = third < 0 ? 1 : smaller(sizes[third], top + height);
    for (int64_t i = top; i < bottom; ++i)
      copyRuns(to + (third < 0 ? 0 : i * tos[third]), tos[second],
               from + (third < 0 ? 0 : i * froms[third]), froms[second], count,
               sizes[last]);
  }
  template <typename T>
  GLOW_INLINE void runSeparated(T *to, const T *from, int64_t start) const {
    const int64_t count = smaller(piece, sizes[last] - start);
    to += start, from += start * froms[last];
    const int64_t planes = sizes[second], apart = tos[second];
    if (planes == 2)
      separatePlanes<2>(to, apart, from, count);
    else if (planes == 3)
      separatePlanes<3>(to, apart, from, count);
    else
      separatePlanes<4>(to, apart, from, count);
  }
  template <typename T>
  GLOW_INLINE void runInterleaved(T *to, const T *from, int64_t start) const {
    const int64_t count = smaller(piece, sizes[second] - start);
    to += start * tos[second], from += start;
    const int64_t planes = sizes[last], apart = froms[last];
    if (planes == 2)
      interleavePlanes<2>(to, from, apart, count);
    else if (planes == 3)
      interleavePlanes<3>(to, from, apart, count);
    else
      interleavePlanes<4>(to, from, apart, count);
  }
  template <typename T>
  GLOW_INLINE void runStrip(T *to, const T *from, int64_t part) const {
    const int64_t strips = dividedUp(width, lanes);
    const int64_t start = part % strips * lanes, first = part / strips * piece;
    const int64_t some = smaller(lanes, width - start);
    const int64_t end = smaller(sizes[last], first + piece);
    Columns<T> columns;
    for (int64_t i = 0; i < some; ++i)
      columns.values[i] = to + placeOf(start + i);
    for (int64_t i = first; i < end; i += lanes) {
      columns.place = i * tos[last];
      moveTile(columns, from + start + i * froms[last], froms[last], some,
               smaller(lanes, end - i));
    }
  }
  /// Columns of a strip, at any distances.
  template <typename T> struct Columns {
    T *values[lanes];
    int64_t place = 0;
    GLOW_INLINE T *operator()(int64_t x) const { return values[x] + place; }
  };
  /// The offset in the result of a neighbour in the source.
  GLOW_INLINE int64_t placeOf(int64_t neighbour) const {
    int64_t place = 0;
    for (int64_t i = 0; i + 1 < chained; ++i) {
      place += neighbour % sizes[chain[i]] * tos[chain[i]];
      neighbour /= sizes[chain[i]];
    }
    return place + neighbour * tos[chain[chained - 1]];
  }

  Way way = Way::Runs;
  int64_t rank = 0, last = 0;
  int64_t second = -1, third = -1; ///< other inner dimensions
  int64_t chained = 0, width = 0;  ///< dimensions of `chain`, their elements
  int64_t piece = 1, height = 1;   ///< a unit's sizes along two dimensions
  int64_t parts = 1, units = 1, length = 1;
  int64_t sizes[mostRank], froms[mostRank], tos[mostRank];
  bool isInner[mostRank];
  int64_t chain[highestRank];
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

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_WALK_H
