//===- Schedule.cpp - order of steps for less memory ----------------------===//
// SPDX-License-Identifier: MIT
//
// Finding the order of instructions that needs the least memory is NP-hard
// except for trees (register allocation with sharing). Five orders and the
// given order are compared by their peaks. A search then looks for an order
// with a lower peak than the best of these. The given order stays unless
// another one is better: results should not change without a gain.
//
//===----------------------------------------------------------------------===//

#include "glow/Memory/Schedule.h"
#include "OrderSearch.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

using namespace glow;

using Order = std::vector<unsigned>;
using Lists = std::vector<std::vector<unsigned>>;

/// Inverts a relation: the steps that need each piece of memory, or the steps
/// that follow each step.
static Lists inverse(const Lists &lists, size_t size) {
  Lists result(size);
  for (unsigned i = 0; i < lists.size(); ++i)
    for (unsigned entry : lists[i])
      result[entry].push_back(i);
  return result;
}

uint64_t glow::peakBytes(const Steps &steps, const Order &order) {
  std::vector<unsigned> left(steps.bytes.size());
  for (const auto &pieces : steps.needs)
    for (unsigned piece : pieces)
      ++left[piece];
  std::vector<bool> begun(steps.bytes.size());
  uint64_t live = 0, peak = 0;
  for (unsigned step : order) {
    for (unsigned piece : steps.needs[step])
      if (!begun[piece]) {
        begun[piece] = true;
        live += steps.bytes[piece];
      }
    // All pieces of the step count, including those that it begins and ends.
    peak = std::max(peak, live);
    for (unsigned piece : steps.needs[step])
      if (--left[piece] == 0)
        live -= steps.bytes[piece];
  }
  return peak;
}

//===----------------------------------------------------------------------===//
// Greedy: the step that adds least comes next
//===----------------------------------------------------------------------===//

namespace {

/// The tie break between steps that add the same number of bytes.
enum class Tie { Oldest, Newest };

/// List scheduling: always takes the ready step after which the fewest bytes
/// are in use.
class Greedy {
public:
  Greedy(const Steps &steps, Tie tie);
  Order run();

private:
  const Steps &steps;
  Tie tie;
  Lists users, followers;
  std::vector<unsigned> usersLeft, waitsFor;
  std::vector<bool> begun;

  /// The bytes that a step adds, the time when it became ready, and its index.
  using Key = std::tuple<int64_t, int64_t, unsigned>;
  std::set<Key> ready;
  std::vector<Key> keys;
  std::vector<bool> isReady;
  int64_t clock = 0;

  int64_t added(unsigned step) const;
  void makeReady(unsigned step);
  void updateUsers(unsigned piece);
  void finish(unsigned step);
};

} // namespace

Greedy::Greedy(const Steps &steps, Tie tie)
    : steps(steps), tie(tie), users(inverse(steps.needs, steps.bytes.size())),
      followers(inverse(steps.after, steps.size())), waitsFor(steps.size()),
      begun(steps.bytes.size()), keys(steps.size()), isReady(steps.size()) {
  for (const auto &list : users)
    usersLeft.push_back(list.size());
}

/// The bytes in use after the step minus those before it.
int64_t Greedy::added(unsigned step) const {
  int64_t sum = 0;
  for (unsigned piece : steps.needs[step]) {
    int64_t bytes = steps.bytes[piece];
    sum += begun[piece] ? 0 : bytes;
    // The last user frees the piece, even if the same step began it.
    sum -= usersLeft[piece] == 1 ? bytes : 0;
  }
  return sum;
}

void Greedy::makeReady(unsigned step) {
  // Oldest follows the order of the model; newest continues with the latest
  // result, depth first.
  int64_t age = tie == Tie::Oldest ? step : -clock;
  keys[step] = {added(step), age, step};
  isReady[step] = true;
  ready.insert(keys[step]);
}

/// Updates the steps that need a piece, after the piece has begun or has one
/// user left: their added bytes have changed.
void Greedy::updateUsers(unsigned piece) {
  for (unsigned step : users[piece]) {
    if (!isReady[step])
      continue;
    ready.erase(keys[step]);
    std::get<0>(keys[step]) = added(step);
    ready.insert(keys[step]);
  }
}

void Greedy::finish(unsigned step) {
  ++clock;
  isReady[step] = false;
  for (unsigned piece : steps.needs[step]) {
    bool begins = !begun[piece];
    begun[piece] = true;
    // Only these events change the bytes that other steps add. So the users of
    // a piece are visited twice, not once per use.
    if (--usersLeft[piece] == 1 || begins)
      updateUsers(piece);
  }
  for (unsigned follower : followers[step])
    if (--waitsFor[follower] == 0)
      makeReady(follower);
}

