//===- Focus.h - a histogram of most numbers --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_FOCUS_H
#define GLOW_LIB_QUANTIZATION_FOCUS_H

#include "glow/Quantization/Profile.h"

namespace glow {

/// The histogram of a value without the influence of a few outliers, which
/// count as though they were at +-limit.
struct Focus {
  Histogram histogram;
  double limit; ///< infinite if no number is so far
};

/// `limit` is four times the magnitude that one in a thousand numbers exceeds;
/// zeros are excluded.
Focus focusOf(const ValueProfile &value);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_FOCUS_H
