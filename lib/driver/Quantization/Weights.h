//===- Weights.h - constants as integers ------------------------*- C++ -*-===//

#ifndef GLOW_LIB_QUANTIZATION_WEIGHTS_H
#define GLOW_LIB_QUANTIZATION_WEIGHTS_H

#include "Calibrate.h"

namespace glow {

/// Where an element of a tensor stands along an axis.
struct AxisWalk {
  AxisWalk(const Ints &shape, int64_t axis);
  size_t at(size_t element) const { return element / inner % size; }
  size_t size = 1, inner = 1;
};

/// A constant as integers and what they mean.
struct Integers {
  std::vector<int64_t> values;
  std::vector<Parameters>
      parameters; ///< one, or one for each index of the axis

  /// What they stand for.
  std::vector<float> reals(const Ints &shape, int64_t axis) const;
};

/// Weights along an axis, or with one scale if it is negative. `least` are
/// scales that they must at least have; empty: any.
Integers quantizeWeights(std::span<const float> values, const Ints &shape,
                         int64_t axis, Scheme scheme, unsigned bits,
                         std::span<const float> least);

/// Weights in rows of `block`, which have a scale each: one that makes the
/// squares of what rounding changes least. Of few bits all integers are used,
/// and a scale is negative where the largest weight is positive, since there is
/// one integer more below zero than above. `withZeros`: a zero point that is
/// best with its scale in place of that.
Integers quantizeBlocks(std::span<const float> values, size_t block,
                        Scheme scheme, unsigned bits, bool withZeros = false);

/// As a file has them: little-endian, two of 4 bits in a byte.
std::string bytesOf(std::span<const int64_t> values, unsigned bits);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_WEIGHTS_H
