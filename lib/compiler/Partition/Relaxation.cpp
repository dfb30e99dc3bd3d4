//===- Relaxation.cpp - lower bound of a partition ------------------------===//
// SPDX-License-Identifier: MIT

#include "Relaxation.h"
#include "DeviceCut.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace glow::partition;

Relaxation::Relaxation(const Problem &problem)
    : problem(problem), shares(constantShares(problem)),
      isPipeline(problem.objective == Objective::Pipeline) {
  for (const Device &device : problem.devices)
    isLimited |= device.memoryBytes != 0;
}

Assignment Relaxation::best(const Weights &weights) const {
  Assignment assignment(problem.items.size(), 0);
  if (problem.devices.size() == 2)
    cutPair(problem, shares, {0, 1}, weights, assignment);
  return assignment;
}

std::vector<double> Relaxation::loadsOf(const Assignment &assignment) const {
  return partition::loadsOf(problem, assignment).seconds;
}

std::vector<double> Relaxation::bytesOf(const Assignment &assignment) const {
  std::vector<double> bytes(problem.devices.size());
  for (size_t i = 0; i < assignment.size(); ++i)
    bytes[assignment[i]] += shares[i];
  return bytes;
}

static double weighted(const std::vector<double> &weights,
                       const std::vector<double> &loads) {
  return std::inner_product(weights.begin(), weights.end(), loads.begin(), 0.0);
}

/// The bound for two devices without memory limits. The sum of weighted loads
/// is concave in the weight, so lines that intersect above it lead to its peak.
double Relaxation::balance(
    const std::function<void(const Assignment &)> &visit) const {
  double peak = 0;
  auto at = [&](double first) {
    const Assignment found = best({{first, 1 - first}, {0, 0}});
    visit(found);
    const std::vector<double> loads = loadsOf(found);
    peak = std::max(peak, weighted({first, 1 - first}, loads));
    return loads;
  };
  std::vector<double> low = at(0), high = at(1);
  for (int round = 0; round < 64; ++round) {
    const double slope = low[0] - low[1], other = high[0] - high[1];
    if (!(slope > 0 && other < 0)) // the peak is at an end, or was met
      break;
    // The weight for which first * l[0] + (1 - first) * l[1] is the same for
    // both.
    const double first = (high[1] - low[1]) / (slope - other);
    const double met = weighted({first, 1 - first}, low);
    std::vector<double> middle = at(first);
    if (weighted({first, 1 - first}, middle) >= met - 1e-9 * std::abs(met))
      break;
    (middle[0] > middle[1] ? low : high) = std::move(middle);
  }
  return peak;
}

/// Projects the weights to the nearest point of the simplex.
static void project(std::vector<double> &weights) {
  std::vector<double> sorted = weights;
  std::ranges::sort(sorted, std::greater());
  double sum = 0, shift = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    if (const double next = (sum - 1) / double(i + 1); sorted[i] > next)
      shift = next;
  }
  for (double &weight : weights)
    weight = std::max(0.0, weight - shift);
}

Relaxation::Slope Relaxation::slopeAt(const Weights &weights,
                                      const Assignment &found) const {
  const size_t count = problem.devices.size();
  const std::vector<double> loads = loadsOf(found), bytes = bytesOf(found);
  Slope slope{weighted(weights.seconds, loads), std::vector<double>(count),
              std::vector<double>(count)};
  const double mean =
      std::accumulate(loads.begin(), loads.end(), 0.0) / double(count);
  for (size_t i = 0; i < count; ++i) {
    if (isPipeline)
      slope.seconds[i] = loads[i] - mean;
    if (const double memory = problem.devices[i].roomForConstants()) {
      slope.value += weights.bytes[i] * (bytes[i] - memory);
      slope.memory[i] = bytes[i] / memory - 1;
    }
  }
  return slope;
}

double Relaxation::Slope::norm() const {
  return weighted(seconds, seconds) + weighted(memory, memory);
}

void Relaxation::follow(const Slope &slope, double step,
                        Weights &weights) const {
  for (size_t i = 0; i < problem.devices.size(); ++i) {
    weights.seconds[i] += step * slope.seconds[i];
    if (const double memory = problem.devices[i].roomForConstants())
      weights.bytes[i] =
          std::max(0.0, weights.bytes[i] + step * slope.memory[i] / memory);
  }
  if (isPipeline)
    project(weights.seconds);
}

namespace {

/// Weights of devices, for seconds and bytes, and prices of items in seconds.
struct Prices {
  Weights weights;
  std::vector<double> items;
};

/// The relaxed value at given prices, and the direction that raises it.
struct Direction {
  double value = 0;
  std::vector<double> seconds, memory, items;
  std::vector<DeviceItems> found; ///< by device
};

} // namespace

