//===- Histogram.h - how often values occur ---------------------*- C++ -*-===//

#ifndef GLOW_QUANTIZATION_HISTOGRAM_H
#define GLOW_QUANTIZATION_HISTOGRAM_H

#include <cstdint>
#include <span>
#include <vector>

namespace glow {

/// Counts of real numbers in bins that are all 2^exponent wide, the first of
/// which begins at a multiple of that. The width is the smallest at which
/// `mostBins` cover all numbers, so that they fill more than half of the bins;
/// it grows by joining two neighbours, which moves no number into another's
/// bin. So histograms of the same numbers are the same, in whatever order and
/// parts those came.
class Histogram {
public:
  static constexpr int64_t mostBins = 4096;

  Histogram() = default;

  /// From what another gave.
  Histogram(int exponent, int64_t first, std::vector<uint64_t> counts)
      : theExponent(exponent), theFirst(first), theCounts(std::move(counts)) {}

  /// Numbers that are finite.
  void add(std::span<const float> values);
  void add(const Histogram &other);

  int exponent() const { return theExponent; }
  int64_t first() const { return theFirst; }
  const std::vector<uint64_t> &counts() const { return theCounts; }

  double width() const;
  double middle(size_t bin) const; ///< of a bin
  uint64_t total() const;

  /// The number that a share of all, 0 to 1, is not above; within a bin.
  double quantile(double share) const;

  /// How many lie outside, in whole bins.
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
