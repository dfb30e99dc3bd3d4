//===- CopyOrder.cpp - schedule that hides copies -------------------------===//
// SPDX-License-Identifier: MIT
//
// A list scheduler takes the steps one after the other, and a timeline predicts
// when copies end. Before a computing step, it starts copies of later steps, as
// long as their engine would be idle during that step. A copy that is only
// queued holds memory and hides no latency.
//
//===----------------------------------------------------------------------===//

#include "CopyOrder.h"
#include "CopyPlaces.h"
#include "HeldBytes.h"

#include <algorithm>
#include <deque>
#include <limits>

using namespace glow;

using Kind = CopySteps::Kind;
using Ahead = CopyPlaces::Ahead;

namespace {

/// The latest end of each copy, and the earliest time of its start, in cycles
/// of computation.
class Deadlines {
public:
  explicit Deadlines(const CopySteps &steps)
      : steps(steps), begins(steps.size()), ends(steps.size(), never),
        releases(steps.size()), next(steps.copiers.engines.size(), never) {
    for (unsigned step = 0; step < steps.size(); ++step) {
      begins[step] = computing;
      computing += cyclesOf(step);
    }
    for (unsigned step = steps.size(); step-- > 0;) {
      if (steps.kinds[step] == Kind::Start)
        findRelease(step);
      else if (steps.kinds[step] == Kind::Other)
        require(step, begins[step]);
    }
  }

  /// Whether the copy may start before the step.
  bool permit(unsigned start, unsigned step) const {
    return begins[step] + cyclesOf(step) >= releases[start];
  }

  /// Whether the copy must end before the step after `step`.
  bool isUrgent(unsigned start, unsigned step) const {
    return ends[start] <= begins[step] + cyclesOf(step);
  }

private:
  static constexpr int64_t never = std::numeric_limits<int64_t>::max() / 2;

  const CopySteps &steps;
  std::vector<int64_t> begins;   ///< cycles when steps begin without waiting
  std::vector<int64_t> ends;     ///< cycles when the copies of starts end
  std::vector<int64_t> releases; ///< of each start
  std::vector<int64_t> next;     ///< by engine: the earliest copy so far
  int64_t computing = 0;

  int64_t cyclesOf(unsigned step) const {
    return steps.kinds[step] == Kind::Other ? int64_t(steps.cycles[step]) : 0;
  }

  /// Sets deadlines: copies that the step needs must end by `time`.
  void require(unsigned step, int64_t time) {
    for (unsigned before : steps.after[step]) {
      if (steps.kinds[before] == Kind::Wait)
        require(before, time);
      else if (steps.kinds[before] == Kind::Start)
        ends[before] = std::min(ends[before], time);
    }
  }

  /// Computes the release of a start. Copies of one engine run one after the
  /// other. The copy's cycles count twice, once as a margin, because engines
  /// may share the bandwidth of a memory.
  void findRelease(unsigned start) {
    auto cycles = int64_t(steps.cycles[start]);
    int64_t &later = next[steps.copies[start].engine];
    later = std::min({later, ends[start], computing}) - cycles;
    releases[start] = later - cycles;
    require(start, later);
  }
};

/// Puts the steps of one function into an order.
class CopyScheduler {
public:
  CopyScheduler(const CopySteps &steps, const CopyRoom &room,
                const std::vector<uint64_t> &capacities, Look look)
      : steps(steps), deadlines(steps), held(steps, room),
        places(steps, capacities, look), timeline(steps.copiers),
        taken(steps.size()), numbers(steps.size()) {
    for (unsigned step = 0; step < steps.size(); ++step)
      if (steps.kinds[step] == Kind::Start)
        starts.push_back(step);
  }

  CopyOrder run() {
    for (unsigned step = 0; step < steps.size(); ++step)
      if (!taken[step] && !pass(step))
        return {{}, 0, {}, step};
    while (!late.empty())
      takeLate(0);
    return {std::move(order), timeline.now(), std::move(places.offsets),
            std::nullopt};
  }

private:
  /// An upper bound of the starts that are considered before one step.
  static constexpr unsigned window = 64;

  struct LateWait {
    unsigned step;
    bool hadEnded = false; ///< at the computing step before
  };

  const CopySteps &steps;
  Deadlines deadlines;
  HeldBytes held;
  CopyPlaces places;
  Timeline timeline;
  std::vector<bool> taken;
  std::vector<unsigned> numbers; ///< by start: its copy in the timeline
  std::deque<unsigned> starts;   ///< not taken yet
  std::vector<LateWait> late;
  std::vector<unsigned> order;

  /// Takes the step; false if its pieces find no place.
  bool pass(unsigned step) {
    if (steps.kinds[step] == Kind::Wait) {
      late.push_back({step});
      held.delay(step);
      return true;
    }
    bool computes = steps.kinds[step] == Kind::Other;
    if (computes) {
      takeStale();
      hoist(step);
    }
    takeWaitsBefore(step);
    makeRoom(step);
    if (computes)
      hoist(step);
    if (!places.find(step, step, Ahead::Steps) &&
        !places.find(step, step, Ahead::Nothing))
      return false;
    take(step);
    return true;
  }

  void take(unsigned step) {
    if (steps.kinds[step] == Kind::Start) {
      const Moved &copy = steps.copies[step];
      numbers[step] = timeline.start(copy.engine, copy.bytes, copy.memories);
    } else {
      for (unsigned before : steps.after[step])
        if (steps.kinds[before] == Kind::Start)
          timeline.wait(numbers[before]);
      if (steps.kinds[step] == Kind::Other)
        timeline.run(steps.cycles[step]);
    }
    held.take(step);
    places.take(step);
    taken[step] = true;
    order.push_back(step);
  }