/// Sums the minimal values of all devices at given prices.
static Direction directionAt(const Problem &problem,
                             const std::vector<double> &shares,
                             const Prices &prices) {
  const size_t count = problem.devices.size();
  Direction to{0,
               std::vector<double>(count),
               std::vector<double>(count),
               std::vector<double>(problem.items.size(), 1),
               {}};
  for (uint32_t device = 0; device < count; ++device) {
    to.found.push_back(
        cutDevice(problem, shares, device, prices.weights, prices.items));
    const DeviceItems &own = to.found.back();
    to.value += own.value;
    to.seconds[device] = own.seconds;
    if (const double memory = problem.devices[device].roomForConstants()) {
      to.value -= prices.weights.bytes[device] * memory;
      to.memory[device] = own.bytes / memory - 1;
    }
    for (size_t i = 0; i < problem.items.size(); ++i)
      to.items[i] -= own.has[i];
  }
  for (double price : prices.items)
    to.value += price;
  return to;
}

/// Assigns each item to a device that takes it, otherwise to the device on
/// which it takes the least time.
static Assignment assignmentOf(const Problem &problem,
                               const Direction &direction) {
  Assignment assignment;
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const std::vector<double> &seconds = problem.items[i].seconds;
    uint32_t best = 0;
    auto rank = [&](uint32_t device) {
      return std::pair(!direction.found[device].has[i] ||
                           seconds[device] == never,
                       seconds[device]);
    };
    for (uint32_t device = 1; device < seconds.size(); ++device)
      if (rank(device) < rank(best))
        best = device;
    assignment.push_back(best);
  }
  return assignment;
}

/// Takes steps along the direction of violated constraints (Polyak). The length
/// is halved when the bound has not risen for some steps.
double Relaxation::boundOfMany(
    double upper, const std::function<void(const Assignment &)> &visit) const {
  const size_t count = problem.devices.size();
  Prices prices{
      {std::vector<double>(count, isPipeline ? 1.0 / double(count) : 1.0),
       std::vector<double>(count)},
      {}};
  for (const Item &item : problem.items)
    prices.items.push_back(*std::ranges::min_element(item.seconds) *
                           prices.weights.seconds.front());
  double bound = 0, length = 1, sum = 0;
  for (double price : prices.items)
    sum += price;
  Prices best = prices;
  int since = 0;
  for (int round = 0; round < mostRounds && length > 0.01; ++round) {
    const Direction to = directionAt(problem, shares, prices);
    visit(assignmentOf(problem, to));
    if (to.value > bound)
      bound = to.value, best = prices, since = 0;
    else if (++since == 8)
      length /= 2, since = 0, prices = best;
    const double goal = upper < never ? upper : 1.1 * std::max(bound, sum);
    // Weights are counted as fractions of the goal, as prices are in seconds.
    double norm = weighted(to.items, to.items) + weighted(to.memory, to.memory);
    std::vector<double> seconds(count);
    if (isPipeline) {
      const double mean =
          std::accumulate(to.seconds.begin(), to.seconds.end(), 0.0) /
          double(count);
      for (size_t i = 0; i < count; ++i)
        seconds[i] = (to.seconds[i] - mean) / goal;
      norm += weighted(seconds, seconds);
    }
    if (norm == 0 || goal <= bound)
      break;
    const double step = length * std::max(0.0, goal - to.value) / norm;
    for (size_t i = 0; i < prices.items.size(); ++i)
      prices.items[i] += step * to.items[i];
    for (size_t i = 0; i < count; ++i) {
      prices.weights.seconds[i] += step * seconds[i] / goal;
      if (const double memory = problem.devices[i].roomForConstants())
        prices.weights.bytes[i] = std::max(
            0.0, prices.weights.bytes[i] + step * to.memory[i] / memory);
    }
    if (isPipeline)
      project(prices.weights.seconds);
  }
  return bound;
}

double Relaxation::bound(
    double upper,
    const std::function<void(const Assignment &assignment)> &visit) const {
  const size_t count = problem.devices.size();
  double bound = 0;
  // A single device runs the largest item.
  if (isPipeline)
    for (const Item &item : problem.items)
      bound = std::max(bound, *std::ranges::min_element(item.seconds));
  if (count > 2)
    return std::max(bound, boundOfMany(upper, visit));
  if (isPipeline && count == 2) {
    bound = std::max(bound, balance(visit));
    if (!isLimited)
      return bound;
  }
  Weights weights{std::vector<double>(count, isPipeline ? 1.0 / count : 1.0),
                  std::vector<double>(count)};
  const int rounds = isPipeline || isLimited ? 100 : 1;
  for (int round = 0; round < rounds; ++round) {
    const Assignment found = best(weights);
    visit(found);
    const Slope slope = slopeAt(weights, found);
    bound = std::max(bound, slope.value);
    if (slope.norm() == 0)
      break;
    // Polyak's step towards the value of a known solution, or above the current
    // value.
    const double goal = upper < never ? upper : 1.1 * std::abs(slope.value);
    follow(slope, std::max(0.0, goal - slope.value) / slope.norm(), weights);
  }
  return bound;
}
