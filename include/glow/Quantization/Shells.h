//===- Shells.h - how often magnitudes occur --------------------*- C++ -*-===//

#ifndef GLOW_QUANTIZATION_SHELLS_H
#define GLOW_QUANTIZATION_SHELLS_H

#include "glow/Quantization/Histogram.h"
#include <functional>
#include <map>

namespace glow {

/// Counts of real numbers in bins whose width grows with the magnitude. Shell
/// k, a multiple of 4, has magnitudes from 2^(k-4) to 2^k in bins of 2^(k-10),
/// first those of positive numbers and then those of negative ones. Zeros have
/// a count of their own. Counts of the same numbers are the same, in whatever
/// order and parts those came.
class Shells {
public:
  static constexpr int octaves = 4, bins = 960; ///< each sign of a shell

  /// Numbers that are finite.
  void add(std::span<const float> values);
  void add(const Shells &other);

  /// The numbers of a histogram, as though each were in the middle of its bin.
  void add(const Histogram &histogram);

  Shells() = default;

  /// Copies `counts()` and `zeros()` of another; each shell has 2 * bins counts.
  Shells(std::map<int, std::vector<uint64_t>> counts, uint64_t zeros)
      : shells(std::move(counts)), zeroCount(zeros) {}

  bool empty() const { return shells.empty() && zeroCount == 0; }
  uint64_t zeros() const { return zeroCount; }
  const std::map<int, std::vector<uint64_t>> &counts() const { return shells; }

  /// The magnitude that a share of all numbers other than zero, 0 to 1, is not
  /// above: the end of a bin. 0 if there are none.
  double magnitude(double share) const;

  /// Calls `use` with the magnitudes at which each bin that is not empty begins
  /// and ends, whether its numbers are negative, and how many there are.
  void
  forEach(const std::function<void(double, double, bool, uint64_t)> &use) const;

private:
  std::vector<uint64_t> &countsOf(int shell);

  std::map<int, std::vector<uint64_t>> shells;
  uint64_t zeroCount = 0;
};

} // namespace glow

#endif // GLOW_QUANTIZATION_SHELLS_H
