//===- Statistics.cpp - what a profile reports about layers ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/GraphQuantization.h"
#include <algorithm>

using namespace glow;

/// Channels whose range is many times the median range.
static std::vector<int64_t> outliersOf(const ValueProfile &value) {
  std::vector<float> sizes, sorted;
  for (const ChannelRange &channel : value.channels)
    sizes.push_back(std::max(-channel.low, channel.high));
  sorted = sizes;
  std::ranges::sort(sorted);
  std::vector<int64_t> outliers;
  constexpr float times = 8;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] > times * sorted[sorted.size() / 2])
      outliers.push_back(int64_t(i));
  return outliers;
}

void glow::addStatistics(GraphLayer &layer, const ValueProfile &value,
                         const QuantizeOptions &options) {
  if (options.activationBits == 0)
    return;
  const Range range = rangeOf(value, options, options.activationBits);
  const double outside = double(value.histogram.outside(range.low, range.high));
  layer.clipped = std::max(layer.clipped, outside / double(value.count));
  const std::vector<int64_t> outliers = outliersOf(value);
  layer.outliers.insert(layer.outliers.end(), outliers.begin(), outliers.end());
}

bool glow::isZero(const ValueProfile &value) {
  return value.low == 0 && value.high == 0;
}

std::string glow::zeroRemark(const std::string &name,
                             const ValueProfile &value) {
  return "all " + std::to_string(value.count) + " elements of '" + name +
         "' are 0; its scale is 1";
}
