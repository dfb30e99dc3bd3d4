//===- Timeline.h - when instructions and copies end ------------*- C++ -*-===//

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

/// What a chip has that copies: engines, and memories which they share.
struct Copiers {
  struct Engine {
    uint64_t channels;      ///< copies under way at once, 1 or more
    uint64_t bytesPerCycle; ///< of one copy, 1 or more
    uint64_t latency;       ///< cycles before the first byte
  };
  std::vector<Engine> engines;
  std::vector<uint64_t>
      bandwidths; ///< of each memory, in bytes a cycle; 0: any
};

/// A program of instructions that run one after the other, and of copies that
/// go on beside them. A channel carries out one copy after the other, in the
/// order of their starts; the copies that are under way in a memory share its
/// bandwidth evenly. Time is in cycles, and begins at 0.
class Timeline {
public:
  explicit Timeline(Copiers copiers);

  /// A copy begins, now or when a channel is free; gives its number, from 0 on.
  unsigned start(unsigned engine, uint64_t bytes,
                 std::vector<unsigned> memories);
  /// An instruction of so many cycles.
  void run(uint64_t cycles);
  /// Time goes on until the copy has ended.
  void wait(unsigned copy);

  bool hasEnded(unsigned copy) const { return copies[copy].ended; }
  bool hasIdleChannel(unsigned engine) const;
  /// An estimate of the time at which the engine has ended all copies that were
  /// started: their bytes at the full rate of all channels. Not before now.
  double busyUntil(unsigned engine) const;

  double now() const { return time; }
  double computing() const { return computed; } ///< in `run`
  double copying() const { return copied; }     ///< while a copy is under way

private:
  struct Copy {
    unsigned engine;
    double left; ///< bytes
    std::vector<unsigned> memories;
    double moves = 0; ///< when the first byte does
    bool ended = false;
  };
  Copiers copiers;
  std::vector<Copy> copies;
  std::vector<unsigned> underWay;
  std::vector<std::deque<unsigned>> queues; ///< of each engine
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
