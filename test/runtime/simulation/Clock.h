//===- Clock.h - time that passes when nothing is left to do --------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_SIMULATION_CLOCK_H
#define GLOW_TEST_RUNTIME_SIMULATION_CLOCK_H

#include "glow/Runtime/Workers.h"
#include <map>

namespace simulation {

/// The next of a sequence that its state decides (SplitMix64).
class Chance {
public:
  explicit Chance(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From 0 up to, not including, `end`.
  int64_t below(int64_t end) { return int64_t(next() % uint64_t(end)); }
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool percent(int64_t share) { return below(100) < share; }

private:
  uint64_t state;
};

/// Tasks on one thread, in simulated time. The seed decides the order of tasks
/// of one moment, as on threads.
class Clock final : public glow::Workers {
public:
  explicit Clock(uint64_t seed) : chance(seed) {}

  glow::TimePoint now() const override { return time; }
  void post(std::function<void()> task) override { add(time, std::move(task)); }
  glow::TimerId postAt(glow::TimePoint at,
                       std::function<void()> task) override {
    return glow::TimerId(add(std::max(at, time), std::move(task)));
  }
  void cancel(glow::TimerId timer) override {
    auto found = keys.find(uint64_t(timer));
    if (found == keys.end())
      return;
    events.erase(found->second);
    keys.erase(found);
  }

  /// Runs the next task up to `until`; false if there is none.
  bool step(glow::TimePoint until) {
    if (events.empty() || events.begin()->first.time > until) {
      time = std::max(time, until);
      return false;
    }
    auto event = events.extract(events.begin());
    keys.erase(event.key().id);
    time = event.key().time;
    event.mapped()();
    if (watch)
      watch();
    return true;
  }

  /// A wait lets other tasks run meanwhile.
  void wait(glow::Event &event) override {
    while (!event.isSet() && step(glow::TimePoint::max()))
      ;
  }

  std::function<void()> watch; ///< is called after each task

private:
  struct Key {
    glow::TimePoint time;
    uint64_t chance, id;
    auto operator<=>(const Key &) const = default;
  };
  uint64_t add(glow::TimePoint at, std::function<void()> task) {
    Key key{at, chance.next(), ++last};
    keys.emplace(key.id, key);
    events.emplace(key, std::move(task));
    return key.id;
  }

  glow::TimePoint time{};
  Chance chance;
  std::map<Key, std::function<void()>> events;
  std::map<uint64_t, Key> keys;
  uint64_t last = 0;
};

} // namespace simulation

#endif // GLOW_TEST_RUNTIME_SIMULATION_CLOCK_H
