//===- Options.h - choices of a quantization --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_OPTIONS_H
#define GLOW_QUANTIZATION_OPTIONS_H

#include <functional>
#include <string>

namespace glow {

/// Mapping of a range to integers. Weights are symmetric in all schemes.
enum class Scheme {
  Asymmetric,     ///< unsigned, from the smallest to the largest
  Symmetric,      ///< signed, zero point 0
  SymmetricUint8, ///< unsigned where nothing is negative, else as Symmetric
  PowerOfTwo      ///< as Symmetric, with a power of two as the scale
};

/// Choice of a range from a histogram.
enum class RangeChoice {
  MinMax,
  Percentile, ///< drops a share of the numbers at both ends
  Entropy,    ///< least divergence (Kullback, Leibler) of the two histograms
  MeanSquare  ///< least mean square error of rounding and clipping
};

/// A user's request for a node that may be integers.
enum class Wish { None, Integers, Floats };

struct QuantizeOptions {
  Scheme scheme = Scheme::Asymmetric;
  RangeChoice calibration = RangeChoice::MinMax;
  double percentile = 99.99;
  unsigned activationBits = 8; ///< 8, 16, or 0: they stay floats
  unsigned weightBits = 8;     ///< 4, 8 or 16
  unsigned biasBits = 32;      ///< 8, or 32 with the scale of the product
  bool perChannel = true;      ///< separate scales for the channels of weights
  unsigned block = 0; ///< weights of a product's column that share a scale;
                      ///< 0: the whole column, as `perChannel`
  bool equalize = false, correctBias = false;

  /// The request for a node, by its name and operator; empty: no requests.
  std::function<Wish(const std::string &, const std::string &)> wish;
};

} // namespace glow

#endif // GLOW_QUANTIZATION_OPTIONS_H
