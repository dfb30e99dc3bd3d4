//===- Intervals.cpp - the best cut of an order into intervals ------------===//
// SPDX-License-Identifier: MIT

#include "Intervals.h"
#include <algorithm>
#include <tuple>

using namespace glow::partition;

namespace {

/// An interval of items on a device, which grows by one item at a time.
class Interval {
public:
  Interval(const Problem &problem, const std::vector<std::vector<uint32_t>> &in,
           const std::vector<std::vector<uint32_t>> &out, uint32_t device,
           uint32_t begin)
      : problem(problem), reads(in), makes(out), device(device), begin(begin),
        left(problem.values.size()), hasConstant(problem.constants.size()) {}

  void add(uint32_t index) {
    const Item &item = problem.items[index];
    seconds += item.seconds[device];
    live = std::max(live, item.liveBytes);
    for (uint32_t constant : item.constants)
      if (!hasConstant[constant]) {
        hasConstant[constant] = true;
        bytes += problem.constants[constant];
      }
    for (uint32_t number : reads[index]) {
      const Value &value = problem.values[number];
      const bool isOurs = value.producer && *value.producer >= begin;
      if (!isOurs && left[number]++ == 0)
        seconds += transfer(value);
      // All users are inside, so the value need not leave.
      if (isOurs && --left[number] == 0 && !value.isOutput)
        seconds -= transfer(value);
    }
    for (uint32_t number : makes[index]) {
      const Value &value = problem.values[number];
      left[number] = uint32_t(value.users.size());
      if (left[number] || value.isOutput)
        seconds += transfer(value);
    }
  }

  bool isPossible() const {
    const Device &own = problem.devices[device];
    return seconds < never &&
           (!own.memoryBytes || own.bytes(bytes, live) <= own.memoryBytes);
  }
  double load() const { return seconds; }

private:
  double transfer(const Value &value) const {
    return problem.devices[device].transfer(value.bytes);
  }

  const Problem &problem;
  const std::vector<std::vector<uint32_t>> &reads, &makes;
  const uint32_t device, begin;
  double seconds = 0;
  uint64_t bytes = 0, live = 0;
  std::vector<uint32_t> left; ///< of inner values, users outside; of others,
                              ///< users inside
  std::vector<bool> hasConstant;
};

class Search {
public:
  explicit Search(const Problem &problem)
      : problem(problem), count(problem.items.size()),
        devices(uint32_t(problem.devices.size())), reads(count), makes(count) {
    for (uint32_t number = 0; number < problem.values.size(); ++number) {
      const Value &value = problem.values[number];
      for (uint32_t user : value.users)
        reads[user].push_back(number);
      if (value.producer)
        makes[*value.producer].push_back(number);
    }
    // Sets of devices are searched if that takes up to about a second.
    hasSets =
        devices < 16 &&
        double(count) * double(count) * devices * double(1u << devices) < 4e9;
    states = hasSets ? size_t(1) << devices : devices + 1;
  }

  Assignment run() {
    best.assign((count + 1) * states, {});
    at(0, 0).isThere = true;
    for (uint32_t begin = 0; begin < count; ++begin)
      for (uint32_t device = 0; device < devices; ++device)
        extend(begin, device);
    return bestOf();
  }

private:
  /// The best assignment of the items before an index, for a set of used
  /// devices. The objective is compared first, then the sum.
  struct State {
    bool isThere = false;
    double objective = 0, total = 0;
    uint32_t begin = 0, device = 0, before = 0;

    bool isWorseThan(double other, double sum) const {
      return !isThere || std::tie(other, sum) < std::tie(objective, total);
    }
  };
  State &at(size_t place, size_t state) { return best[place * states + state]; }

  /// Whether a device may come next. A state is a set of used devices as bits,
  /// or the number of devices up to the last used one.
  bool mayFollow(size_t state, uint32_t device) const {
    return hasSets ? !(state >> device & 1) : state <= device;
  }
  size_t after(size_t state, uint32_t device) const {
    return hasSets ? state | size_t(1) << device : device + 1;
  }

  void extend(uint32_t begin, uint32_t device) {
    bool isReached = false;
    for (size_t state = 0; state < states; ++state)
      isReached |= at(begin, state).isThere && mayFollow(state, device);
    if (!isReached)
      return;
    Interval interval(problem, reads, makes, device, begin);
    for (uint32_t end = begin + 1; end <= count; ++end) {
      interval.add(end - 1);
      // Further items and constants only increase the load.
      if (!interval.isPossible())
        return;
      for (size_t state = 0; state < states; ++state)
        if (const State &from = at(begin, state);
            from.isThere && mayFollow(state, device)) {
          const double load = interval.load();
          const double objective = problem.objective == Objective::Latency
                                       ? from.objective + load
                                       : std::max(from.objective, load);
          if (State &to = at(end, after(state, device));
              to.isWorseThan(objective, from.total + load))
            to = {true,  objective, from.total + load,
                  begin, device,    uint32_t(state)};
        }
    }
  }

  Assignment bestOf() {
    size_t state = states;
    for (size_t i = 0; i < states; ++i)
      if (const State &one = at(count, i);
          one.isThere &&
          (state == states ||
           at(count, state).isWorseThan(one.objective, one.total)))
        state = i;
    if (state == states)
      return {};
    Assignment assignment(count);
    for (size_t end = count; end > 0;) {
      const State &last = at(end, state);
      std::fill(assignment.begin() + last.begin, assignment.begin() + end,
                last.device);
      end = last.begin;
      state = last.before;
    }
    return assignment;
  }

  const Problem &problem;
  const size_t count;
  const uint32_t devices;
  std::vector<std::vector<uint32_t>> reads, makes; ///< values, by item
  bool hasSets = false;
  size_t states = 0;
  std::vector<State> best;
};

} // namespace

Assignment glow::partition::bestIntervals(const Problem &problem) {
  return Search(problem).run();
}
