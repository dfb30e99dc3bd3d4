//===- Calibrate.cpp - from a range to integers ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/Calibrate.h"
#include "Focus.h"
#include <algorithm>
#include <cmath>

using namespace glow;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// The number of ranges to try, each a fraction of the whole range.
static constexpr int trials = 64;

static double steps(unsigned bits) { return std::ldexp(1.0, int(bits)) - 1; }

/// The expected sum of squared errors by rounding and by clipping.
static double squaresOf(const Histogram &histogram, Range range,
                        unsigned bits) {
  const double step = (range.high - range.low) / steps(bits);
  double sum = 0;
  for (size_t i = 0; i < histogram.counts().size(); ++i) {
    const double at = histogram.middle(i);
    const double clipped = at - std::clamp(at, range.low, range.high);
    sum += double(histogram.counts()[i]) *
           (clipped != 0 ? clipped * clipped : step * step / 12);
  }
  return sum;
}

/// Counts within a range; values outside count at its ends.
static std::vector<double> clippedCounts(const Histogram &histogram,
                                         size_t begin, size_t end) {
  std::vector<double> counts(end - begin);
  for (size_t i = 0; i < histogram.counts().size(); ++i)
    counts[std::clamp(i, begin, end - 1) - begin] +=
        double(histogram.counts()[i]);
  return counts;
}

/// The divergence between the numbers and the same numbers rounded to levels
/// (Migacz, 8-bit inference with TensorRT, 2017): bins of one level share its
/// count.
static double divergenceOf(const Histogram &histogram, size_t begin, size_t end,
                           size_t levels) {
  const std::vector<double> exact = clippedCounts(histogram, begin, end);
  const size_t bins = exact.size();
  levels = std::min(levels, bins);
  std::vector<double> sums(levels), used(levels);
  const auto levelOf = [&](size_t bin) { return bin * levels / bins; };
  double kept = 0, all = 0;
  for (size_t i = 0; i < bins; ++i) {
    const double own = double(histogram.counts()[begin + i]);
    sums[levelOf(i)] += own, used[levelOf(i)] += exact[i] > 0;
    kept += own, all += exact[i];
  }
  if (kept == 0)
    return std::numeric_limits<double>::infinity();
  // Counts of few numbers vary at random, by this much on average (Miller, Note
  // on the bias of information estimates, 1955).
  const auto filled = [](const std::vector<double> &list) {
    return double(std::ranges::count_if(list, [](double x) { return x > 0; }));
  };
  double divergence = -(filled(exact) - filled(used)) / (2 * all);
  // A level at an end with only clipped numbers counts as very rare.
  constexpr double rare = 1e-4;
  for (size_t i = 0; i < bins; ++i)
    if (exact[i] > 0) {
      double rounded = sums[levelOf(i)] / used[levelOf(i)] / kept;
      divergence += exact[i] / all *
                    std::log(exact[i] / all / std::max(rounded, rare / all));
    }
  return divergence;
}

/// The histogram without excess zeros, such as those of a ReLU. All integer
/// formats represent zero exactly. So its bin gets no more than its neighbour.
static Histogram withoutZeros(const Histogram &histogram) {
  std::vector<uint64_t> counts = histogram.counts();
  const int64_t zero = -histogram.first();
  if (zero >= 0 && zero + 1 < int64_t(counts.size()))
    counts[size_t(zero)] =
        std::min(counts[size_t(zero)], counts[size_t(zero) + 1]);
  return Histogram(histogram.exponent(), histogram.first(), std::move(counts));
}

static size_t binIn(const Histogram &histogram, double value) {
  const double bin =
      std::floor(value / histogram.width()) - double(histogram.first());
  return size_t(std::clamp(bin, 0.0, double(histogram.counts().size() - 1)));
}

static double costOf(const Histogram &histogram, Range range,
                     const QuantizeOptions &options, unsigned bits) {
  if (options.calibration == RangeChoice::MeanSquare)
    return squaresOf(histogram, range, bits);
  return divergenceOf(histogram, binIn(histogram, range.low),
                      binIn(histogram, range.high) + 1,
                      size_t(steps(bits)) + 1);
}

