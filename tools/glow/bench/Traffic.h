//===- Traffic.h - requests of many clients, and their latency --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_BENCH_TRAFFIC_H
#define GLOW_TOOLS_GLOW_BENCH_TRAFFIC_H

#include "cli/Tool.h"
#include "glow/Runtime/Host.h"
#include <string>
#include <vector>

namespace glow::tool {

/// The requests to a host. Each of `clients` waits for its answer before the
/// next request. With `rate`, requests are sent at given times, whether or not
/// answers came.
struct TrafficOptions {
  unsigned clients = 0;
  double rate = 0; ///< requests a second of all, at random times (Poisson),
                   ///< always the same
  double deadlineMs = 0; ///< after a request's start; 0: none
  double seconds = 2;    ///< to measure, after a tenth that is not counted
};

/// The outcomes of the requests.
struct TrafficResult {
  /// Latencies of answered requests, in milliseconds, sorted. With a rate they
  /// count from when a request should have been sent, so that a host that falls
  /// behind does not slow down what measures it (coordinated omission).
  std::vector<double> latencies;
  uint64_t answered = 0;
  uint64_t refused = 0;   ///< at once: the queue is full, or it would be late
  uint64_t missed = 0;    ///< ended at its deadline
  uint64_t late = 0;      ///< answered after its deadline, which should not be
  double missedAfter = 0; ///< the longest from a deadline to being told, in ms
  double behind = 0;      ///< with a rate: the longest that a request was sent
                          ///< after its time, in milliseconds
  uint64_t failed = 0;
  double seconds = 0; ///< from the first counted request to the last answer
  Status failure;     ///< the first one

  double percentile(double percent) const;
  Json json() const;
};

/// Sends requests with copies of `inputs`, and waits for all answers. Fails
/// with Code::OutOfMemory if there is none for the copies.
Result<TrafficResult> sendTraffic(Host &host, ModelId model,
                                  const std::vector<NamedTensor> &inputs,
                                  const TrafficOptions &options);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_BENCH_TRAFFIC_H
