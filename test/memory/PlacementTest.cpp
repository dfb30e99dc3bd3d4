//===- PlacementTest.cpp - random lifetimes in one arena ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Memory/Placement.h"
#include "Graphs.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace glow;

namespace {

constexpr uint64_t alignment = 64;

/// Lifetimes as a model has them: most are short, some go on to the end.
std::vector<Interval> randomIntervals(std::mt19937 &random, unsigned count) {
  std::vector<Interval> intervals;
  for (unsigned i = 0; i < count; ++i) {
    unsigned first = random() % count;
    unsigned length = random() % (random() % 8 ? 6 : count);
    uint64_t bytes = random() % 2 ? random() % 100'000 : 1u << random() % 20;
    intervals.push_back({bytes, first, std::min(first + length, count - 1)});
  }
  return intervals;
}

bool meet(uint64_t begin, uint64_t end, uint64_t otherBegin,
          uint64_t otherEnd) {
  return begin < otherEnd && otherBegin < end;
}

void expectValid(const std::vector<Interval> &intervals,
                 const Placement &placement) {
  ASSERT_EQ(placement.offsets.size(), intervals.size());
  for (unsigned i = 0; i < intervals.size(); ++i) {
    const Interval &one = intervals[i];
    uint64_t begin = placement.offsets[i], end = begin + one.bytes;
    EXPECT_EQ(begin % alignment, 0u);
    EXPECT_LE(end, placement.arenaBytes);
    for (unsigned j = 0; j < i; ++j) {
      const Interval &other = intervals[j];
      if (!meet(one.first, one.last + 1, other.first, other.last + 1))
        continue;
      EXPECT_FALSE(meet(begin, end, placement.offsets[j],
                        placement.offsets[j] + other.bytes))
          << "intervals " << i << " and " << j;
    }
  }
}

// Two buffers at one place would give wrong results, a larger arena none at all
// on a small device.
TEST(Placement, RandomLifetimesDoNotOverlapAndFitTightly) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<Interval> intervals =
        randomIntervals(random, 1 + random() % 300);
    Placement placement = place(intervals, alignment);
    expectValid(intervals, placement);
    EXPECT_EQ(placement.liveBytes, largestLiveSum(intervals, alignment));
    EXPECT_GE(placement.arenaBytes, placement.liveBytes);
    EXPECT_LE(placement.arenaBytes, placement.liveBytes * 1.10);
  }
}

TEST(Placement, NothingNeedsNoArena) {
  EXPECT_EQ(place({}, alignment).arenaBytes, 0u);
  std::vector<Interval> empty = {{0, 0, 3}, {0, 1, 2}};
  EXPECT_EQ(place(empty, alignment).arenaBytes, 0u);
}

TEST(Placement, SameIntervalsHaveSamePlaces) {
  std::mt19937 random(1);
  std::vector<Interval> intervals = randomIntervals(random, 200);
  EXPECT_EQ(place(intervals, alignment).offsets,
            place(intervals, alignment).offsets);
}

// An order that runs a step before its inputs gives wrong results; an order
// that needs more memory than the old one is of no use.
TEST(Schedule, KeepsDependencesAndIsNeverWorse) {
  unsigned better = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Steps steps = randomSteps(random, 1 + random() % 200);
    std::vector<unsigned> given(steps.size());
    std::iota(given.begin(), given.end(), 0);
    std::vector<unsigned> order = schedule(steps);
    EXPECT_LE(peakBytes(steps, order), peakBytes(steps, given));
    better += peakBytes(steps, order) < peakBytes(steps, given);

    std::vector<bool> done(steps.size());
    ASSERT_EQ(order.size(), steps.size());
    for (unsigned step : order) {
      for (unsigned input : steps.after[step])
        EXPECT_TRUE(done[input]);
      EXPECT_FALSE(done[step]);
      done[step] = true;
    }
  }
  EXPECT_GT(better, 100u);
}

TEST(Schedule, IsTheBestOfAllOrdersOfFewSteps) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Steps steps = randomSteps(random, 1 + random() % 14);
    EXPECT_EQ(peakBytes(steps, schedule(steps)), leastPeak(steps));
  }
}

// On typical networks, the framework's order and the original Glow's order
// never need less memory.
TEST(Schedule, NeedsNoLargerArenaThanOtherOrders) {
  for (const auto &[name, steps] : namedGraphs()) {
    SCOPED_TRACE(name);
    std::vector<unsigned> written(steps.size());
    std::iota(written.begin(), written.end(), 0);
    uint64_t arena = arenaOf(steps, schedule(steps));
    EXPECT_LE(arena, arenaOf(steps, written));
    EXPECT_LE(arena, arenaOf(steps, childrenByMemory(steps)));
    if (steps.size() <= 20)
      EXPECT_EQ(peakBytes(steps, schedule(steps)), leastPeak(steps));
  }
}

} // namespace
