//===- Core.h - the layers of a host ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Each layer owns its state and calls the layers below it:
//
//   Host         callers' threads, and the report
//     Scheduler    requests, queues and batches
//       Provisioner  models, their copies on devices, health of devices
//         Executor     runs, tasks and devices
//           Device
//
// Events go up through one interface, Events. docs/Layers.md has the order, and
// monitor/States.h the diagram of all states.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_HOST_CORE_H
#define GLOW_RUNTIME_HOST_CORE_H

#include "scheduler/Scheduler.h"

namespace glow::runtime {

/// The layers of a host, behind its lock. Passes the events of each layer on to
/// the layers above.
class Core final : public Monitor, private Events {
public:
  explicit Core(HostOptions given) : Monitor(std::move(given)) {}

  std::mutex opening; ///< serialises opening devices; taken before `mutex`
  Executor executor{*this, *this};
  Provisioner provisioner{*this, *this, executor};
  Scheduler scheduler{*this, provisioner, executor};

private:
  void settle() override { executor.settle(); }

  bool onCapacity(DeviceSlot &slot) override { return scheduler.feed(slot); }
  void onOver(const std::shared_ptr<Run> &run, bool killed) override;
  void onTaskEnded(const std::shared_ptr<Run> &run) override;
  void onLost(DeviceSlot &slot) override { provisioner.lost(slot); }
  void onDrained(DeviceSlot &slot) override { provisioner.mayRecover(slot); }
  void onReady(ServedModel &model) override { scheduler.wake(model); }
  void onFailed(ServedModel &model, const Status &status) override {
    scheduler.failWaiting(model, status);
  }
  void onGone(ServedModel &model) override { scheduler.forget(model); }
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_CORE_H
