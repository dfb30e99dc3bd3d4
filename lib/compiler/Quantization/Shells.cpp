//===- Shells.cpp - histograms of magnitudes ------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/Shells.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

using namespace glow;

/// Bins of a shell begin at this multiple of their width.
static constexpr uint32_t firstBin = 64;

namespace {

/// The bin that counts a number.
struct Bin {
  explicit Bin(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const int exponent = int(bits >> 23 & 255) - 127;
    if (exponent == -127)
      return;
    // 2^exponent <= |value| < 2^(exponent + 1) <= 2^shell.
    group = (exponent + 128) / Shells::octaves;
    shell = (group + 1) * Shells::octaves - 128;
    const uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
    bin = (mantissa >> (13 + shell - exponent)) - firstBin +
          (bits >> 31 ? uint32_t(Shells::bins) : 0);
  }
  int group = -1; ///< number of the shell; -1: zero, or nearer than any scale
  int shell = 0;
  uint32_t bin = 0;
};

} // namespace

void Shells::add(std::span<const float> values) {
  std::array<uint64_t *, 64> known = {};
  for (float value : values) {
    const Bin place(value);
    if (place.group < 0) {
      ++zeroCount;
      continue;
    }
    uint64_t *&counts = known[size_t(place.group)];
    if (!counts)
      counts = countsOf(place.shell).data();
    ++counts[place.bin];
  }
}

void Shells::add(const Histogram &histogram) {
  for (size_t i = 0; i < histogram.counts().size(); ++i) {
    const Bin place(float(histogram.middle(i)));
    uint64_t &count =
        place.group < 0 ? zeroCount : countsOf(place.shell)[place.bin];
    count += histogram.counts()[i];
  }
}

std::vector<uint64_t> &Shells::countsOf(int shell) {
  std::vector<uint64_t> &own = shells[shell];
  own.resize(size_t(2 * bins));
  return own;
}

void Shells::add(const Shells &other) {
  zeroCount += other.zeroCount;
  for (const auto &[shell, counts] : other.shells) {
    std::vector<uint64_t> &own = shells[shell];
    own.resize(counts.size());
    for (size_t i = 0; i < counts.size(); ++i)
      own[i] += counts[i];
  }
}

void Shells::forEach(
    const std::function<void(double, double, bool, uint64_t)> &use) const {
  for (const auto &[shell, counts] : shells) {
    const double width = std::ldexp(1.0, shell - 10);
    for (size_t i = 0; i < counts.size(); ++i)
      if (counts[i]) {
        const double from = (firstBin + double(i % bins)) * width;
        use(from, from + width, i >= size_t(bins), counts[i]);
      }
  }
}

double Shells::magnitude(double share) const {
  uint64_t all = 0;
  forEach([&](double, double, bool, uint64_t count) { all += count; });
  const double wanted = share * double(all);
  double below = 0;
  for (const auto &[shell, counts] : shells)
    for (size_t i = 0; i < size_t(bins); ++i) {
      below += double(counts[i] + counts[i + bins]);
      if (below > 0 && below >= wanted)
        return (firstBin + double(i + 1)) * std::ldexp(1.0, shell - 10);
    }
  return 0;
}
