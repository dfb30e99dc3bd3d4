//===- Link.h - a way to a server that loses and delays ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_SIMULATION_LINK_H
#define GLOW_TEST_RUNTIME_SIMULATION_LINK_H

#include "Device.h"
#include "glow/Runtime/Remote.h"

namespace simulation {

/// The connection between a host and a server. Messages come late, in any
/// order, or never; the sender hears of a loss when the connection is whole
/// again. A call that is lost on its way has no effect; a call with a lost
/// answer has its whole effect.
struct Wire {
  Wire(Clock &clock, glow::Duration least, glow::Duration most, uint64_t seed)
      : clock(clock), least(least), most(most), chance(seed) {}

  /// Delivers a message; a message that would arrive while the wire is cut
  /// is `lost`. With tensors of a run, it waits for earlier ones on the
  /// line.
  void carry(std::function<void()> arrives, std::function<void()> lost,
             bool hasTensors = false);

  void fault(const FaultPlan &fault);

  Clock &clock;
  const glow::Duration least, most; ///< delays
  Chance chance;
  glow::TimePoint cutUntil{}, slowUntil{};
  std::function<void()> breaks;          ///< ends unanswered calls
  glow::Duration transfer{0};            ///< time of a message's tensors
  std::shared_ptr<glow::TimePoint> line; ///< shared; busy until then
};

/// The host's end. The server outlives it.
std::unique_ptr<glow::Link> linkOver(std::shared_ptr<Wire> wire,
                                     std::shared_ptr<glow::RemoteService> to);

} // namespace simulation

#endif // GLOW_TEST_RUNTIME_SIMULATION_LINK_H
