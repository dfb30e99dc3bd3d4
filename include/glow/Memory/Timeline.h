//===- Timeline.h - simulation of instructions and copies -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_MEMORY_TIMELINE_H
#define GLOW_MEMORY_TIMELINE_H

#include <cstdint>
#include <deque>
#include <vector>

namespace glow {

/// The bytes that a copy moves, and its path.
struct Moved {
  unsigned engine;
  uint64_t bytes;
  std::vector<unsigned> memories; ///< each once
};

/// The copying hardware of a device: engines, and the memories that they share.
struct Copiers {
  struct Engine {
    uint64_t channels;      ///< concurrent copies, 1 or more
    uint64_t bytesPerCycle; ///< for one copy, 1 or more
    uint64_t latency;       ///< cycles before the first byte
  };
  std::vector<Engine> engines;
  std::vector<uint64_t>
      bandwidths; ///< by memory, in bytes a cycle; 0: no limit
};

/// Simulation of instructions that run one after the other, and of copies in
/// parallel with them. A channel executes its copies in the order of their
/// starts. Copies under way in a memory share its bandwidth evenly. Time is in
/// cycles and begins at 0.
class Timeline {
public:
  explicit Timeline(Copiers copiers);

  /// Starts a copy, now or when a channel is free; returns its number, from 0
  /// on.
  unsigned start(unsigned engine, uint64_t bytes,
                 std::vector<unsigned> memories);
  /// Runs an instruction of `cycles` cycles.
  void run(uint64_t cycles);
  /// Advances time until the copy has ended.
  void wait(unsigned copy);

  bool hasEnded(unsigned copy) const { return copies[copy].ended; }
  bool hasIdleChannel(unsigned engine) const;
  /// An estimate of the time at which the engine completes all started copies:
  /// their bytes at the full rate of all channels. Never before `now`.
  double busyUntil(unsigned engine) const;

  double now() const { return time; }
  double computing() const { return computed; } ///< time in `run`
  double copying() const { return copied; }     ///< time with a copy under way

private:
  struct Copy {
    unsigned engine;
    double left; ///< remaining bytes
    std::vector<unsigned> memories;
    double moves = 0; ///< time of the first byte
    bool ended = false;
  };
  Copiers copiers;
  std::vector<Copy> copies;
  std::vector<unsigned> underWay;
  std::vector<std::deque<unsigned>> queues; ///< one for each engine
  double time = 0, computed = 0, copied = 0;

  void begin();
  bool isMoving(const Copy &copy) const;
  double rateOf(const Copy &copy) const;
  double fullRateOf(const Copy &copy) const;
  double nextEvent() const;
  void pass(double cycles);
  void advance(double until);
};

} // namespace glow

#endif // GLOW_MEMORY_TIMELINE_H
