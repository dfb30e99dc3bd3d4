//===- FitBlocks.h - rounding that makes up for rounding --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_FITBLOCKS_H
#define GLOW_QUANTIZATION_FITBLOCKS_H

#include "glow/Quantization/Weights.h"

namespace glow {

/// The moments of the left matrix of a product: for each pair of columns the
/// sum of their products over all rows of all runs.
struct Moments {
  size_t columns = 0;
  double rows = 0;
  std::vector<double> sums; ///< [columns][columns]

  /// Adds rows, which lie one after the other.
  void add(std::span<const float> values, unsigned threads);
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

/// The columns of a matrix of `rows` rows one after the other, each padded with
/// zeros to whole blocks.
std::vector<float> columnsOf(std::span<const float> matrix, size_t rows,
                             size_t block);

/// Integers as codes of `bits`, which begin at 0.
std::vector<int64_t> codesOf(std::span<const int64_t> integers, unsigned bits);

} // namespace glow

#endif // GLOW_QUANTIZATION_FITBLOCKS_H
