//===- Link.h - a way to a server that loses and delays ---------*- C++ -*-===//

#ifndef GLOW_TEST_RUNTIME_SIMULATION_LINK_H
#define GLOW_TEST_RUNTIME_SIMULATION_LINK_H

#include "Device.h"
#include "glow/Runtime/Remote.h"

namespace simulation {

/// What lies between a host and a server: messages come late, in any order, or
/// never, of which the sender hears when the wire is whole again. Of a call
/// that is lost on its way there nothing is done; of one whose answer is lost
/// all is.
struct Wire {
  Wire(Clock &clock, glow::Duration least, glow::Duration most, uint64_t seed)
      : clock(clock), least(least), most(most), chance(seed) {}

  /// Brings a message over; one that would arrive where the wire is cut is
  /// `lost`. With the tensors of a run, after those that others have on the
  /// line.
  void carry(std::function<void()> arrives, std::function<void()> lost,
             bool hasTensors = false);

  void fault(const FaultPlan &fault);

  Clock &clock;
  const glow::Duration least, most; ///< delays
  Chance chance;
  glow::TimePoint cutUntil{}, slowUntil{};
  std::function<void()> breaks;          ///< ends what is not answered
  glow::Duration transfer{0};            ///< of the tensors of a message
  std::shared_ptr<glow::TimePoint> line; ///< of several wires: busy until then
};

/// The host's end. The server outlives it.
std::unique_ptr<glow::Link> linkOver(std::shared_ptr<Wire> wire,
                                     std::shared_ptr<glow::RemoteService> to);

} // namespace simulation

#endif // GLOW_TEST_RUNTIME_SIMULATION_LINK_H
