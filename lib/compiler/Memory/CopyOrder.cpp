//===- CopyOrder.cpp - an order in which copies hide ----------------------===//
//
// First waits go down as far as they may, then starts go up. Both look at what
// memories hold at each step of the order that there is so far, so that room is
// never given away that a step behind it needs.
//
//===----------------------------------------------------------------------===//

#include "CopyOrder.h"

#include <algorithm>
#include <deque>

using namespace glow;

using Kind = CopySteps::Kind;

namespace {

/// How often each piece is still to be touched, and what memories hold.
class InUse {
public:
  InUse(const CopySteps &steps, size_t memories)
      : steps(steps), left(steps.pieces.size()), begun(steps.pieces.size()),
        held(memories) {
    for (const std::vector<unsigned> &pieces : steps.touches)
      for (unsigned piece : pieces)
        ++left[piece];
  }

  /// What the memories hold while the step runs, if it is the next.
  std::vector<uint64_t> during(unsigned step) const {
    std::vector<uint64_t> result = held;
    for (unsigned piece : steps.touches[step])
      if (!begun[piece])
        result[steps.pieces[piece].memory] += steps.pieces[piece].bytes;
    return result;
  }

  void take(unsigned step) {
    held = during(step);
    for (unsigned piece : steps.touches[step]) {
      begun[piece] = true;
      if (--left[piece] == 0)
        held[steps.pieces[piece].memory] -= steps.pieces[piece].bytes;
    }
  }

private:
  const CopySteps &steps;
  std::vector<unsigned> left;
  std::vector<bool> begun;
  std::vector<uint64_t> held; ///< bytes, of each memory
};

bool fits(const std::vector<uint64_t> &bytes,
          const std::vector<uint64_t> &capacities) {
  return std::ranges::equal(bytes, capacities, std::less_equal<>());
}

size_t memoriesOf(const std::vector<std::vector<uint64_t>> &capacities) {
  return capacities.empty() ? 0 : capacities.front().size();
}

/// Waits wait until a step follows them, or needs the room that they give.
class LateWaits {
public:
  LateWaits(const CopySteps &steps,
            const std::vector<std::vector<uint64_t>> &capacities)
      : steps(steps), capacities(capacities),
        inUse(steps, memoriesOf(capacities)) {}

  std::vector<unsigned> run() {
    for (unsigned step = 0; step < steps.size(); ++step) {
      if (steps.kinds[step] == Kind::Wait) {
        pending.push_back(step);
        continue;
      }
      for (unsigned before : steps.after[step])
        if (auto wait = std::ranges::find(pending, before);
            wait != pending.end()) {
          pending.erase(wait);
          take(before);
        }
      while (!pending.empty() && !fits(inUse.during(step), capacities[step]))
        takeFirst();
      take(step);
    }
    while (!pending.empty())
      takeFirst();
    return std::move(order);
  }

private:
  const CopySteps &steps;
  const std::vector<std::vector<uint64_t>> &capacities;
  InUse inUse;
  std::deque<unsigned> pending;
  std::vector<unsigned> order;

  void take(unsigned step) {
    inUse.take(step);
    order.push_back(step);
  }
  void takeFirst() {
    unsigned step = pending.front();
    pending.pop_front();
    take(step);
  }
};

/// Starts go before steps that they need not follow, while there is room until
/// the place where they were; not earlier than copies that go one after the
/// other need, since room is then for others.
class EarlyStarts {
public:
  EarlyStarts(const CopySteps &steps, std::vector<unsigned> given,
              const std::vector<std::vector<uint64_t>> &capacities)
      : steps(steps), given(std::move(given)), capacities(capacities),
        taken(steps.size()), firstTouch(steps.pieces.size(), ~0u) {
    InUse inUse(steps, memoriesOf(capacities));
    for (unsigned place = 0; place < steps.size(); ++place) {
      unsigned step = this->given[place];
      held.push_back(inUse.during(step));
      inUse.take(step);
      for (unsigned piece : steps.touches[step])
        firstTouch[piece] = std::min(firstTouch[piece], place);
      if (steps.kinds[step] == Kind::Start)
        starts.push_back(place);
    }
    findReleases();
  }

