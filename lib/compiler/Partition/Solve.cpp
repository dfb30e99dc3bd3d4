//===- Solve.cpp - the search for a partition -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Intervals.h"
#include "Relaxation.h"
#include <algorithm>
#include <compare>
#include <map>
#include <numeric>
#include <queue>

using namespace glow::partition;

namespace {

/// The quality of an assignment: the excess over memory is compared first, then
/// the objective, then the total load.
struct Score {
  double excess, objective, total;
  auto operator<=>(const Score &) const = default;
};

class Solver {
public:
  explicit Solver(const Problem &problem)
      : problem(problem), shares(constantShares(problem)) {}

  Solution run() {
    Assignment fastest;
    for (const Item &item : problem.items)
      fastest.push_back(uint32_t(std::ranges::min_element(item.seconds) -
                                 item.seconds.begin()));
    begin(std::move(fastest));
    for (uint32_t device = 0; device < problem.devices.size(); ++device)
      begin(Assignment(problem.items.size(), device));
    if (Assignment intervals = bestIntervals(problem); !intervals.empty())
      begin(std::move(intervals));
    double bound = boundOf(problem);
    improveAll();
    bound = branch(bound);
    Solution solution;
    solution.loads = loadsOf(problem, assignment);
    if (!fits(problem, solution.loads))
      return Solution{{}, std::move(solution.loads), never, bound};
    solution.assignment = std::move(assignment);
    solution.objective = best.objective;
    // The bound and the objective may be sums in different orders.
    solution.bound = std::min(bound, best.objective);
    return solution;
  }

private:
  Score scoreOf(const Assignment &one) const {
    const Loads loads = loadsOf(problem, one);
    double excess = 0;
    for (size_t i = 0; i < loads.bytes.size(); ++i)
      if (const auto memory = double(problem.devices[i].memoryBytes))
        excess += std::max(0.0, double(loads.bytes[i]) / memory - 1);
    return {excess, loads.objective(problem.objective), loads.total()};
  }

  /// Keeps a good assignment as a start of the search.
  void begin(Assignment one) {
    Score score = scoreOf(one);
    starts.emplace(score, std::move(one));
    if (starts.size() > mostStarts)
      starts.erase(std::prev(starts.end()));
  }

  /// Improves the starts. The first one gets at least half of the work, since
  /// later ones only help if it ends early.
  void improveAll() {
    Score found{never, never, never};
    Assignment all;
    for (auto &[score, start] : starts) {
      best = score, assignment = start;
      improve();
      if (best < found)
        found = best, all = assignment;
    }
    best = found, assignment = std::move(all);
  }

  /// Takes an assignment that is better than the best.
  bool consider(Assignment other) {
    Score score = scoreOf(other);
    if (!(score < best))
      return false;
    best = score;
    assignment = std::move(other);
    return true;
  }

  /// A lower bound for the assignments that a problem permits. Keeps the good
  /// assignments found on the way.
  double boundOf(const Problem &part) {
    const Score &known = starts.begin()->first;
    return Relaxation(part).bound(
        known.excess ? never : known.objective,
        [this](const Assignment &found) { begin(found); });
  }

  /// A problem in which some items may use one device only.
  struct Branch {
    double bound;
    size_t decided; ///< the number of heaviest items with one device
    Problem problem;
    bool operator<(const Branch &other) const { return bound > other.bound; }
  };

  /// Branch and bound. Assigns the heaviest items one after the other, as long
  /// as the bound is below the best objective. Returns the bound of the whole
  /// problem.
  double branch(double bound) {
    std::vector<uint32_t> heaviest(problem.items.size());
    std::iota(heaviest.begin(), heaviest.end(), 0);
    auto weight = [this](uint32_t item) {
      return *std::ranges::min_element(problem.items[item].seconds);
    };
    std::ranges::sort(heaviest, std::greater(), weight);
    std::priority_queue<Branch> open;
    open.push({bound, 0, problem});
    for (uint64_t count = 0; count < branches(); ++count) {
      const Branch least = open.top();
      if (least.decided == heaviest.size() ||
          (!best.excess && best.objective <= least.bound * (1 + closeEnough)))
        break;
      open.pop();
      const uint32_t item = heaviest[least.decided];
      for (size_t device = 0; device < problem.devices.size(); ++device) {
        if (problem.items[item].seconds[device] == never)
          continue;
        Branch next{0, least.decided + 1, least.problem};
        std::vector<double> &seconds = next.problem.items[item].seconds;
        for (size_t other = 0; other < seconds.size(); ++other)
          if (other != device)
            seconds[other] = never;
        next.bound = std::max(least.bound, boundOf(next.problem));
        open.push(std::move(next));
      }
      if (starts.begin()->first < best)
        improveAll();
    }
    return open.top().bound;
  }

