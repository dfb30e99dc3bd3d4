//===- Counters.h - what a host has done so far -----------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_COUNTERS_H
#define GLOW_RUNTIME_COUNTERS_H

#include "glow/Runtime/Workers.h"
#include <array>
#include <string>
#include <vector>

namespace glow {

/// Counts times by ranges. 16 ranges of one width lie between a power of two of
/// nanoseconds and the next one.
class TimeHistogram {
public:
  void add(Duration time);
  uint64_t count() const { return all; }
  Duration sum() const { return total; }

  /// The time that a share (0 to 1) of all are not above, right within 1/16 of
  /// it; 0 of none.
  Duration quantile(double share) const;

private:
  static constexpr int bits = 4; ///< behind the first bit of a time
  std::array<uint64_t, size_t(64 - bits) << bits> ranges{};
  uint64_t all = 0;
  Duration total{0};
};

/// Of a model. Every request ends as one of the four: admitted = answered +
/// failed + late + cancelled + those that wait or run.
struct ModelCounters {
  uint64_t admitted = 0, refused = 0; ///< refused: before they were queued
  uint64_t answered = 0, failed = 0, late = 0, cancelled = 0;
  uint64_t again = 0; ///< runs that a lost device made necessary
  uint64_t runs = 0, rows = 0, padding = 0;
  TimeHistogram queueTime, runTime;
};

struct DeviceCounters {
  uint64_t runs = 0, faults = 0, checks = 0;
  TimeHistogram runTime; ///< of parts
};

struct ModelReport {
  std::string name;
  uint64_t version = 0;
  std::string state; ///< "loading", "serving", "leaving"
  size_t waiting = 0, copies = 0, readyCopies = 0;
  ModelCounters counters;
};

struct DeviceReport {
  std::string name, backend, state;
  std::string why; ///< it is not good
  size_t running = 0, waiting = 0, programs = 0;
  DeviceCounters counters;
  unsigned threads = 0;     ///< as DeviceInfo has them
  std::string processors;   ///< "0-3,8"; "": any
  uint64_t memoryBytes = 0; ///< the same
};

/// All of a host at one moment.
struct HostReport {
  std::vector<ModelReport> models;
  std::vector<DeviceReport> devices;
  size_t waiting = 0;       ///< requests
  uint64_t memoryBytes = 0; ///< of tensors, in memory of the host
  bool isReady = false;

  /// One JSON object, with the names above in snake case; times in
  /// microseconds.
  std::string json() const;
};

} // namespace glow

#endif // GLOW_RUNTIME_COUNTERS_H
