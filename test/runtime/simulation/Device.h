//===- Device.h - a device with planned failures --------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_SIMULATION_DEVICE_H
#define GLOW_TEST_RUNTIME_SIMULATION_DEVICE_H

#include "Clock.h"
#include "Plan.h"
#include "Programs.h"
#include "glow/Runtime/Device.h"
#include <map>
#include <set>

namespace simulation {

/// Requests as devices see them, by id.
struct Seen {
  size_t model = 0;
  int starts = 0, kills = 0;
};

class Device final : public glow::Device {
public:
  Device(Clock &clock, const DevicePlan &plan, uint64_t seed,
         std::map<int64_t, Seen> &seen, std::string &wrong)
      : clock(clock), plan(plan), chance(seed), seen(seen), wrong(wrong) {}

  glow::DeviceInfo info() const override;
  uint64_t freeBytes() const override { return plan.memory - taken; }
  glow::Result<glow::ProgramId> load(const glow::Program &program) override;
  void run(glow::ProgramId program, glow::Tensors &tensors,
           std::function<void(glow::Status)> done) override;
  void unload(glow::ProgramId program) override;
  glow::Status reset() override;
  glow::Result<std::unique_ptr<glow::DeviceBuffer>>
  allocate(uint64_t bytes) override;

  void fault(const FaultPlan &fault);
  void endAll(); ///< ends a run that would never end
  bool has(glow::ProgramId program) const { return programs.contains(program); }
  size_t programCount() const { return programs.size(); }
  uint64_t takenBytes() const { return taken; }

private:
  struct Running {
    glow::ProgramId program;
    glow::Tensors *tensors;
    std::function<void(glow::Status)> done;
    std::vector<int64_t> ids;
    bool twice = false, isDead = false;
    bool isLeft = false; ///< its program is freed at its end
  };
  struct Loaded {
    std::shared_ptr<const Function> code;
    uint64_t bytes;
  };
  void finish(uint64_t number);
  void compute(const Running &running, bool isWrong);
  void die(bool tells);
  void keep(std::function<void(glow::Status)> done);
  glow::Status lostStatus() const {
    return glow::Status(glow::Code::DeviceLost, "it died");
  }

  Clock &clock;
  const DevicePlan plan;
  Chance chance;
  std::map<int64_t, Seen> &seen;
  std::string &wrong; ///< the first violation
  std::map<glow::ProgramId, Loaded> programs;
  std::map<uint64_t, Running> runs;
  std::vector<std::function<void(glow::Status)>> unanswered;
  uint64_t taken = 0, lastProgram = 0, lastRun = 0;
  bool isDead = false, isMute = false, throwsNext = false, twiceNext = false;
  int noMemory = 0;
  glow::TimePoint backAt{}, slowUntil{}, hangUntil{}, wrongUntil{};
};

} // namespace simulation

#endif // GLOW_TEST_RUNTIME_SIMULATION_DEVICE_H
