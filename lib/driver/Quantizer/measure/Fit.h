//===- Fit.h - rounding that makes up for rounding --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MEASURE_FIT_H
#define GLOW_LIB_QUANTIZER_MEASURE_FIT_H

#include "insert/Insert.h"

namespace glow {

/// The moments of the left matrix of a product: for each pair of columns the
/// sum of their products over all rows of all runs.
struct Moments {
  size_t columns = 0;
  double rows = 0;
  std::vector<double> sums; ///< [columns][columns]
};

/// Quantizes the columns of a matrix in rows of `block`, in the form of
/// `quantizeBlocks`, so that the squared error of the product's result is
/// small. `values` has the columns one after the other, each padded with zeros
/// to whole blocks. Codes are updated one by one, each to the best integer
/// given the other codes. Then each scale is updated to the best number for its
/// codes (Behdin et al., QuantEase, 2023). Blocks have zero points in
/// Scheme::Asymmetric.
Integers fitBlocks(std::span<const float> values, size_t block, Scheme scheme,
                   unsigned bits, const Moments &moments, unsigned threads);

/// Fits the block weights of all layers to the inputs of the runs. The runs are
/// repeated for groups of layers, each as large as memory allows.
Status fitWeights(Source &source, const ForEachRun &runs,
                  const QuantizationRun &run);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MEASURE_FIT_H
