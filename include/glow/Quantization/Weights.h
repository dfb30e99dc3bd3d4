//===- Weights.h - constants as integers ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_WEIGHTS_H
#define GLOW_QUANTIZATION_WEIGHTS_H

#include "glow/Quantization/Calibrate.h"

namespace glow {

/// The index of each element of a tensor along an axis.
struct AxisWalk {
  AxisWalk(const Ints &shape, int64_t axis);
  size_t at(size_t element) const { return element / inner % size; }
  size_t size = 1, inner = 1;
};

/// A constant as integers, with their parameters.
struct Integers {
  std::vector<int64_t> values;
  std::vector<Parameters>
      parameters; ///< by axis index, or for the whole tensor

  /// The real numbers that the integers represent.
  std::vector<float> reals(const Ints &shape, int64_t axis) const;
};

/// The addend of a product, as 32 bits with the scales of the product.
struct ProductBias {
  std::span<const float> values = {};
  float input = 1; ///< scale of the other factor

  /// The integers for weights of one scale, or of a scale for each element.
  Integers quantized(std::span<const Parameters> weights) const;

  /// The least scales of weights for which the integers fit, for so many
  /// scales.
  std::vector<float> leastScales(size_t count) const;
};

/// Quantizes weights with a scale for each index of an axis, or with a single
/// scale if the axis is negative. Scales are so large that the bias fits into
/// 32 bits.
Integers quantizeWeights(std::span<const float> values, const Ints &shape,
                         int64_t axis, Scheme scheme, unsigned bits,
                         const ProductBias &bias = {});

/// Quantizes weights in rows of `block`, each with the scale of least squared
/// error. With few bits all integers are used. A scale is then negative if the
/// largest weight is positive, since there is one more integer below zero than
/// above. `withZeros` instead adds the best zero point for each row.
Integers quantizeBlocks(std::span<const float> values, size_t block,
                        Scheme scheme, unsigned bits, bool withZeros = false);

/// The bytes of a file: little-endian, two integers of 4 bits in a byte.
std::string bytesOf(std::span<const int64_t> values, unsigned bits);

} // namespace glow

#endif // GLOW_QUANTIZATION_WEIGHTS_H
