//===- Placement.cpp - many lifetimes in one arena ------------------------===//
// SPDX-License-Identifier: MIT
//
// Packing lifetimes into the least memory is NP-hard (dynamic storage
// allocation). A lower bound is known: the most bytes in use at once. So many
// orders are tried, until one meets the bound or the work is used up. Each
// interval takes the first or the narrowest gap that is free while it lives.
// Work is counted in comparisons, not in time, so that two compilations of one
// model do not differ.
//
//===----------------------------------------------------------------------===//

#include "glow/Memory/Placement.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

using namespace glow;

static uint64_t roundUp(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// The sum of bytes in use at each step.
static std::vector<uint64_t> liveSums(std::span<const Interval> intervals,
                                      uint64_t alignment) {
  unsigned steps = 0;
  for (const Interval &interval : intervals)
    steps = std::max(steps, interval.last + 1);
  // Differences first. Unsigned differences wrap around; their sums are
  // correct.
  std::vector<uint64_t> sums(steps + 1);
  for (const Interval &interval : intervals) {
    sums[interval.first] += roundUp(interval.bytes, alignment);
    sums[interval.last + 1] -= roundUp(interval.bytes, alignment);
  }
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  return sums;
}

uint64_t glow::largestLiveSum(std::span<const Interval> intervals,
                              uint64_t alignment) {
  std::vector<uint64_t> sums = liveSums(intervals, alignment);
  return *std::max_element(sums.begin(), sums.end());
}

namespace {

using Order = std::vector<unsigned>;

/// Range maximum queries, after preparation for all numbers.
class RangeMaximum {
public:
  explicit RangeMaximum(std::vector<uint64_t> numbers) {
    powers.push_back(std::move(numbers));
    // A sparse table of n log n numbers: two overlapping ranges cover any
    // range.
    for (size_t step = 1; 2 * step <= powers[0].size(); step *= 2) {
      const std::vector<uint64_t> &half = powers.back();
      std::vector<uint64_t> whole(half.size() - step);
      for (size_t i = 0; i < whole.size(); ++i)
        whole[i] = std::max(half[i], half[i + step]);
      powers.push_back(std::move(whole));
    }
  }

  /// The maximum from `first` to `last`, inclusive.
  uint64_t operator()(size_t first, size_t last) const {
    size_t power = size_t(std::bit_width(last - first + 1)) - 1;
    const std::vector<uint64_t> &known = powers[power];
    return std::max(known[first], known[last + 1 - (size_t(1) << power)]);
  }

private:
  /// By power of two, the maxima of that many numbers from each number on.
  std::vector<std::vector<uint64_t>> powers;
};

/// A free list. Takes memory from the narrowest gap that is large enough, or
/// from the end.
class FreeList {
public:
  uint64_t end = 0;

  uint64_t take(uint64_t bytes) {
    auto gap = bySize.lower_bound({bytes, 0});
    if (gap == bySize.end()) {
      end += bytes;
      return end - bytes;
    }
    auto [size, offset] = *gap;
    erase(offset, size);
    if (size > bytes)
      insert(offset + bytes, size - bytes);
    return offset;
  }

  void giveBack(uint64_t offset, uint64_t bytes) {
    auto next = byOffset.lower_bound(offset);
    if (next != byOffset.end() && next->first == offset + bytes) {
      bytes += next->second;
      erase(next->first, next->second);
    }
    auto last = byOffset.lower_bound(offset);
    if (last != byOffset.begin() &&
        std::prev(last)->first + std::prev(last)->second == offset) {
      auto [before, size] = *std::prev(last);
      erase(before, size);
      offset = before, bytes += size;
    }
    insert(offset, bytes);
  }

private:
  std::map<uint64_t, uint64_t> byOffset;
  std::set<std::pair<uint64_t, uint64_t>> bySize;

  void insert(uint64_t offset, uint64_t bytes) {
    byOffset[offset] = bytes;
    bySize.insert({bytes, offset});
  }
  void erase(uint64_t offset, uint64_t bytes) {
    byOffset.erase(offset);
    bySize.erase({bytes, offset});
  }
};

/// Packs intervals one after the other, in many orders, and keeps the best
/// packing.
class Packer {
public:
  Packer(std::span<const Interval> intervals, uint64_t alignment);

  Placement run();

private:
  enum class Fit { First, Best };

  /// An interval with its offsets.
  struct Placed {
    uint64_t begin, end;
    unsigned first, last;
  };

  static constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();
  // Work limits in comparisons of two intervals: some hundred milliseconds
  // each.
  static constexpr uint64_t workToSort = 150'000'000;
  static constexpr uint64_t workToImprove = 100'000'000;

  std::vector<Interval> intervals; ///< with sizes rounded up
  Placement best;
  uint64_t work = 0, mostWork = unlimited;

  std::optional<unsigned> pack(const Order &order, Fit fit);
  uint64_t findOffset(const Interval &interval,
                      const std::vector<Placed> &placed, Fit fit);
  void keepIfBetter(const std::vector<uint64_t> &offsets);
  std::vector<Order> orders() const;
  void packByTime();
  void improve(Order order, Fit fit);
};

} // namespace

Packer::Packer(std::span<const Interval> given, uint64_t alignment)
    : intervals(given.begin(), given.end()) {
  for (Interval &interval : intervals)
    interval.bytes = roundUp(interval.bytes, alignment);
  best.liveBytes = largestLiveSum(given, alignment);
  best.arenaBytes = unlimited;
}

/// The offset of the lowest gap that is large enough, or of the narrowest.
uint64_t Packer::findOffset(const Interval &interval,
                            const std::vector<Placed> &placed, Fit fit) {
  uint64_t end = 0, narrowest = unlimited, found = unlimited;
  for (const Placed &other : placed) {
    // The intervals are not in use at the same time.
    if (other.last < interval.first || interval.last < other.first)
      continue;
    uint64_t gap = other.begin > end ? other.begin - end : 0;
    if (gap >= interval.bytes && gap < narrowest) {
      narrowest = gap;
      found = end;
      if (fit == Fit::First)
        break;
    }
    end = std::max(end, other.end);
  }
  work += placed.size();
  return found == unlimited ? end : found;
}

/// Assigns each interval its offset when it begins, in little more time than
/// sorting takes.
void Packer::packByTime() {
  Order begins(intervals.size());
  std::iota(begins.begin(), begins.end(), 0);
  Order ends = begins;
  std::ranges::sort(
      begins, {}, [&](unsigned i) { return std::pair(intervals[i].first, i); });
  std::ranges::sort(
      ends, {}, [&](unsigned i) { return std::pair(intervals[i].last, i); });
  FreeList memory;
  std::vector<uint64_t> offsets(intervals.size());
  for (auto ended = ends.begin(); unsigned i : begins) {
    // Intervals that end in the step where another begins are not freed yet:
    // the step needs both.
    for (; intervals[*ended].last < intervals[i].first; ++ended)
      if (intervals[*ended].bytes)
        memory.giveBack(offsets[*ended], intervals[*ended].bytes);
    if (intervals[i].bytes)
      offsets[i] = memory.take(intervals[i].bytes);
  }
  keepIfBetter(offsets);
}

/// Packs the intervals in this order. On failure, returns the position in the
/// order of the first interval that would make the arena as large as the best
/// known one, or for which no work is left.
std::optional<unsigned> Packer::pack(const Order &order, Fit fit) {
  std::vector<Placed> placed; // by begin
  std::vector<uint64_t> offsets(intervals.size());
  placed.reserve(intervals.size());
  for (unsigned i = 0; i < order.size(); ++i) {
    const Interval &interval = intervals[order[i]];
    if (interval.bytes == 0)
      continue;
    uint64_t offset = findOffset(interval, placed, fit);
    // The packing cannot become better than the best one, whatever follows.
    if (offset + interval.bytes >= best.arenaBytes ||
        (best.arenaBytes != unlimited && work > mostWork))
      return i;
    offsets[order[i]] = offset;
    Placed place = {offset, offset + interval.bytes, interval.first,
                    interval.last};
    auto above = std::ranges::upper_bound(placed, offset, {}, &Placed::begin);
    placed.insert(above, place);
  }
  keepIfBetter(offsets);
  return std::nullopt;
}

void Packer::keepIfBetter(const std::vector<uint64_t> &offsets) {
  uint64_t end = 0;
  for (unsigned i = 0; i < intervals.size(); ++i)
    end = std::max(end, offsets[i] + intervals[i].bytes);
  if (end >= best.arenaBytes)
    return;
  best.arenaBytes = end;
  best.offsets = offsets;
}

/// Orders in which intervals that are hard to place come early.
std::vector<Order> Packer::orders() const {
  auto length = [&](unsigned i) -> uint64_t {
    return intervals[i].last - intervals[i].first + 1;
  };
  auto bytes = [&](unsigned i) { return intervals[i].bytes; };
  auto latest = [&](unsigned i) { return unlimited - intervals[i].first; };
  std::vector<uint64_t> sums = liveSums(intervals, 1);
  RangeMaximum largest(std::move(sums));
  auto crowd = [&](unsigned i) {
    return largest(intervals[i].first, intervals[i].last);
  };
  using Measure = std::function<uint64_t(unsigned)>;
  // Large or long intervals, and intervals at crowded steps, have the fewest
  // choices. Two orders go by time, forwards and backwards.
  const std::pair<Measure, Measure> measures[] = {
      {bytes, length},
      {[&](unsigned i) { return bytes(i) * length(i); }, bytes},
      {length, bytes},
      {latest, bytes},
      {crowd, bytes},
      {[&](unsigned i) -> uint64_t { return intervals[i].last; }, bytes},
  };

  std::vector<Order> all;
  for (const auto &[most, then] : measures) {
    std::vector<std::tuple<uint64_t, uint64_t, unsigned>> keys;
    for (unsigned i = 0; i < intervals.size(); ++i)
      keys.push_back({most(i), then(i), i});
    std::ranges::sort(keys, std::greater());
    Order &order = all.emplace_back();
    for (const auto &key : keys)
      order.push_back(std::get<unsigned>(key));
  }
  return all;
}

/// Moves intervals that did not fit to an earlier position, again and again.
/// Ends when the allowed work is done.
void Packer::improve(Order order, Fit fit) {
  uint64_t limit = work + workToImprove;
  if (mostWork != unlimited)
    mostWork = limit;
  std::vector<unsigned> failures(intervals.size());
  while (best.arenaBytes > best.liveBytes && work < limit) {
    std::optional<unsigned> failed = pack(order, fit);
    if (!failed)
      continue;
    // Moved half way to the front, and to the front if that was not enough. As
    // in "squeaky wheel" optimisation, intervals that caused trouble are served
    // earlier.
    unsigned turn = failures[order[*failed]]++ % 2 ? 0 : *failed / 2;
    std::rotate(order.begin() + turn, order.begin() + *failed,
                order.begin() + *failed + 1);
    work += order.size();
  }
}

Placement Packer::run() {
  // For many intervals, a single packing may exhaust the work limit.
  if (intervals.size() * intervals.size() / 2 > workToSort) {
    packByTime();
    mostWork = workToSort;
  }
  Order bestOrder;
  Fit bestFit = Fit::First;
  for (const Order &order : orders()) {
    for (Fit fit : {Fit::First, Fit::Best}) {
      // The lower bound is reached: no order is better.
      if (best.arenaBytes <= best.liveBytes ||
          (best.arenaBytes != unlimited && work > workToSort))
        return best;
      if (!pack(order, fit)) {
        bestOrder = order;
        bestFit = fit;
      }
    }
  }
  if (!bestOrder.empty())
    improve(bestOrder, bestFit);
  return best;
}

Placement glow::place(std::span<const Interval> intervals, uint64_t alignment) {
  if (intervals.empty())
    return {};
  return Packer(intervals, alignment).run();
}
