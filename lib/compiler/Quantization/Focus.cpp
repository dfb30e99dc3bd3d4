//===- Focus.cpp - a histogram of most numbers ----------------------------===//
// SPDX-License-Identifier: MIT
//
// A single outlier of 1e6 among numbers of 1 makes bins so wide that all other
// numbers share one bin. Other bins count the same numbers by magnitude, and
// the histogram is then built from these.
//
//===----------------------------------------------------------------------===//

#include "Focus.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace glow;

/// Distributes the count of a bin of magnitudes over the bins that it covers,
/// which are at most as wide.
static void spread(std::vector<uint64_t> &counts, int64_t begin, int64_t end,
                   uint64_t count) {
  end = std::max(end, begin + 1);
  const auto most = int64_t(counts.size()) - 1;
  const auto share = count / uint64_t(end - begin);
  uint64_t rest = count % uint64_t(end - begin);
  for (int64_t bin = begin; bin < end; ++bin) {
    const uint64_t own = share + (rest ? 1 : 0);
    rest -= rest ? 1 : 0;
    counts[size_t(std::clamp<int64_t>(bin, 0, most))] += own;
  }
}

Focus glow::focusOf(const ValueProfile &value) {
  constexpr double most = 0.999, times = 4;
  const double largest =
      std::max(std::abs(double(value.low)), std::abs(double(value.high)));
  const double limit = times * value.shells.magnitude(most);
  if (limit == 0 || limit >= largest)
    return {value.histogram, std::numeric_limits<double>::infinity()};
  // As many bins as a histogram has on both sides of zero.
  const int exponent = std::ilogb(limit) - 10;
  const auto half = int64_t(std::ceil(std::ldexp(limit, -exponent)));
  std::vector<uint64_t> counts(size_t(2 * half));
  counts[size_t(half)] = value.shells.zeros();
  value.shells.forEach(
      [&](double from, double to, bool isNegative, uint64_t count) {
        const double a = std::min(from, limit), b = std::min(to, limit);
        int64_t begin =
            int64_t(std::floor(std::ldexp(isNegative ? -b : a, -exponent)));
        int64_t end =
            int64_t(std::floor(std::ldexp(isNegative ? -a : b, -exponent)));
        if (from >= limit)
          begin = isNegative ? -half : half - 1, end = begin + 1;
        spread(counts, begin + half, end + half, count);
      });
  return {Histogram(exponent, -half, std::move(counts)), limit};
}
