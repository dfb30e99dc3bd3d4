//===- Timeline.cpp - simulation of instructions and copies ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Memory/Timeline.h"

#include <algorithm>
#include <limits>

using namespace glow;

Timeline::Timeline(Copiers given)
    : copiers(std::move(given)), queues(copiers.engines.size()) {}

unsigned Timeline::start(unsigned engine, uint64_t bytes,
                         std::vector<unsigned> memories) {
  unsigned number = unsigned(copies.size());
  copies.push_back({engine, double(bytes), std::move(memories)});
  queues[engine].push_back(number);
  begin();
  return number;
}

/// Starts the next copies on free channels.
void Timeline::begin() {
  for (unsigned engine = 0; engine < queues.size(); ++engine) {
    uint64_t busy = 0;
    for (unsigned number : underWay)
      busy += copies[number].engine == engine;
    std::deque<unsigned> &queue = queues[engine];
    for (; busy < copiers.engines[engine].channels && !queue.empty(); ++busy) {
      Copy &copy = copies[queue.front()];
      copy.moves = time + double(copiers.engines[engine].latency);
      underWay.push_back(queue.front());
      queue.pop_front();
    }
  }
}

/// Compared with a tolerance, since time is a sum of rounded numbers.
bool Timeline::isMoving(const Copy &copy) const {
  return copy.moves <= time + 1e-6;
}

/// Bytes a cycle.
double Timeline::rateOf(const Copy &copy) const {
  double rate = double(copiers.engines[copy.engine].bytesPerCycle);
  for (unsigned memory : copy.memories) {
    if (copiers.bandwidths[memory] == 0)
      continue;
    unsigned sharing = 0;
    for (unsigned other : underWay)
      sharing += isMoving(copies[other]) &&
                 std::ranges::count(copies[other].memories, memory) > 0;
    rate = std::min(rate, double(copiers.bandwidths[memory]) / sharing);
  }
  return rate;
}

/// Bytes per cycle if all channels of the engine, and no other engine, carry
/// such copies.
double Timeline::fullRateOf(const Copy &copy) const {
  const Copiers::Engine &engine = copiers.engines[copy.engine];
  uint64_t rate = engine.channels * engine.bytesPerCycle;
  for (unsigned memory : copy.memories)
    if (copiers.bandwidths[memory])
      rate = std::min(rate, copiers.bandwidths[memory]);
  return double(rate);
}

bool Timeline::hasIdleChannel(unsigned engine) const {
  auto busy = std::ranges::count_if(underWay, [&](unsigned number) {
    return copies[number].engine == engine;
  });
  return uint64_t(busy) < copiers.engines[engine].channels;
}

double Timeline::busyUntil(unsigned engine) const {
  double latencies = 0, moving = 0;
  for (unsigned number : underWay) {
    const Copy &copy = copies[number];
    if (copy.engine != engine)
      continue;
    latencies += std::max(copy.moves - time, 0.0);
    moving += copy.left / fullRateOf(copy);
  }
  for (unsigned number : queues[engine]) {
    latencies += double(copiers.engines[engine].latency);
    moving += copies[number].left / fullRateOf(copies[number]);
  }
  return time + moving + latencies / double(copiers.engines[engine].channels);
}

/// The time of the next event: a copy under way begins to move bytes, or ends.
double Timeline::nextEvent() const {
  double next = std::numeric_limits<double>::infinity();
  for (unsigned number : underWay) {
    const Copy &copy = copies[number];
    next = std::min(next, isMoving(copy) ? time + copy.left / rateOf(copy)
                                         : copy.moves);
  }
  return next;
}

/// Advances the time by `cycles`; no event occurs in between.
void Timeline::pass(double cycles) {
  std::vector<double> moved;
  for (unsigned number : underWay)
    moved.push_back(isMoving(copies[number]) ? rateOf(copies[number]) * cycles
                                             : 0);
  for (size_t i = 0; i < underWay.size(); ++i)
    copies[underWay[i]].left -= moved[i];
  if (!underWay.empty())
    copied += cycles;
  time += cycles;
  // A rest left by rounding would never be an event of its own.
  std::erase_if(underWay, [&](unsigned number) {
    Copy &copy = copies[number];
    copy.ended = isMoving(copy) && copy.left < 1e-3;
    return copy.ended;
  });
  begin();
}

void Timeline::advance(double until) {
  while (time < until)
    pass(std::min(until, nextEvent()) - time);
}

void Timeline::run(uint64_t cycles) {
  computed += double(cycles);
  advance(time + double(cycles));
}

void Timeline::wait(unsigned copy) {
  // A copy without bytes ends with its latency.
  while (!copies[copy].ended)
    pass(std::max(nextEvent() - time, 0.0));
}
