//===- Calibrate.h - from a range to integers -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_CALIBRATE_H
#define GLOW_QUANTIZATION_CALIBRATE_H

#include "glow/Quantization/Options.h"
#include "glow/Quantization/Profile.h"

namespace glow {

struct Range {
  double low = 0, high = 0;
};

/// Whether a float scale is precise enough for the numbers. Beyond 1e30 are the
/// infinities of masks, or substitutes for them.
bool hasScale(std::span<const float> values);

/// The range used for a value; it includes 0.
Range rangeOf(const ValueProfile &value, const QuantizeOptions &options,
              unsigned bits);

/// A mapping of real numbers to integers: (q - zero) * scale, where q has
/// `bits`.
struct Parameters {
  float scale = 1;
  int64_t zero = 0;
  unsigned bits = 8;
  bool isSigned = true;

  ElementKind kind() const; ///< of the integers
  int64_t lowest() const;
  int64_t highest() const;
  int64_t quantized(double value) const; ///< nearest, ties to even, in bounds
  bool clips(float value) const; ///< whether it is outside of these bounds
};

Parameters parametersOf(Range range, Scheme scheme, unsigned bits);

/// The parameters of weights within +-largest: symmetric, without the lowest
/// integer.
Parameters symmetricParameters(double largest, Scheme scheme, unsigned bits);

} // namespace glow

#endif // GLOW_QUANTIZATION_CALIBRATE_H
