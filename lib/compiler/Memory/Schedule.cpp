//===- Schedule.cpp - an order that needs less memory ---------------------===//
//
// Which order of instructions needs the least memory is NP-hard for anything
// but trees (register allocation with sharing). Five orders are weighed by what
// they would need, and the order that is there; a search looks for one that
// needs less than the best of these. What is there stays unless another one is
// better, since results should not move when nothing is gained.
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

/// Of each piece of memory the steps that need it, or of each step those that
/// follow it.
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
    // At its own step, everything it needs counts, what it begins and what it
    // ends.
    peak = std::max(peak, live);
    for (unsigned piece : steps.needs[step])
      if (--left[piece] == 0)
        live -= steps.bytes[piece];
  }
  return peak;
}

//===----------------------------------------------------------------------===//
// The step that adds least comes next
//===----------------------------------------------------------------------===//

namespace {

/// Which of several steps that add as much comes first.
enum class Tie { Oldest, Newest };

/// List scheduling: of the steps that may run, always the one after which the
/// fewest bytes are in use.
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

  /// What a step adds, when it became ready, and which it is.
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

/// Bytes in use after the step less those before it.
int64_t Greedy::added(unsigned step) const {
  int64_t sum = 0;
  for (unsigned piece : steps.needs[step]) {
    int64_t bytes = steps.bytes[piece];
    sum += begun[piece] ? 0 : bytes;
    // Its last user frees it, also where that began it.
    sum -= usersLeft[piece] == 1 ? bytes : 0;
  }
  return sum;
}

void Greedy::makeReady(unsigned step) {
  // Oldest goes by the order of the model; newest goes on with what was just
  // made, depth first.
  int64_t age = tie == Tie::Oldest ? step : -clock;
  keys[step] = {added(step), age, step};
  isReady[step] = true;
  ready.insert(keys[step]);
}

/// A piece of memory has begun, or is left to one step: what the steps that
/// need it add has changed.
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
    // Only then does what others add change; a piece of many users is gone
    // through twice, not once a use.
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

/// The same steps with time turned around: what comes last comes first, and
/// what a step frees it begins. Needs as much memory in the opposite order.
static Steps reversed(const Steps &steps) {
  return {steps.bytes, steps.needs, inverse(steps.after, steps.size())};
}

static Order greedyFromTheEnd(const Steps &steps, Tie tie) {
  Order order = Greedy(reversed(steps), tie).run();
  std::ranges::reverse(order);
  return order;
}

//===----------------------------------------------------------------------===//
// The branch that needs most comes first
//===----------------------------------------------------------------------===//

/// The branches of a step in the order of Sethi and Ullman: first the one whose
/// peak is most above what it leaves behind. Exact for a tree whose steps have
/// one result; for others an estimate as good as any.
class Branches {
public:
  explicit Branches(const Steps &steps) : steps(steps) {}
  Order run();

private:
  const Steps &steps;
  std::vector<double> peak, kept; ///< of the branch that ends in a step
  Lists branches;                 ///< `after`, in the order to run

  void estimate(unsigned step, double ownBytes);
  void emit(unsigned root, Order &order, std::vector<bool> &done) const;
};

void Branches::estimate(unsigned step, double ownBytes) {
  std::vector<unsigned> &inputs = branches.emplace_back(steps.after[step]);
  std::ranges::sort(inputs, {}, [&](unsigned input) {
    // Falling by peak - kept.
    return std::pair(kept[input] - peak[input], input);
  });
  double held = 0, most = 0;
  for (unsigned input : inputs) {
    // Results of the branches before are held while this one runs.
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
    // From every step that nothing follows: its branches hold all others.
    if (!followed[step])
      emit(step, order, done);
  return order;
}

/// What some step needs alone, and no order less.
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