static Range cheapest(const Histogram &histogram, Range all,
                      const QuantizeOptions &options, unsigned bits) {
  Range best = all;
  double least = std::numeric_limits<double>::infinity();
  // Starts with the whole range, so that among equal costs the widest range
  // wins.
  for (int part = trials; part >= trials / 8; --part) {
    const double share = double(part) / trials;
    const Range tried{all.low * share, all.high * share};
    const double cost = costOf(histogram, tried, options, bits);
    if (cost < least)
      least = cost, best = tried;
  }
  return best;
}

bool glow::hasScale(std::span<const float> values) {
  constexpr float most = 1e30f;
  return std::ranges::all_of(
      values, [](float value) { return std::abs(value) < most; });
}

Range glow::rangeOf(const ValueProfile &value, const QuantizeOptions &options,
                    unsigned bits) {
  Range all{std::min(0.0, double(value.low)),
            std::max(0.0, double(value.high))};
  // An empty histogram: for rescaled channels only the ranges are known.
  if (options.calibration == RangeChoice::MinMax || all.low == all.high ||
      value.histogram.counts().empty())
    return all;
  const Focus focus = focusOf(value);
  if (options.calibration == RangeChoice::Percentile) {
    const double share = options.percentile / 100;
    return {std::clamp(focus.histogram.quantile(1 - share), all.low, 0.0),
            std::clamp(focus.histogram.quantile(share), 0.0, all.high)};
  }
  all = {std::max(all.low, -focus.limit), std::min(all.high, focus.limit)};
  return cheapest(options.calibration == RangeChoice::Entropy
                      ? withoutZeros(focus.histogram)
                      : focus.histogram,
                  all, options, bits);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

ElementKind Parameters::kind() const {
  switch (bits) {
  case 4:
    return isSigned ? ElementKind::I4 : ElementKind::U4;
  case 8:
    return isSigned ? ElementKind::I8 : ElementKind::U8;
  case 16:
    return isSigned ? ElementKind::I16 : ElementKind::U16;
  default:
    return ElementKind::I32;
  }
}

int64_t Parameters::lowest() const {
  return isSigned ? -(int64_t(1) << (bits - 1)) : 0;
}
int64_t Parameters::highest() const {
  return (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
}

/// Rounds as kernels do: the quotient is a float.
static double stepsOf(const Parameters &own, double value) {
  return double(std::nearbyintf(float(value) / own.scale)) + double(own.zero);
}

int64_t Parameters::quantized(double value) const {
  return int64_t(
      std::clamp(stepsOf(*this, value), double(lowest()), double(highest())));
}

bool Parameters::clips(float value) const {
  const double steps = stepsOf(*this, double(value));
  return steps < double(lowest()) || steps > double(highest());
}

/// The scale for a range. It is bounded below, so that a product of two scales
/// is a normal number.
static float scaleOf(double width, double steps) {
  constexpr double least = 0x1p-60;
  return width > 0 ? float(std::max(width / steps, least)) : 1.0f;
}

Parameters glow::symmetricParameters(double largest, Scheme scheme,
                                     unsigned bits) {
  Parameters made;
  made.bits = bits;
  made.scale = scaleOf(largest, double(made.highest()));
  if (scheme == Scheme::PowerOfTwo)
    made.scale = float(std::exp2(std::ceil(std::log2(double(made.scale)))));
  return made;
}

Parameters glow::parametersOf(Range range, Scheme scheme, unsigned bits) {
  Parameters made;
  made.bits = bits;
  made.isSigned = false;
  if (scheme == Scheme::Asymmetric) {
    made.scale = scaleOf(range.high - range.low, steps(bits));
    made.zero =
        std::clamp(int64_t(std::nearbyint(-range.low / double(made.scale))),
                   made.lowest(), made.highest());
    return made;
  }
  if (scheme == Scheme::SymmetricUint8 && range.low >= 0) {
    made.scale = scaleOf(range.high, steps(bits));
    return made;
  }
  return symmetricParameters(std::max(-range.low, range.high), scheme, bits);
}
