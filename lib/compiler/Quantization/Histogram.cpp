//===- Histogram.cpp - histograms of values -------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/Histogram.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace glow;

/// The exponent of the narrowest bins: bins of nearly equal numbers are not
/// narrower than the spacing of floats.
static int narrowest(double largest) {
  return largest > 0 ? std::ilogb(largest) - 24 : -149;
}

double Histogram::width() const { return std::ldexp(1.0, theExponent); }

double Histogram::middle(size_t bin) const {
  return (double(theFirst) + double(bin) + 0.5) * width();
}

uint64_t Histogram::total() const {
  return std::accumulate(theCounts.begin(), theCounts.end(), uint64_t(0));
}

int64_t Histogram::binOf(double value) const {
  return int64_t(std::floor(std::ldexp(value, -theExponent)));
}

/// Joins bins until they have this width.
void Histogram::widenTo(int exponent) {
  const int shift = exponent - theExponent;
  if (shift <= 0)
    return;
  std::vector<uint64_t> joined;
  const auto moved = [&](int64_t bin) {
    return shift > 62 ? (bin < 0 ? int64_t(-1) : int64_t(0)) : bin >> shift;
  };
  const int64_t first = moved(theFirst);
  for (size_t i = 0; i < theCounts.size(); ++i) {
    size_t at = size_t(moved(theFirst + int64_t(i)) - first);
    joined.resize(std::max(joined.size(), at + 1));
    joined[at] += theCounts[i];
  }
  theExponent = exponent, theFirst = first;
  theCounts = std::move(joined);
}

/// Adds empty bins at the ends.
void Histogram::grow(int64_t first, int64_t last) {
  if (theCounts.empty())
    theFirst = first;
  if (first < theFirst) {
    theCounts.insert(theCounts.begin(), size_t(theFirst - first), 0);
    theFirst = first;
  }
  if (last - theFirst >= int64_t(theCounts.size()))
    theCounts.resize(size_t(last - theFirst + 1));
}

void Histogram::cover(double low, double high) {
  const int least = narrowest(std::max(std::abs(low), std::abs(high)));
  if (theCounts.empty())
    theExponent = least;
  widenTo(least);
  auto needed = [&] {
    int64_t first = binOf(low), last = binOf(high);
    if (!theCounts.empty()) {
      first = std::min(first, theFirst);
      last = std::max(last, theFirst + int64_t(theCounts.size()) - 1);
    }
    return std::pair(first, last);
  };
  while (needed().second - needed().first >= mostBins) {
    if (theCounts.empty())
      ++theExponent;
    else
      widenTo(theExponent + 1);
  }
  auto [first, last] = needed();
  grow(first, last);
}

void Histogram::add(std::span<const float> values) {
  if (values.empty())
    return;
  auto [low, high] = std::ranges::minmax(values);
  cover(double(low), double(high));
  const float scale = float(std::ldexp(1.0, -theExponent));
  const bool isExact = std::isnormal(scale);
  for (float value : values)
    ++theCounts[size_t(
        (isExact ? int64_t(std::floor(value * scale)) : binOf(double(value))) -
        theFirst)];
}

void Histogram::add(const Histogram &other) {
  if (other.theCounts.empty())
    return;
  Histogram more = other;
  if (theCounts.empty()) {
    *this = std::move(more);
    return;
  }
  widenTo(more.theExponent);
  more.widenTo(theExponent);
  const auto last = [&](const Histogram &one) {
    return one.theFirst + int64_t(one.theCounts.size()) - 1;
  };
  while (std::max(last(*this), last(more)) -
             std::min(theFirst, more.theFirst) >=
         mostBins) {
    widenTo(theExponent + 1);
    more.widenTo(theExponent);
  }
  grow(std::min(theFirst, more.theFirst), std::max(last(*this), last(more)));
  for (size_t i = 0; i < more.theCounts.size(); ++i)
    theCounts[size_t(more.theFirst - theFirst) + i] += more.theCounts[i];
}

double Histogram::quantile(double share) const {
  const double wanted = share * double(total());
  double below = 0;
  for (size_t i = 0; i < theCounts.size(); ++i) {
    double count = double(theCounts[i]);
    if (count > 0 && below + count >= wanted)
      return (double(theFirst) + double(i) + (wanted - below) / count) *
             width();
    below += count;
  }
  return (double(theFirst) + double(theCounts.size())) * width();
}

uint64_t Histogram::outside(double low, double high) const {
  uint64_t count = 0;
  for (size_t i = 0; i < theCounts.size(); ++i) {
    const double begin = (double(theFirst) + double(i)) * width();
    if (begin + width() <= low || begin > high)
      count += theCounts[i];
  }
  return count;
}