  void takeLate(size_t number) {
    unsigned step = late[number].step;
    late.erase(late.begin() + std::ptrdiff_t(number));
    take(step);
  }

  bool hasEnded(unsigned wait) const {
    return std::ranges::all_of(steps.after[wait], [&](unsigned before) {
      return steps.kinds[before] != Kind::Start ||
             (taken[before] && timeline.hasEnded(numbers[before]));
    });
  }

  /// Takes waits whose copies have ended; returns whether there were any.
  bool takeEnded() {
    size_t before = late.size();
    for (size_t number = 0; number < late.size();)
      if (hasEnded(late[number].step))
        takeLate(number);
      else
        ++number;
    return late.size() < before;
  }

  /// Takes waits one step after the end of their copies, so that a device
  /// slower than predicted need not wait there.
  void takeStale() {
    for (size_t number = 0; number < late.size();) {
      if (late[number].hadEnded) {
        takeLate(number);
        continue;
      }
      late[number].hadEnded = hasEnded(late[number].step);
      ++number;
    }
  }

  void takeWaitsBefore(unsigned step) {
    for (unsigned before : steps.after[step])
      for (size_t number = 0; number < late.size(); ++number)
        if (late[number].step == before) {
          takeLate(number);
          break;
        }
  }

  bool hasRoom(unsigned step) {
    return held.fits(step) && places.find(step, step, Ahead::Steps);
  }

  /// Waits for copies, oldest first, until their freed pieces make the step
  /// fit.
  void makeRoom(unsigned step) {
    if (!hasRoom(step))
      takeEnded();
    for (size_t number = 0; number < late.size() && !hasRoom(step);)
      if (held.releases(late[number].step))
        takeLate(number);
      else
        ++number;
  }

  bool isLate(unsigned wait) const {
    return std::ranges::find(late, wait, &LateWait::step) != late.end();
  }

  /// Whether the step can run next without waiting.
  bool isReady(unsigned step) const {
    return std::ranges::all_of(steps.after[step], [&](unsigned before) {
      return taken[before] || (isLate(before) && hasEnded(before));
    });
  }

  /// The engines of unfinished copies that the step waits for.
  std::vector<bool> enginesBefore(unsigned step) const {
    std::vector<bool> engines(steps.copiers.engines.size());
    auto add = [&](unsigned before) {
      if (steps.kinds[before] == Kind::Start && taken[before] &&
          !timeline.hasEnded(numbers[before]))
        engines[steps.copies[before].engine] = true;
    };
    for (unsigned before : steps.after[step]) {
      add(before);
      if (steps.kinds[before] == Kind::Wait && !taken[before])
        std::ranges::for_each(steps.after[before], add);
    }
    return engines;
  }

  /// Starts copies before the step `to`, until their engines are busy during
  /// that step. If `to` waits for a copy of an engine, another copy of that
  /// engine starts only after the wait, when more memory is free. That applies
  /// if the two copies would share a bandwidth, or if pieces linger.
  void hoist(unsigned to) {
    std::vector<bool> isBusy = enginesBefore(to);
    double end = timeline.now();
    for (unsigned engine = 0; engine < isBusy.size(); ++engine)
      if (isBusy[engine]) {
        end = std::max(end, timeline.busyUntil(engine));
        isBusy[engine] =
            steps.copiers.engines[engine].channels > 1 || held.hasLingering();
      }
    end += double(steps.cycles[to]);
    std::vector<uint64_t> kept(places.memories());
    unsigned seen = 0;
    for (auto next = starts.begin(); next != starts.end() && seen < window;) {
      unsigned start = *next;
      if (taken[start]) {
        next = starts.erase(next);
        continue;
      }
      ++next, ++seen;
      unsigned engine = steps.copies[start].engine;
      if (start == to || isBusy[engine])
        continue;
      isBusy[engine] =
          !deadlines.permit(start, to) || (!timeline.hasIdleChannel(engine) &&
                                           timeline.busyUntil(engine) > end);
      if (!isBusy[engine])
        moveUp(to, start, kept);
      else if (std::ranges::all_of(isBusy, std::identity()))
        return;
    }
  }

  /// Moves the start up if memory allows. Otherwise its bytes are reserved: a
  /// later start moves up only if both fit.
  void moveUp(unsigned to, unsigned start, std::vector<uint64_t> &kept) {
    std::vector<uint64_t> bytes = held.added(to, start);
    std::vector<uint64_t> both = bytes;
    for (size_t memory = 0; memory < bytes.size(); ++memory)
      if (bytes[memory])
        both[memory] += kept[memory];
    bool isUrgent = deadlines.isUrgent(start, to);
    Ahead ahead = isUrgent ? Ahead::Steps : Ahead::Copies;
    auto mayMove = [&] {
      return isReady(start) && held.fitsEarlier(to, start, both, isUrgent) &&
             places.find(to, start, ahead);
    };
    if (!mayMove() && !(takeEnded() && mayMove())) {
      for (size_t memory = 0; memory < bytes.size(); ++memory)
        kept[memory] += bytes[memory];
      return;
    }
    takeWaitsBefore(start);
    // The waits taken above free bytes, so the search is repeated.
    if (!places.find(to, start, ahead))
      return;
    held.moveUp(to, start);
    take(start);
  }
};

} // namespace

CopyOrder glow::orderCopies(const CopySteps &steps, const CopyRoom &room,
                            const std::vector<uint64_t> &capacities,
                            Look look) {
  return CopyScheduler(steps, room, capacities, look).run();
}
