//===- World.h - a host, its devices and its requests -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_SIMULATION_WORLD_H
#define GLOW_TEST_RUNTIME_SIMULATION_WORLD_H

#include "Link.h"
#include "glow/Runtime/Host.h"
#include "runtime/host/Core.h"
#include <sstream>

namespace glow {
class HostAccess {
public:
  static runtime::Core &core(Host &host) { return *host.core; }
  static const auto &healthOf(const runtime::Core &core,
                              const runtime::DeviceSlot &slot) {
    return core.provisioner.healthOf(slot);
  }
};
} // namespace glow

namespace simulation {

inline constexpr int64_t start = 100000, warm = 350000, quiet = 600000,
                         last = 1000000;

inline glow::TimePoint at(int64_t microseconds) {
  return glow::TimePoint(std::chrono::microseconds(microseconds));
}

inline size_t kindOf(const std::string &name) { return size_t(name[0]); }

/// A session as its requests have left it.
struct Session {
  glow::HostSessionId id;
  std::vector<float> state;
  std::optional<size_t> model = std::nullopt; ///< the version that answers
};

struct Asked {
  const RequestPlan *plan;
  std::string name;
  std::vector<float> x;
  glow::TimePoint deadline = glow::TimePoint::max();
  int answers = 0;
  Session *session = nullptr; ///< null: none
  bool isCancelled = false;
  bool isUnserved = false; ///< it could have been answered with numbers
  glow::RequestHandle handle;
};

/// Runs a plan in three parts: the host loads and is measured; then requests
/// and faults come; then all is quiet, and the host must be as it was. After
/// every event what must always hold is looked at.
class World {
public:
  explicit World(const Plan &plan);
  ~World() { clock->watch = nullptr; }
  std::optional<std::string> run();

private:
  // What happens (Simulation.cpp).
  void addDevice(size_t number);
  void addModel(size_t number);
  int64_t rowsFor(const RequestPlan &request) const;
  void submit(const RequestPlan &request);
  Session *sessionOf(const RequestPlan &request);
  void closeSessions();
  glow::Duration crowd(int64_t time);
  void until(int64_t time);

  // Invariants (Invariants.cpp).
  void answered(Asked &one, int64_t id, const glow::Status &status,
                const std::vector<glow::Tensor> &outputs);
  bool runsUnseen(const std::string &name) const;
  bool isRight(const Asked &one, size_t model, std::span<const float> y);
  void check(const Asked &one, int64_t id,
             const std::vector<glow::Tensor> &outputs);
  void look();
  void lookAt(glow::runtime::DeviceSlot &slot, simulation::Device &device,
              bool isFar);
  void settled();

  template <typename... Parts> void fail(const Parts &...parts) {
    if (!wrong.empty())
      return;
    std::ostringstream text;
    (text << ... << parts);
    wrong = text.str();
  }

  const Plan &plan;
  std::map<int64_t, Seen> seen;
  std::string wrong;
  int64_t when = 0;
  std::vector<std::unique_ptr<Asked>> asked;
  int loading = 0;
  std::shared_ptr<Clock> clock;
  std::vector<std::shared_ptr<simulation::Device>> devices;
  std::vector<std::shared_ptr<Wire>> wires; ///< null for local ones
  std::vector<std::shared_ptr<glow::RemoteService>> servers;
  struct AfterTheHost {
    World &world;
    ~AfterTheHost();
  } afterTheHost{*this};
  std::vector<std::optional<glow::ModelId>> models;
  std::map<std::pair<size_t, int>, Session> sessions; ///< by model and number
  glow::Host host;
  glow::runtime::Core &core;
};

} // namespace simulation

#endif // GLOW_TEST_RUNTIME_SIMULATION_WORLD_H
