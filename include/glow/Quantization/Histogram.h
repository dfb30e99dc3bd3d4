//===- Histogram.h - histograms of values -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_HISTOGRAM_H
#define GLOW_QUANTIZATION_HISTOGRAM_H

#include <cstdint>
#include <span>
#include <vector>

namespace glow {

/// Counts of real numbers in bins of width 2^exponent, the first of which
/// begins at a multiple of the width. The width is the smallest at which
/// `mostBins` cover all numbers, so they fill more than half of the bins. The
/// width grows by joining pairs of neighbours, so that a number stays in its
/// bin. Therefore histograms of the same numbers are equal, in whatever order
/// and parts the numbers came.
class Histogram {
public:
  static constexpr int64_t mostBins = 4096;

  Histogram() = default;

  /// Restores a histogram from the accessors of another one.
  Histogram(int exponent, int64_t first, std::vector<uint64_t> counts)
      : theExponent(exponent), theFirst(first), theCounts(std::move(counts)) {}

  /// Adds numbers, which must be finite.
  void add(std::span<const float> values);
  void add(const Histogram &other);

  int exponent() const { return theExponent; }
  int64_t first() const { return theFirst; }
  const std::vector<uint64_t> &counts() const { return theCounts; }

  double width() const;
  double middle(size_t bin) const; ///< of a bin
  uint64_t total() const;

  /// A quantile, for a share from 0 to 1, interpolated within its bin.
  double quantile(double share) const;

  /// Number of values outside the range, in whole bins.
  uint64_t outside(double low, double high) const;

private:
  void cover(double low, double high);
  void widenTo(int exponent);
  int64_t binOf(double value) const;
  void grow(int64_t first, int64_t last);

  int theExponent = 0;
  int64_t theFirst = 0;
  std::vector<uint64_t> theCounts; ///< empty: no number yet
};

} // namespace glow

#endif // GLOW_QUANTIZATION_HISTOGRAM_H
