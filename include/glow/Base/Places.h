//===- Places.h - elements at coordinates of several axes -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Addressing of elements by several coordinates. A negative coordinate counts
// from the end. Compiled into kernels that have no C++ library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_PLACES_H
#define GLOW_BASE_PLACES_H

#include <stdint.h>

namespace glow::places {

/// Index of the slice at `count` coordinates in `dims`, where `first` is the
/// slice index of the leading dimensions. Returns -1 if a coordinate is out of
/// range.
template <typename I>
int64_t sliceAt(const I *coordinates, int64_t count, const int64_t *dims,
                int64_t first = 0) {
  int64_t at = first;
  for (int64_t j = 0; j < count; ++j) {
    int64_t index = int64_t(coordinates[j]);
    index += index < 0 ? dims[j] : 0;
    if (index < 0 || index >= dims[j])
      return -1;
    at = at * dims[j] + index;
  }
  return at;
}

inline int64_t product(const int64_t *sizes, int64_t count) {
  int64_t result = 1;
  for (int64_t i = 0; i < count; ++i)
    result *= sizes[i];
  return result;
}

/// The operands of gather_nd: rows of coordinates, each for a slice of `length`
/// elements, with `batches` leading batches.
struct Gathered {
  int64_t rows, coordinates, length, batches;
  const int64_t *dims; ///< the dimensions that the coordinates index

  Gathered(const int64_t *in, int64_t rank, const int64_t *indices,
           int64_t indexRank, int64_t batch)
      : rows(product(indices, indexRank - 1)),
        coordinates(indices[indexRank - 1]),
        length(product(in + batch + coordinates, rank - batch - coordinates)),
        batches(product(indices, batch)), dims(in + batch) {}

  /// Index of the slice of a row, or -1.
  template <typename I> int64_t slice(const I *indices, int64_t row) const {
    // Without batches, a row costs no division.
    int64_t batch = batches == 1 ? 0 : row / (rows / batches);
    return sliceAt(indices + row * coordinates, coordinates, dims, batch);
  }
};

} // namespace glow::places

#endif // GLOW_BASE_PLACES_H