  /// The number of branches that take about as long as the other searches; for
  /// more than two devices, a bound takes many cuts.
  uint64_t branches() const {
    const uint64_t devices = problem.devices.size();
    if (devices <= 2)
      return mostBranches;
    const uint64_t cuts = devices * devices * Relaxation::mostRounds;
    return std::min(
        mostBranches,
        mostCutWork / (cuts * (problem.items.size() + problem.values.size())));
  }

  /// Improves the assignment until nothing helps, or the work limit is reached.
  void improve() {
    limit = work + (mostWork - work) / 2;
    bool isBetter = true;
    while (isBetter) {
      isBetter = moveItems();
      isBetter |= cutPairs();
      isBetter = isBetter || movePairs();
    }
  }

  /// Counts a try; returns true when the work limit is exceeded.
  bool isEnough(uint64_t times = 1) {
    work += times * (problem.items.size() + problem.values.size());
    return work > limit;
  }

  bool moveItems() {
    bool isBetter = false;
    for (size_t i = 0; i < assignment.size(); ++i)
      for (uint32_t to = 0; to < problem.devices.size(); ++to) {
        if (to == assignment[i] || problem.items[i].seconds[to] == never)
          continue;
        if (isEnough())
          return false;
        Assignment moved = assignment;
        moved[i] = to;
        isBetter |= consider(std::move(moved));
      }
    return isBetter;
  }

  /// Moves two items at once, such as a swap.
  bool movePairs() {
    const size_t devices = problem.devices.size();
    for (size_t i = 0; i < assignment.size(); ++i)
      for (size_t j = i + 1; j < assignment.size(); ++j)
        for (size_t to = 0; to < devices * devices; ++to) {
          if (isEnough())
            return false;
          Assignment moved = assignment;
          moved[i] = uint32_t(to % devices);
          moved[j] = uint32_t(to / devices);
          if (consider(std::move(moved)))
            return true;
        }
    return false;
  }

  /// Redistributes the items of each pair of devices. To reduce the largest
  /// load, the weights favour the device with the smaller one.
  bool cutPairs() {
    bool isBetter = false;
    const auto count = uint32_t(problem.devices.size());
    const bool isPipeline = problem.objective == Objective::Pipeline;
    for (uint32_t a = 0; a < count; ++a)
      for (uint32_t b = a + 1; b < count; ++b) {
        double low = 0, high = 1;
        for (int round = 0; round < (isPipeline ? 24 : 1); ++round) {
          if (isEnough(50)) // as long as a cut takes
            return false;
          Weights weights{std::vector<double>(count, 1),
                          std::vector<double>(count)};
          if (isPipeline) {
            weights.seconds[a] = (low + high) / 2;
            weights.seconds[b] = 1 - weights.seconds[a];
          }
          Assignment shared = assignment;
          cutPair(problem, shares, {a, b}, weights, shared);
          const Loads loads = loadsOf(problem, shared);
          (loads.seconds[a] > loads.seconds[b] ? low : high) =
              weights.seconds[a];
          isBetter |= consider(std::move(shared));
        }
      }
    return isBetter;
  }

  static constexpr uint64_t mostWork = uint64_t(1) << 30; ///< about a second
  static constexpr size_t mostStarts = 8;
  static constexpr uint64_t mostBranches = 100, mostCutWork = 5'000'000;
  static constexpr double closeEnough = 0.005;
  const Problem &problem;
  const std::vector<double> shares;
  std::map<Score, Assignment> starts;
  Assignment assignment;
  Score best{};
  uint64_t work = 0, limit = 0;
};

} // namespace

Solution glow::partition::solve(const Problem &problem) {
  if (problem.items.empty())
    return {{}, loadsOf(problem, {}), 0, 0};
  return Solver(problem).run();
}
