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

/// Waits wait until a step follows them, or needs the room that they give.
class LateWaits {
public:
  LateWaits(const CopySteps &steps, const std::vector<uint64_t> &capacities)
      : steps(steps), capacities(capacities), inUse(steps, capacities.size()) {}

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
      while (!pending.empty() && !fits(inUse.during(step), capacities))
        takeFirst();
      take(step);
    }
    while (!pending.empty())
      takeFirst();
    return std::move(order);
  }

private:
  const CopySteps &steps;
  const std::vector<uint64_t> &capacities;
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
/// the place where they were.
class EarlyStarts {
public:
  EarlyStarts(const CopySteps &steps, std::vector<unsigned> given,
              const std::vector<uint64_t> &capacities)
      : steps(steps), given(std::move(given)), capacities(capacities),
        taken(steps.size()), firstTouch(steps.pieces.size(), ~0u) {
    InUse inUse(steps, capacities.size());
    for (unsigned place = 0; place < steps.size(); ++place) {
      unsigned step = this->given[place];
      held.push_back(inUse.during(step));
      inUse.take(step);
      for (unsigned piece : steps.touches[step])
        firstTouch[piece] = std::min(firstTouch[piece], place);
      if (steps.kinds[step] == Kind::Start)
        starts.push_back(place);
    }
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
  const std::vector<uint64_t> &capacities;
  std::vector<bool> taken;
  std::vector<unsigned> firstTouch;        ///< place, of each piece
  std::vector<std::vector<uint64_t>> held; ///< at each place, of each memory
  std::deque<unsigned> starts;             ///< places of those not taken
  std::vector<unsigned> order;

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
    std::vector<uint64_t> bytes(capacities.size());
    for (unsigned piece : steps.touches[given[from]])
      if (firstTouch[piece] == from)
        bytes[steps.pieces[piece].memory] += steps.pieces[piece].bytes;
    return bytes;
  }

  bool hasRoom(unsigned to, unsigned from,
               const std::vector<uint64_t> &bytes) const {
    for (unsigned place = to; place < from; ++place)
      for (size_t memory = 0; memory < bytes.size(); ++memory)
        if (bytes[memory] &&
            held[place][memory] + bytes[memory] > capacities[memory])
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
                  const std::vector<uint64_t> &capacities) {
  std::vector<unsigned> late = LateWaits(steps, capacities).run();
  return EarlyStarts(steps, std::move(late), capacities).run();
}
