//===- Counters.h - counters and reports of a host --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_COUNTERS_H
#define GLOW_RUNTIME_COUNTERS_H

#include "glow/Runtime/Workers.h"
#include <array>
#include <string>
#include <vector>

namespace glow {

/// Histogram of times. Each interval from a power of two of nanoseconds to the
/// next has 16 ranges of equal width.
class TimeHistogram {
public:
  void add(Duration time);
  uint64_t count() const { return all; }
  Duration sum() const { return total; }

  /// The quantile of the times for a share from 0 to 1, exact within 1/16 of
  /// its value; 0 for an empty histogram.
  Duration quantile(double share) const;

private:
  static constexpr int bits = 4; ///< after the leading bit of a time
  std::array<uint64_t, size_t(64 - bits) << bits> ranges{};
  uint64_t all = 0;
  Duration total{0};
};

/// Counters of a model. Every request ends in one of four ways: admitted =
/// answered + failed + late + cancelled + requests that wait or run.
struct ModelCounters {
  uint64_t admitted = 0, refused = 0; ///< refused: before they were queued
  uint64_t answered = 0, failed = 0, late = 0, cancelled = 0;
  uint64_t again = 0; ///< runs repeated after the loss of a device
  uint64_t runs = 0, rows = 0, padding = 0;
  TimeHistogram queueTime, runTime;
};

struct DeviceCounters {
  uint64_t runs = 0, faults = 0, checks = 0;
  TimeHistogram runTime; ///< run times of parts
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
  std::string why; ///< the reason of a bad state
  size_t running = 0, waiting = 0, programs = 0;
  DeviceCounters counters;
  unsigned threads = 0;     ///< from DeviceInfo
  std::string processors;   ///< "0-3,8"; "": any
  uint64_t memoryBytes = 0; ///< from DeviceInfo
};

/// The state of a whole host at one moment.
struct HostReport {
  std::vector<ModelReport> models;
  std::vector<DeviceReport> devices;
  size_t waiting = 0;       ///< requests
  uint64_t memoryBytes = 0; ///< tensors in memory of the host
  bool isReady = false;

  /// One JSON object, with the names above in snake case; times are in
  /// microseconds.
  std::string json() const;
};

} // namespace glow

#endif // GLOW_RUNTIME_COUNTERS_H
