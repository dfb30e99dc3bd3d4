//===- Weights.cpp - constants as integers --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/Weights.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace glow;

AxisWalk::AxisWalk(const Ints &shape, int64_t axis) {
  if (axis < 0)
    return;
  size = size_t(shape[size_t(axis)]);
  for (size_t i = size_t(axis) + 1; i < shape.size(); ++i)
    inner *= size_t(shape[i]);
}

std::vector<float> Integers::reals(const Ints &shape, int64_t axis) const {
  const AxisWalk walk(shape, parameters.size() > 1 ? axis : -1);
  std::vector<float> reals;
  for (size_t i = 0; i < values.size(); ++i) {
    const Parameters &own = parameters[walk.at(i)];
    reals.push_back(float(values[i] - own.zero) * own.scale);
  }
  return reals;
}

/// Shrinks the range of each channel to the fraction with the least squared
/// error. With few bits, a finer step outweighs clipping the largest weights.
static void shrink(std::vector<double> &largest, std::span<const float> values,
                   const AxisWalk &walk, Scheme scheme, unsigned bits) {
  constexpr int parts = 20;
  std::vector<double> best(walk.size, std::numeric_limits<double>::infinity());
  const std::vector<double> whole = largest;
  for (int part = parts; part >= parts / 2; --part) {
    std::vector<Parameters> tried;
    std::vector<double> squares(walk.size);
    for (double range : whole)
      tried.push_back(symmetricParameters(range * part / parts, scheme, bits));
    for (size_t i = 0; i < values.size(); ++i) {
      const Parameters &own = tried[walk.at(i)];
      const double value = double(values[i]);
      const double real = double(own.quantized(value)) * double(own.scale);
      squares[walk.at(i)] += (value - real) * (value - real);
    }
    for (size_t i = 0; i < walk.size; ++i)
      if (squares[i] < best[i])
        best[i] = squares[i], largest[i] = whole[i] * part / parts;
  }
}

std::vector<float> ProductBias::leastScales(size_t count) const {
  constexpr float most = 1 << 30;
  std::vector<float> scales(count);
  for (size_t i = 0; i < values.size(); ++i) {
    const float least = std::abs(values[i]) / (input * most);
    if (values.size() == count)
      scales[i] = least;
    else
      for (float &scale : scales)
        scale = std::max(scale, least);
  }
  return scales;
}

Integers ProductBias::quantized(std::span<const Parameters> weights) const {
  Integers made;
  for (const Parameters &own : weights)
    made.parameters.push_back({own.scale * input, 0, 32, true});
  for (size_t i = 0; i < values.size(); ++i)
    made.values.push_back(
        made.parameters[weights.size() == 1 ? 0 : i].quantized(
            double(values[i])));
  return made;
}

Integers glow::quantizeWeights(std::span<const float> values, const Ints &shape,
                               int64_t axis, Scheme scheme, unsigned bits,
                               const ProductBias &bias) {
  const AxisWalk walk(shape, axis);
  const std::vector<float> least = bias.leastScales(walk.size);
  std::vector<double> largest(walk.size);
  for (size_t i = 0; i < values.size(); ++i)
    largest[walk.at(i)] =
        std::max(largest[walk.at(i)], std::abs(double(values[i])));
  if (bits < 8)
    shrink(largest, values, walk, scheme, bits);
  Integers made;
  for (size_t i = 0; i < walk.size; ++i) {
    made.parameters.push_back(symmetricParameters(largest[i], scheme, bits));
    float &scale = made.parameters.back().scale;
    scale = std::max(scale, least[i]);
    if (scheme == Scheme::PowerOfTwo)
      scale = std::exp2(std::ceil(std::log2(scale)));
  }
  for (size_t i = 0; i < values.size(); ++i)
    made.values.push_back(
        made.parameters[walk.at(i)].quantized(double(values[i])));
  return made;
}

/// The sum of squared errors by rounding.
static double squaresOf(std::span<const float> row, const Parameters &own) {
  double squares = 0;
  for (float value : row) {
    const int64_t steps = own.quantized(double(value)) - own.zero;
    const double change = double(value) - double(steps) * double(own.scale);
    squares += change * change;
  }
  return squares;
}

namespace {

/// The best parameters tried so far.
struct Best {
  std::span<const float> row;
  Parameters parameters;
  double least = std::numeric_limits<double>::infinity();

  void consider(double scale, double zero, unsigned bits) {
    Parameters tried;
    tried.bits = bits, tried.scale = float(scale);
    if (!std::isnormal(tried.scale))
      return;
    tried.zero = int64_t(std::clamp(
        std::nearbyint(zero), double(tried.lowest()), double(tried.highest())));
    const double squares = squaresOf(row, tried);
    if (squares < least)
      least = squares, parameters = tried;
  }
};

} // namespace

/// The scale with the least squared error for a few weights.
static Parameters bestScale(std::span<const float> row, unsigned bits) {
  const double most = std::ldexp(1.0, int(bits) - 1);
  double largest = 0;
  for (float value : row)
    largest = std::max(largest, std::abs(double(value)));
  Best best{row, {}};
  best.parameters.bits = bits;
  // From ranges larger than the actual one, where the largest weight is no
  // integer, down to half of it.
  constexpr int parts = 32, from = 16, to = 36;
  for (int part = from; part <= to; ++part)
    for (double sign : {1.0, -1.0})
      best.consider(sign * largest * part / parts / most, 0, bits);
  return best.parameters;
}

/// The scale and the zero point; both ends of the range, extended to 0, may be
/// clipped.
static Parameters bestRange(std::span<const float> row, unsigned bits) {
  const auto [least, most] = std::ranges::minmax(row);
  const double low = std::min(0.0, double(least)),
               high = std::max(0.0, double(most)),
               steps = std::ldexp(1.0, int(bits)) - 1;
  Best best{row, {}};
  best.parameters.bits = bits;
  constexpr int parts = 20, from = 14, to = 21;
  for (int below = from; below <= to; ++below)
    for (int above = from; above <= to; ++above) {
      const double start = low * below / parts,
                   scale = (high * above / parts - start) / steps;
      best.consider(scale, -start / scale - (steps + 1) / 2, bits);
    }
  return best.parameters;
}

Integers glow::quantizeBlocks(std::span<const float> values, size_t block,
                              Scheme scheme, unsigned bits, bool withZeros) {
  const size_t rows = values.size() / block;
  if (!withZeros && (bits >= 8 || scheme == Scheme::PowerOfTwo))
    return quantizeWeights(values, {int64_t(rows), int64_t(block)}, 0, scheme,
                           bits);
  Integers made;
  for (size_t i = 0; i < rows; ++i) {
    const std::span<const float> row = values.subspan(i * block, block);
    const Parameters own =
        withZeros ? bestRange(row, bits) : bestScale(row, bits);
    for (float value : row)
      made.values.push_back(own.quantized(double(value)));
    made.parameters.push_back(own);
  }
  return made;
}

std::string glow::bytesOf(std::span<const int64_t> values, unsigned bits) {
  std::string bytes;
  if (bits == 4) {
    for (size_t i = 0; i < values.size(); i += 2) {
      int64_t high = i + 1 < values.size() ? values[i + 1] : 0;
      bytes += char((values[i] & 15) | ((high & 15) << 4));
    }
    return bytes;
  }
  for (int64_t value : values)
    for (unsigned shift = 0; shift < bits; shift += 8)
      bytes += char((value >> shift) & 255);
  return bytes;
}
