//===- OrderSearch.cpp - orders of steps, several at a time ---------------===//
// SPDX-License-Identifier: MIT
//
// The bytes in use depend on the set of steps that have run, not on their
// order. So prefixes that have run the same steps are merged into the one with
// the least peak. Only the best prefixes of each length are extended. If all of
// them are extended, as for few steps, the search is exact.
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <tuple>

using namespace glow;

namespace {

/// A prefix of an order.
struct Beginning {
  uint64_t peak = 0, live = 0, key = 0; ///< `key` stands for the set of steps
  int previous = -1;                    ///< in the level before
  unsigned step = 0;                    ///< the last one
};

/// The state after a prefix.
struct State {
  std::vector<unsigned> usersLeft; ///< by piece of memory
  std::vector<unsigned> waitsFor;  ///< of each step
  std::vector<unsigned> ready;
};

class Search {
public:
  Search(const Steps &steps, uint64_t bound, size_t width);
  std::optional<std::vector<unsigned>> run();

private:
  const Steps &steps;
  const uint64_t bound;
  const size_t width;
  std::vector<unsigned> users; ///< by piece: its number of users
  std::vector<std::vector<unsigned>> followers;
  std::vector<std::vector<Beginning>> levels;
  std::vector<State> states; ///< states of the last level

  State start() const;
  Beginning extended(const Beginning &from, const State &state,
                     unsigned step) const;
  std::vector<Beginning> candidates() const;
  void keepBest(std::vector<Beginning> &next) const;
  State after(State state, unsigned step) const;
  bool advance();
  std::vector<unsigned> orderOf(const Beginning &last) const;
};

} // namespace

Search::Search(const Steps &steps, uint64_t bound, size_t width)
    : steps(steps), bound(bound), width(width), users(steps.bytes.size()),
      followers(steps.size()) {
  for (const auto &pieces : steps.needs)
    for (unsigned piece : pieces)
      ++users[piece];
  for (unsigned step = 0; step < steps.size(); ++step)
    for (unsigned earlier : steps.after[step])
      followers[earlier].push_back(step);
}

State Search::start() const {
  State state{users, {}, {}};
  for (unsigned step = 0; step < steps.size(); ++step) {
    state.waitsFor.push_back(steps.after[step].size());
    if (steps.after[step].empty())
      state.ready.push_back(step);
  }
  return state;
}

/// A hash of a step: sums of hashes distinguish sets of steps.
static uint64_t keyOf(unsigned step) {
  uint64_t x = (step + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

Beginning Search::extended(const Beginning &from, const State &state,
                           unsigned step) const {
  uint64_t live = from.live, ended = 0;
  for (unsigned piece : steps.needs[step]) {
    live += state.usersLeft[piece] == users[piece] ? steps.bytes[piece] : 0;
    ended += state.usersLeft[piece] == 1 ? steps.bytes[piece] : 0;
  }
  return {std::max(from.peak, live), live - ended, from.key + keyOf(step), -1,
          step};
}

std::vector<Beginning> Search::candidates() const {
  std::vector<Beginning> next;
  for (auto [i, state] : llvm::enumerate(states))
    for (unsigned step : state.ready) {
      Beginning longer = extended(levels.back()[i], state, step);
      longer.previous = int(i);
      if (longer.peak < bound)
        next.push_back(longer);
    }
  return next;
}

/// Keeps the first prefix with the least peak of each set, and of all sets the
/// best `width`.
void Search::keepBest(std::vector<Beginning> &next) const {
  std::ranges::sort(next, {}, [](const Beginning &one) {
    return std::tuple(one.peak, one.live, one.previous, one.step);
  });
  llvm::DenseMap<uint64_t, bool> seen;
  std::erase_if(next, [&](const Beginning &one) {
    return !seen.try_emplace(one.key >> 1, true).second;
  });
  if (next.size() > width)
    next.resize(width);
}

State Search::after(State state, unsigned step) const {
  std::erase(state.ready, step);
  for (unsigned piece : steps.needs[step])
    --state.usersLeft[piece];
  for (unsigned follower : followers[step])
    if (--state.waitsFor[follower] == 0)
      state.ready.push_back(follower);
  return state;
}

/// Extends the prefixes by one step; false when there are none.
bool Search::advance() {
  std::vector<Beginning> next = candidates();
  keepBest(next);
  std::vector<State> nextStates;
  for (const Beginning &one : next)
    nextStates.push_back(after(states[one.previous], one.step));
  states = std::move(nextStates);
  levels.push_back(std::move(next));
  return !states.empty();
}

std::vector<unsigned> Search::orderOf(const Beginning &last) const {
  std::vector<unsigned> order;
  const Beginning *one = &last;
  for (size_t level = levels.size() - 1; level > 0; --level) {
    order.push_back(one->step);
    one = &levels[level - 1][one->previous];
  }
  std::ranges::reverse(order);
  return order;
}

std::optional<std::vector<unsigned>> Search::run() {
  levels.push_back({Beginning()});
  states.push_back(start());
  for (unsigned step = 0; step < steps.size(); ++step)
    if (!advance())
      return std::nullopt;
  return orderOf(levels.back().front());
}

std::optional<std::vector<unsigned>> glow::searchOrder(const Steps &steps,
                                                       uint64_t bound) {
  constexpr size_t work = 1 << 22, exact = 1 << 14;
  size_t each = steps.size() * (2 * steps.size() + steps.bytes.size());
  // 16 steps have at most C(16, 8) < 2^14 subsets of one size.
  size_t width = steps.size() <= 16 ? exact : std::min(exact, work / each);
  if (width < 2)
    return std::nullopt;
  return Search(steps, bound, width).run();
}
