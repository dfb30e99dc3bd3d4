//===- Channels.cpp - arithmetic on channels of products ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/Channels.h"
#include <algorithm>
#include <cmath>

using namespace glow;

std::vector<size_t> glow::channelsRead(const Ints &shape, int64_t axis,
                                       size_t channels) {
  const int64_t in = axis > 1 ? axis - 1 : axis ^ 1;
  if (axis < 0 || in >= int64_t(shape.size()) || shape[size_t(in)] == 0)
    return {};
  const AxisWalk outer(shape, axis), inner(shape, in);
  const size_t groups = channels / inner.size;
  if (groups * inner.size != channels || groups == 0 || outer.size % groups ||
      (groups > 1 && axis != 0))
    return {};
  size_t count = 1;
  for (int64_t size : shape)
    count *= size_t(size);
  std::vector<size_t> read(count);
  for (size_t i = 0; i < count; ++i)
    read[i] = outer.at(i) / (outer.size / groups) * inner.size + inner.at(i);
  return read;
}

std::vector<float> glow::balancingFactors(std::span<const float> first,
                                          const AxisWalk &walk,
                                          std::span<const float> second,
                                          std::span<const size_t> read) {
  std::vector<float> r1(walk.size), r2(walk.size), factors(walk.size, 1);
  for (size_t i = 0; i < first.size(); ++i)
    r1[walk.at(i)] = std::max(r1[walk.at(i)], std::abs(first[i]));
  for (size_t i = 0; i < second.size(); ++i)
    r2[read[i]] = std::max(r2[read[i]], std::abs(second[i]));
  for (size_t i = 0; i < walk.size; ++i)
    if (r1[i] > 0 && r2[i] > 0)
      factors[i] = std::clamp(std::sqrt(r1[i] / r2[i]), 1e-3f, 1e3f);
  return factors;
}

void glow::divideChannels(ValueProfile &value, std::span<const float> factors,
                          const std::vector<ChannelRange> &other) {
  if (value.channels.size() != factors.size())
    value.channels = other;
  value.low = value.high = 0;
  for (size_t i = 0; i < factors.size(); ++i) {
    ChannelRange &channel = value.channels[i];
    channel = {channel.low / factors[i], channel.high / factors[i],
               channel.sum / double(factors[i])};
    value.low = std::min(value.low, channel.low);
    value.high = std::max(value.high, channel.high);
  }
  value.histogram = Histogram();
}

std::vector<float> glow::correctedAddend(std::vector<float> addend,
                                         std::span<const float> weights,
                                         std::span<const float> rounded,
                                         const Ints &shape, int64_t axis,
                                         const ValueProfile &input) {
  const size_t channels = input.channels.size();
  const std::vector<size_t> read = channelsRead(shape, axis, channels);
  if (read.empty() || shape[size_t(axis)] != int64_t(addend.size()))
    return addend;
  const AxisWalk outer(shape, axis);
  const double count = double(input.count) / double(channels);
  for (size_t i = 0; i < read.size(); ++i)
    addend[outer.at(i)] -= float(double(rounded[i] - weights[i]) *
                                 input.channels[read[i]].sum / count);
  return addend;
}
