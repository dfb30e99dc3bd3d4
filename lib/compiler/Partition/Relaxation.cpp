//===- Relaxation.cpp - how good a partition can be -----------------------===//

#include "Relaxation.h"
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
  if (problem.devices.size() == 2) {
    cutPair(problem, shares, {0, 1}, weights, assignment);
    return assignment;
  }
  for (size_t i = 0; i < assignment.size(); ++i) {
    double least = never;
    for (uint32_t device = 0; device < problem.devices.size(); ++device) {
      const double seconds = problem.items[i].seconds[device];
      if (seconds == never)
        continue;
      const double cost =
          weights.seconds[device] * seconds + weights.bytes[device] * shares[i];
      if (cost < least)
        least = cost, assignment[i] = device;
    }
  }
  return assignment;
}

/// With transfers, where `best` knows of them.
std::vector<double> Relaxation::loadsOf(const Assignment &assignment) const {
  Loads loads = partition::loadsOf(problem, assignment);
  if (problem.devices.size() > 2)
    for (size_t i = 0; i < loads.seconds.size(); ++i)
      loads.seconds[i] -= loads.transfers[i];
  return loads.seconds;
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

/// Of two devices, without limits of memory: the sum of weighted loads is
/// concave in the weight, so that lines which meet above it lead to its peak.
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
    // Where first * l[0] + (1 - first) * l[1] is the same for both.
    const double first = (high[1] - low[1]) / (slope - other);
    const double met = weighted({first, 1 - first}, low);
    std::vector<double> middle = at(first);
    if (weighted({first, 1 - first}, middle) >= met - 1e-9 * std::abs(met))
      break;
    (middle[0] > middle[1] ? low : high) = std::move(middle);
  }
  return peak;
}

/// The point of the simplex that is nearest.
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
    if (const auto memory = double(problem.devices[i].memoryBytes)) {
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
    if (const auto memory = double(problem.devices[i].memoryBytes))
      weights.bytes[i] =
          std::max(0.0, weights.bytes[i] + step * slope.memory[i] / memory);
  }
  if (isPipeline)
    project(weights.seconds);
}

double Relaxation::bound(
    double upper,
    const std::function<void(const Assignment &assignment)> &visit) const {
  const size_t count = problem.devices.size();
  double bound = 0;
  // A device has all of its largest item.
  if (isPipeline)
    for (const Item &item : problem.items)
      bound = std::max(bound, *std::ranges::min_element(item.seconds));
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
    // Polyak's step, to the value that is known to be possible, or above.
    const double goal = upper < never ? upper : 1.1 * std::abs(slope.value);
    follow(slope, std::max(0.0, goal - slope.value) / slope.norm(), weights);
  }
  return bound;
}
