//===- Timing.h - the cycles of the chip ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef NPU_TIMING_H
#define NPU_TIMING_H

#include <cstdint>
#include <deque>
#include <vector>

namespace npu {

/// A copy between the memory of the host and one of the chip.
struct Transfer {
  uint64_t hostAddress;             ///< of its first row
  uint64_t rows, rowBytes, rowStep; ///< in the memory of the host
  uint64_t chipAddress;             ///< in the scratchpad, in bytes
  bool isOfPad;                     ///< and not of the accumulators alone
  bool goesOut;
};

/// The cycles and events since the beginning of a run.
struct Counts {
  uint64_t cycles = 0;                ///< until the last wait
  uint64_t computing = 0;             ///< of the array
  uint64_t waiting = 0;               ///< the array, for copies
  uint64_t copying = 0;               ///< while copies are under way
  uint64_t macs = 0;                  ///< products
  uint64_t bytesIn = 0, bytesOut = 0; ///< read and written on the host
  uint64_t conflicts = 0;             ///< array and copy, for a bank
  uint64_t pageMisses = 0;            ///< in the host's memory

  /// Adds what happened from `before` to `after`.
  void add(const Counts &before, const Counts &after);
};

/// Counts cycles, burst by burst. Two channels copy 64 bytes at a time, in
/// turn; the memory of the host gives 16 bytes a cycle, and opens a page of
/// 1024 bytes in 6, of which each of its 8 banks has one open; the scratchpad
/// has 16 banks, and where a copy and the array want the same one the array
/// waits a cycle.
class Timing {
public:
  /// A copy begins, when a channel is free; gives its number.
  unsigned start(const Transfer &transfer);
  /// The array works for so long, and multiplies so often.
  void compute(uint64_t cycles, uint64_t macs);
  void wait(unsigned number);
  Counts counts() const;

private:
  struct Channel {
    uint64_t time = 0; ///< the end of its last burst
    unsigned copy = none;
    uint64_t row = 0, done = 0; ///< rows done, and bytes of this row
  };
  static constexpr unsigned none = ~0u;
  static constexpr uint64_t unknown = ~uint64_t(0);

  Channel channels[2];
  std::deque<unsigned> queue;
  std::vector<Transfer> transfers;
  std::vector<uint64_t> begun, ended; ///< of each copy
  uint64_t now = 0, hostFree = 0, busyUntil = 0;
  uint64_t copiesFrom = 0; ///< since when a copy is under way
  uint64_t openPages[8] = {};
  Counts counted;

  bool isIdle() const;
  bool assign(uint64_t limit);
  bool step(uint64_t limit);
  void burst(Channel &channel);
};

} // namespace npu

#endif // NPU_TIMING_H