Order Greedy::run() {
  for (unsigned step = 0; step < steps.size(); ++step) {
    waitsFor[step] = steps.after[step].size();
    if (waitsFor[step] == 0)
      makeReady(step);
  }
  Order order;
  while (!ready.empty()) {
    unsigned step = std::get<2>(*ready.begin());
    ready.erase(ready.begin());
    order.push_back(step);
    finish(step);
  }
  return order;
}

/// The same steps in reverse: the last step comes first, and a step begins the
/// pieces that it freed. An order of these needs as much memory as its reverse.
static Steps reversed(const Steps &steps) {
  return {steps.bytes, steps.needs, inverse(steps.after, steps.size())};
}

static Order greedyFromTheEnd(const Steps &steps, Tie tie) {
  Order order = Greedy(reversed(steps), tie).run();
  std::ranges::reverse(order);
  return order;
}

//===----------------------------------------------------------------------===//
// The branch that needs most memory comes first
//===----------------------------------------------------------------------===//

/// Orders the branches of a step as Sethi and Ullman do: first the branch whose
/// peak exceeds its result by most. Exact for a tree whose steps have one
/// result; for other graphs it is an estimate as good as any.
class Branches {
public:
  explicit Branches(const Steps &steps) : steps(steps) {}
  Order run();

private:
  const Steps &steps;
  std::vector<double> peak, kept; ///< by last step of a branch
  Lists branches;                 ///< `after`, in the order to run

  void estimate(unsigned step, double ownBytes);
  void emit(unsigned root, Order &order, std::vector<bool> &done) const;
};

void Branches::estimate(unsigned step, double ownBytes) {
  std::vector<unsigned> &inputs = branches.emplace_back(steps.after[step]);
  std::ranges::sort(inputs, {}, [&](unsigned input) {
    // Descending by peak - kept.
    return std::pair(kept[input] - peak[input], input);
  });
  double held = 0, most = 0;
  for (unsigned input : inputs) {
    // Results of earlier branches are held while this one runs.
    most = std::max(most, held + peak[input]);
    held += kept[input];
  }
  peak.push_back(std::max(most, held + ownBytes));
  kept.push_back(ownBytes);
}

/// Depth first, without recursion: a model may be a chain of any length.
void Branches::emit(unsigned root, Order &order,
                    std::vector<bool> &done) const {
  std::vector<std::pair<unsigned, unsigned>> path; // a step, its next branch
  path.push_back({root, 0});
  while (!path.empty()) {
    auto [step, next] = path.back();
    if (done[step]) {
      path.pop_back();
    } else if (next < branches[step].size()) {
      ++path.back().second;
      path.push_back({branches[step][next], 0});
    } else {
      done[step] = true;
      order.push_back(step);
    }
  }
}

Order Branches::run() {
  std::vector<bool> begun(steps.bytes.size()), followed(steps.size());
  for (unsigned step = 0; step < steps.size(); ++step) {
    double ownBytes = 0;
    for (unsigned piece : steps.needs[step]) {
      if (!begun[piece])
        ownBytes += steps.bytes[piece];
      begun[piece] = true;
    }
    estimate(step, ownBytes);
    for (unsigned input : steps.after[step])
      followed[input] = true;
  }
  Order order;
  std::vector<bool> done(steps.size());
  for (unsigned step = 0; step < steps.size(); ++step)
    // Start at every step without followers: its branches contain all other
    // steps.
    if (!followed[step])
      emit(step, order, done);
  return order;
}

/// A lower bound of the peak: the most bytes that one step needs alone.
static uint64_t leastPeak(const Steps &steps) {
  uint64_t most = 0;
  for (const std::vector<unsigned> &pieces : steps.needs) {
    uint64_t bytes = 0;
    for (unsigned piece : pieces)
      bytes += steps.bytes[piece];
    most = std::max(most, bytes);
  }
  return most;
}

std::vector<unsigned> glow::schedule(const Steps &steps) {
  Order best(steps.size());
  std::iota(best.begin(), best.end(), 0);
  uint64_t least = peakBytes(steps, best), bound = leastPeak(steps);
  if (least == bound)
    return best;
  const Order candidates[] = {
      Greedy(steps, Tie::Oldest).run(), Greedy(steps, Tie::Newest).run(),
      greedyFromTheEnd(steps, Tie::Oldest),
      greedyFromTheEnd(steps, Tie::Newest), Branches(steps).run()};
  for (const Order &order : candidates) {
    uint64_t peak = peakBytes(steps, order);
    if (peak < least) {
      least = peak;
      best = order;
    }
  }
  if (least > bound)
    if (std::optional<Order> found = searchOrder(steps, least))
      return *found;
  return best;
}
