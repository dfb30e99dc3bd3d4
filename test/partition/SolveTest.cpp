//===- SolveTest.cpp - the search for a partition -------------------------===//
// SPDX-License-Identifier: MIT
//
// Small graphs, of which all assignments are tried.
//
//===----------------------------------------------------------------------===//

#include "glow/Partition/Problem.h"
#include <gtest/gtest.h>
#include <random>

using namespace glow::partition;

namespace {

/// The least objective of all assignments that fit.
double exhaustive(const Problem &problem) {
  const size_t items = problem.items.size(), devices = problem.devices.size();
  Assignment assignment(items);
  double best = never;
  for (;;) {
    Loads loads = loadsOf(problem, assignment);
    if (fits(problem, loads))
      best = std::min(best, loads.objective(problem.objective));
    size_t i = 0;
    while (i < items && ++assignment[i] == devices)
      assignment[i++] = 0;
    if (i == items)
      return best;
  }
}

class Graphs {
public:
  explicit Graphs(uint64_t seed) : engine(seed) {}

  /// Items in a row, or with edges that skip some.
  Problem make(size_t items, size_t devices, bool isChain, bool isLimited) {
    Problem problem;
    uint64_t bytes = 0;
    for (size_t i = 0; i < items; ++i) {
      Item item;
      for (size_t d = 0; d < devices; ++d)
        item.seconds.push_back(chance(8) ? number(1, 9) * 1e-3 : never);
      item.seconds[number(0, devices - 1)] = number(1, 9) * 1e-3;
      item.liveBytes = number(1, 100);
      item.constants = {uint32_t(i)};
      problem.constants.push_back(number(1, 1000));
      bytes += problem.constants.back();
      Value value{number(1, 1000), uint32_t(i), {}, i + 1 == items};
      for (uint32_t user = uint32_t(i) + 1; user < items; ++user)
        if (user == i + 1 || (!isChain && !chance(4)))
          value.users.push_back(user);
      problem.items.push_back(std::move(item));
      problem.values.push_back(std::move(value));
    }
    problem.values.push_back({number(1, 1000), {}, {0}, false});
    for (size_t d = 0; d < devices; ++d)
      problem.devices.push_back({isLimited ? bytes * 2 / 3 + 100 : 0,
                                 number(0, 2) * 1e-4, number(0, 2) * 1e-6});
    return problem;
  }

  /// The same with links that take `share` of an item's time for a value.
  Problem makeLinked(size_t items, size_t devices, double share) {
    Problem problem = make(items, devices, false, false);
    for (Device &device : problem.devices)
      device.secondsPerValue = share * 5e-3, device.secondsPerByte = 0;
    return problem;
  }

  uint64_t number(uint64_t least, uint64_t most) {
    return std::uniform_int_distribution<uint64_t>(least, most)(engine);
  }
  bool chance(unsigned of) { return number(0, of) != 0; }

private:
  std::mt19937_64 engine;
};

struct Worst {
  double found = 0; ///< relative to the best there is
  double bound = 0; ///< that, relative to the bound
};

Worst compare(size_t items, size_t devices, bool isChain, bool isLimited,
              Objective objective, int graphs) {
  Worst worst;
  for (int seed = 0; seed < graphs; ++seed) {
    Problem problem =
        Graphs(uint64_t(seed)).make(items, devices, isChain, isLimited);
    problem.objective = objective;
    const double best = exhaustive(problem);
    const Solution solution = solve(problem);
    EXPECT_EQ(solution.assignment.empty(), best == never) << seed;
    if (best == never)
      continue;
    EXPECT_DOUBLE_EQ(solution.loads.objective(objective), solution.objective);
    EXPECT_GE(solution.objective, best * (1 - 1e-9)) << seed;
    EXPECT_LE(solution.bound, best * (1 + 1e-9)) << seed;
    worst.found = std::max(worst.found, solution.objective / best - 1);
    worst.bound = std::max(worst.bound, best / solution.bound - 1);
  }
  return worst;
}

} // namespace

TEST(Solve, TwoDevicesShareARequestExactly) {
  const Worst worst = compare(9, 2, false, false, Objective::Latency, 200);
  EXPECT_NEAR(worst.found, 0, 1e-9);
  EXPECT_NEAR(worst.bound, 0, 1e-6); // a minimum cut is the best there is
}

// Nine items weigh a ninth of all each, so that a mistake by one shows.
TEST(Solve, NoPipelineOfTwoIsMissed) {
  for (bool isChain : {true, false}) {
    const Worst worst = compare(9, 2, isChain, false, Objective::Pipeline, 100);
    EXPECT_LE(worst.found, 0.006) << isChain;
    EXPECT_LE(worst.bound, 0.006) << isChain;
  }
}

// The bound counts what a value costs on its way.
TEST(Solve, ThreeDevicesWithLinks) {
  for (double share : {0.3, 1.0, 3.0, 10.0})
    for (Objective objective : {Objective::Latency, Objective::Pipeline})
      for (uint64_t seed = 0; seed < 25; ++seed) {
        Problem problem = Graphs(seed).makeLinked(8, 3, share);
        problem.objective = objective;
        const double best = exhaustive(problem);
        const Solution solution = solve(problem);
        EXPECT_LE(solution.bound, best * (1 + 1e-9)) << share << " " << seed;
        EXPECT_LE(solution.objective, solution.bound * 1.05)
            << share << " " << seed << " " << int(objective);
      }
}

TEST(Solve, ThreeDevicesAndLittleMemory) {
  for (Objective objective : {Objective::Latency, Objective::Pipeline})
    for (bool isChain : {true, false}) {
      const Worst worst = compare(7, 3, isChain, true, objective, 100);
      EXPECT_LE(worst.found, 0.2) << isChain << int(objective);
    }
}
