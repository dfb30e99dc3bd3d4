//===- PackConv.cpp - filters packed for convolutions ---------------------===//
// SPDX-License-Identifier: MIT

#include "ConvSizes.h"

using namespace glow;
using namespace glow::cpu;

/// Packs one tap for tiles: `width` output channels from `firstOut` on, for the
/// pairs of input channels from `first` on, padded with zeros. Returns the
/// address after it.
static float *packPairs(const ConvSizes &c, int64_t firstOut, int64_t width,
                        int64_t first, const float *tap, float *to) {
  std::vector<float> parts[2] = {std::vector<float>(size_t(width)),
                                 std::vector<float>(size_t(width))};
  for (int64_t i = 0; i < c.lanesIn; ++i) {
    // Channels i and 16 + i of 32.
    int64_t channel = 2 * first + i;
    for (std::vector<float> &part : parts) {
      for (int64_t d = 0; d < width; ++d) {
        bool isThere = channel < c.channelsIn && firstOut + d < c.channels;
        part[size_t(d)] =
            isThere ? tap[(firstOut + d) * c.filter.out + channel * c.filter.in]
                    : 0;
      }
      channel += lanes;
    }
    packPair(c.form, parts[0], parts[1], to);
    to += packedSize(c.form, width / lanes);
  }
  return to;
}

/// The same for vectors, for the block of input channels from `first` on.
static float *packTap(const ConvSizes &c, int64_t firstOut, int64_t width,
                      int64_t first, const float *tap, float *to) {
  if (isOfTiles(c.form))
    return packPairs(c, firstOut, width, first, tap, to);
  int64_t end = std::min(first + c.lanesIn, c.perGroup);
  // In the order of the source: filters may lie at addresses that compete for
  // few lines of the cache.
  for (int64_t d = 0; d < width; ++d) {
    int64_t out = firstOut + d;
    const float *at = tap + out * c.filter.out;
    // Prefetches the block after the next: the processor does not recognise
    // lines of so many filters as a stream.
    __builtin_prefetch(at + (first + 2 * c.lanesIn) * c.filter.in, 0, 2);
    for (int64_t i = first; i < end; ++i) {
      float &packed = to[(i - first) * width + d];
      if (out >= c.channels)
        packed = 0;
      else if (c.form == WeightForm::Pairs)
        packed =
            halvesOf(at[2 * i * c.filter.in], at[(2 * i + 1) * c.filter.in]);
      else
        packed = at[i * c.filter.in];
    }
  }
  return to + (end - first) * width;
}

Packing cpu::packFilter(const ConvSizes &c, int64_t panel, unsigned buffer) {
  int64_t blocks = c.outBlocks();
  auto write = [=](const float *from, float *to) {
    from += c.filter.first;
    for (int64_t block = 0; block < blocks; block += panel)
      for (int64_t first = 0; first < c.perGroup; first += c.lanesIn)
        for (int64_t q = 0; q < c.planes; ++q)
          for (int64_t r = 0; r < c.rows; ++r)
            for (int64_t s = 0; s < c.taps; ++s)
              to = packTap(c, block * lanes,
                           std::min(panel, blocks - block) * lanes, first,
                           from + q * c.filter.plane + r * c.filter.row +
                               s * c.filter.tap,
                           to);
  };
  return {buffer, packedElements(c), write};
}

int64_t cpu::packedElements(const ConvSizes &c) {
  return packedSize(c.form, c.outBlocks()) * c.filterSize();
}

Packing cpu::packTaps(const ConvSizes &c, unsigned buffer) {
  int64_t window = c.planes * c.rows * c.taps, channels = c.channels;
  int64_t group = c.perGroup, size = c.filterSize();
  auto write = [=](const float *from, float *to) {
    for (int64_t d = 0; d < channels; ++d)
      for (int64_t k = 0; k < group; ++k)
        for (int64_t t = 0; t < window; ++t)
          to[(d / lanes * size + t * group + k) * lanes + d % lanes] = *from++;
  };
  return {buffer, c.outBlocks() * lanes * size, write};
}

Packing cpu::packBias(int64_t channels, unsigned buffer) {
  int64_t padded = (channels + lanes - 1) / lanes * lanes;
  auto write = [=](const float *from, float *to) {
    // The padding after the last channel stays 0, as the block was allocated.
    std::copy_n(from, channels, to);
  };
  return {buffer, padded, write};
}
