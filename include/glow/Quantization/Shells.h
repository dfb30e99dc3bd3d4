//===- Shells.h - histograms of magnitudes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_SHELLS_H
#define GLOW_QUANTIZATION_SHELLS_H

#include "glow/Quantization/Histogram.h"
#include <functional>
#include <map>

namespace glow {

/// Counts of real numbers in bins whose width grows with the magnitude. Shell
/// k, a multiple of 4, has magnitudes from 2^(k-4) to 2^k in bins of 2^(k-10):
/// first the bins of positive numbers, then those of negative ones. Zeros have
/// a separate count. Counts of the same numbers are equal, in whatever order
/// and parts the numbers came.
class Shells {
public:
  static constexpr int octaves = 4, bins = 960; ///< for each sign of a shell

  /// Adds numbers, which must be finite.
  void add(std::span<const float> values);
  void add(const Shells &other);

  /// Adds the numbers of a histogram, as if each were in the middle of its bin.
  void add(const Histogram &histogram);

  Shells() = default;

  /// Copies `counts()` and `zeros()` of another; each shell has 2 * bins
  /// counts.
  Shells(std::map<int, std::vector<uint64_t>> counts, uint64_t zeros)
      : shells(std::move(counts)), zeroCount(zeros) {}

  bool empty() const { return shells.empty() && zeroCount == 0; }
  uint64_t zeros() const { return zeroCount; }
  const std::map<int, std::vector<uint64_t>> &counts() const { return shells; }

  /// The quantile of the magnitudes of all numbers except zero, for a share
  /// from 0 to 1: the end of a bin. 0 if there are none.
  double magnitude(double share) const;

  /// Calls `use` for each bin that is not empty: the magnitudes at its ends,
  /// whether its numbers are negative, and their count.
  void
  forEach(const std::function<void(double, double, bool, uint64_t)> &use) const;

private:
  std::vector<uint64_t> &countsOf(int shell);

  std::map<int, std::vector<uint64_t>> shells;
  uint64_t zeroCount = 0;
};

} // namespace glow

#endif // GLOW_QUANTIZATION_SHELLS_H