  std::vector<unsigned> run() {
    for (unsigned place = 0; place < steps.size(); ++place) {
      unsigned step = given[place];
      if (taken[step])
        continue;
      if (steps.kinds[step] != Kind::Start)
        hoist(place);
      take(step);
    }
    return std::move(order);
  }

private:
  /// How many starts are looked at for one step: memories are full before.
  static constexpr unsigned window = 64;

  const CopySteps &steps;
  std::vector<unsigned> given;
  const std::vector<std::vector<uint64_t>> &capacities;
  std::vector<bool> taken;
  std::vector<unsigned> firstTouch;        ///< place, of each piece
  std::vector<std::vector<uint64_t>> held; ///< at each place, of each memory
  std::deque<unsigned> starts;             ///< places of those not taken
  std::vector<unsigned> order;
  std::vector<uint64_t> ends;     ///< at each place, of all that computes
  std::vector<uint64_t> releases; ///< when a start may be, of each step

  /// From the end: a copy ends before what waits for it, and before the next
  /// one begins. Twice its cycles are for others on the way.
  void findReleases() {
    releases.resize(steps.size());
    std::vector<uint64_t> deadlines(steps.size(), ~uint64_t(0));
    uint64_t now = 0;
    for (unsigned step : given) {
      if (steps.kinds[step] == Kind::Wait)
        for (unsigned start : steps.after[step])
          deadlines[start] = std::min(deadlines[start], now);
      if (steps.kinds[step] == Kind::Other)
        now += steps.cycles[step];
      ends.push_back(now);
    }
    uint64_t next = now;
    for (auto place = starts.rbegin(); place != starts.rend(); ++place) {
      unsigned step = given[*place];
      uint64_t end = std::min(next, deadlines[step]);
      next = releases[step] = end - std::min(end, 2 * steps.cycles[step]);
    }
  }

  void take(unsigned step) {
    taken[step] = true;
    order.push_back(step);
  }

  bool isReady(unsigned step) const {
    return std::ranges::all_of(steps.after[step],
                               [&](unsigned before) { return taken[before]; });
  }

  /// What more the memories hold if the step at `from` runs before.
  std::vector<uint64_t> added(unsigned from) const {
    std::vector<uint64_t> bytes(memoriesOf(capacities));
    for (unsigned piece : steps.touches[given[from]])
      if (firstTouch[piece] == from)
        bytes[steps.pieces[piece].memory] += steps.pieces[piece].bytes;
    return bytes;
  }

  bool hasRoom(unsigned to, unsigned from,
               const std::vector<uint64_t> &bytes) const {
    for (unsigned place = to; place < from; ++place)
      for (size_t memory = 0; memory < bytes.size(); ++memory)
        if (bytes[memory] && held[place][memory] + bytes[memory] >
                                 capacities[given[place]][memory])
          return false;
    return true;
  }

  void hoist(unsigned to) {
    unsigned seen = 0;
    for (auto start = starts.begin(); start != starts.end() && seen < window;) {
      unsigned from = *start, step = given[from];
      if (taken[step]) {
        start = starts.erase(start);
        continue;
      }
      ++seen;
      if (ends[to] < releases[step])
        return;
      if (!isReady(step)) {
        ++start;
        continue;
      }
      std::vector<uint64_t> bytes = added(from);
      if (!hasRoom(to, from, bytes))
        return;
      for (unsigned place = to; place < from; ++place)
        for (size_t memory = 0; memory < bytes.size(); ++memory)
          held[place][memory] += bytes[memory];
      for (unsigned piece : steps.touches[step])
        firstTouch[piece] = std::min(firstTouch[piece], to);
      take(step);
      start = starts.erase(start);
    }
  }
};

} // namespace

std::vector<unsigned>
glow::orderCopies(const CopySteps &steps,
                  const std::vector<std::vector<uint64_t>> &capacities) {
  std::vector<unsigned> late = LateWaits(steps, capacities).run();
  return EarlyStarts(steps, std::move(late), capacities).run();
}
