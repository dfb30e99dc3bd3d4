//===- Scale.h - throughput of many devices -------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_SIMULATION_SCALE_H
#define GLOW_TEST_RUNTIME_SIMULATION_SCALE_H

#include <cstddef>

namespace simulation {

/// The costs of a request, in microseconds.
struct Costs {
  double run = 1000;   ///< on a device, one at a time
  double host = 5;     ///< on the host, for all devices together
  double latency = 0;  ///< of each message, either way
  double transfer = 0; ///< of its tensors on the host's one link, in all
};

/// Requests a second that a host with so many devices answers, none of which
/// fails: three runs for each device are always on their way.
double throughputOf(size_t devices, const Costs &costs);

} // namespace simulation

#endif // GLOW_TEST_RUNTIME_SIMULATION_SCALE_H
