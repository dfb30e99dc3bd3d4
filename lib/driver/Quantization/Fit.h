//===- Fit.h - rounding that makes up for rounding --------------*- C++ -*-===//

#ifndef GLOW_LIB_QUANTIZATION_FIT_H
#define GLOW_LIB_QUANTIZATION_FIT_H

#include "Insert.h"

namespace glow {

/// Of the matrix on the left of a product: for each pair of columns the sum of
/// their products over all rows of all runs.
struct Moments {
  size_t columns = 0;
  double rows = 0;
  std::vector<double> sums; ///< [columns][columns]
};

/// Weights of columns of a matrix in rows of `block`, as `quantizeBlocks` has
/// them, that change the squares of the product's result least: `values` has
/// the columns one after the other, each filled up with zeros to whole blocks.
/// One code after the other takes the integer that is best for those that the
/// others have, then each scale the number that is best for its codes (Behdin
/// et al., QuantEase, 2023). Blocks have zero points in Scheme::Asymmetric.
Integers fitBlocks(std::span<const float> values, size_t block, Scheme scheme,
                   unsigned bits, const Moments &moments, unsigned threads);

/// Fits the weights in blocks of all layers to the inputs of the runs, which
/// are gone through again for as many layers as memory has a place for.
Status fitWeights(Source &source, const ForEachRun &runs,
                  const QuantizationRun &run);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_FIT_H
