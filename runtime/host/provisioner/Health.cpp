//===- Health.cpp - devices that are lost, and come back ------------------===//
// SPDX-License-Identifier: MIT
//
// A lost device is loaded again after a delay that doubles with each failure.
// Before its results are used, each copy on it repeats a correct run: the parts
// on this device, with the values of that run. The lock is not held while
// devices load and while results are compared.
//
//===----------------------------------------------------------------------===//

#include "Provisioner.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

std::string_view glow::name(DeviceState state) {
  return state == DeviceState::Good      ? "good"
         : state == DeviceState::Suspect ? "suspect"
                                         : "lost";
}

Status Provisioner::canServe(const ServedModel &model) const {
  // A lost device that is stuck in a load call, or has failed too often.
  auto isUnavailable = [&](const DeviceSlot *slot) {
    if (slot->state != DeviceState::Lost)
      return false;
    const Health &health = healthOf(*slot);
    return health.stuckLoads || health.failures > monitor.options.patience;
  };
  if (std::ranges::any_of(model.copies, [&](const auto &copy) {
        return std::ranges::none_of(copy->slots, isUnavailable);
      }))
    return Status();
  std::string why;
  for (const std::shared_ptr<ModelCopy> &copy : model.copies)
    for (const DeviceSlot *slot : copy->slots)
      if (slot->state == DeviceState::Lost)
        why += (why.empty() ? "" : "; ") + ("device '" + slot->name + "' ") +
               slot->why;
  return Status(Code::DeviceLost, why);
}

void Provisioner::lost(DeviceSlot &slot) {
  Health &health = healthOf(slot);
  health.checksLeft = 0;
  for (const std::shared_ptr<ModelCopy> &copy : health.copies) {
    // A part in state Loading belongs to a load call, which resets it itself.
    for (std::vector<DeviceProgram> &variant : copy->programs)
      for (DeviceProgram &program : variant)
        if (program.slot == &slot && program.state == ProgramState::Loaded) {
          health.stale.push_back(program.id);
          program.state = ProgramState::Absent;
        }
    // Spare memory may lie on the lost device.
    for (auto &spare : copy->spare)
      spare.clear();
    if (copy->state == CopyState::Ready || copy->state == CopyState::Checking)
      copy->state = CopyState::Waiting;
  }
  schedule(slot);
  // A model that still loads fails at once, because its caller waits for it.
  const Status status(Code::DeviceLost,
                      "device '" + slot.name + "' " + slot.why);
  std::vector<std::shared_ptr<ModelCopy>> copies = health.copies;
  for (const std::shared_ptr<ModelCopy> &copy : copies)
    if (copy->model->state == ModelState::Loading)
      failed(copy, status);
}

/// Sets the timer of the next recovery; needs the lock.
void Provisioner::schedule(DeviceSlot &slot) {
  Health &health = healthOf(slot);
  ++health.failures;
  if (monitor.isClosed || (health.failures > 1 && mistake(Mistake::OneRetry)))
    return;
  const unsigned doublings = std::min(health.failures - 1, 20u);
  Duration wait = std::min(monitor.options.backOff * (int64_t(1) << doublings),
                           monitor.options.backOffMost);
  // A random part of up to half, so that devices do not retry in step.
  wait += Duration(int64_t(monitor.random() % uint64_t(wait.count() / 2 + 1)));
  health.retry = monitor.workers->postAt(
      monitor.now() + wait,
      monitor.whileAlive([this, &slot] { recover(slot); }));
  if (health.failures > monitor.options.patience)
    failUnservable(slot);
}

/// Fails the waiting requests of models that cannot become ready without this
/// device.
void Provisioner::failUnservable(const DeviceSlot &slot) {
  std::vector<std::shared_ptr<ModelCopy>> copies = healthOf(slot).copies;
  for (const std::shared_ptr<ModelCopy> &copy : copies)
    if (Status status = canServe(*copy->model); !status.ok()) {
      events.onFailed(*copy->model, status);
      if (copy->model->state == ModelState::Loading)
        modelLoaded(*copy->model, status);
    }
}

void Provisioner::mayRecover(DeviceSlot &slot) {
  if (std::exchange(healthOf(slot).waitsForRuns, false))
    recoverSoon(slot);
}

/// Posts recover(), which takes the lock itself.
void Provisioner::recoverSoon(DeviceSlot &slot) {
  monitor.workers->post(monitor.whileAlive([this, &slot] { recover(slot); }));
}

/// The callback of Device::watch; called without the lock.
void Provisioner::stateChanged(DeviceSlot &slot) {
  // Device::state is called without the lock; ~Host may have reset the pointer.
  std::shared_ptr<Device> device;
  {
    std::lock_guard lock(monitor.mutex);
    device = slot.device;
  }
  const DeviceState state = device ? device->state() : DeviceState::Lost;
  Monitor::Entry entry(monitor);
  if (monitor.isClosed)
    return;
  // A suspect device has lost its programs since the last callback.
  if (state != DeviceState::Good)
    executor.fault(slot, "is out of reach");
  // A device that is in reach again is recovered before its timer ends, as the
  // delay has grown during the outage.
  if (state != DeviceState::Lost && slot.state == DeviceState::Lost)
    recoverSoon(slot);
}

/// Resets a device; called without the lock.
static Status resetOf(Device &device) {
  try {
    return device.state() == DeviceState::Lost
               ? Status(Code::DeviceLost, "is out of reach")
               : device.reset();
  } catch (const std::exception &error) {
    return failure(Code::DeviceLost, "threw: ", error.what());
  } catch (...) {
    return Status(Code::DeviceLost, "threw");
  }
}

/// Resets a lost device and loads its programs again; called without the lock,
/// on a worker thread. One call a device runs at a time: `isRecovering`, which
/// the first Entry sets and the second one clears, keeps others out.
void Provisioner::recover(DeviceSlot &slot) {
  std::shared_ptr<LoadCall> call;
  std::vector<ProgramId> stale;
  std::shared_ptr<Device> device;
  bool runs;
  {
    Monitor::Entry entry(monitor);
    Health &health = healthOf(slot);
    if (slot.state != DeviceState::Lost || health.isRecovering ||
        health.stuckLoads || monitor.isClosed)
      return;
    health.isRecovering = true;
    monitor.workers->cancel(std::exchange(health.retry, TimerId::None));
    device = slot.device;
    runs = !slot.lost.empty() || !slot.direct.empty();
    stale = std::exchange(health.stale, {});
    std::vector<Loading> loads;
    for (const std::shared_ptr<ModelCopy> &copy : health.copies)
      if (copy->state != CopyState::Leaving) {
        auto more = loadsOf(copy, slot);
        loads.insert(loads.end(), more.begin(), more.end());
      }
    call = beginLoading(
        slot, std::move(loads), [this, &slot](const Status &status) {
          executor.judge(slot, slot.state,
                         "cannot be loaded again: " + status.message());
        });
  }
  Status status = resetOf(*device);
  const bool wasReset = status.ok();
  // A device without reset is recovered by unloading, if it runs nothing more.
  if (!wasReset && !runs && status.code() == Code::Unsupported) {
    for (ProgramId id : stale)
      device->unload(id);
    stale.clear();
    status = Status();
  }
  std::vector<ProgramId> ids;
  if (status.ok())
    status = loadOn(call->loads, *device, ids);

  Monitor::Entry entry(monitor);
  Health &health = healthOf(slot);
  Status inTime = endLoading(*call);
  health.isRecovering = false;
  // A reset frees the programs and the tensors of lost tasks. Without it, the
  // programs that were not unloaded are still to be unloaded.
  if (wasReset)
    executor.forgetLost(slot);
  else
    health.stale = stale;
  std::vector<ProgramId> unwanted;
  for (size_t i = 0; i < call->loads.size(); ++i) {
    DeviceProgram &program = call->loads[i].program();
    // The copy may have been removed, or the call given up, meanwhile.
    const bool isWanted = program.state == ProgramState::Loading;
    if (isWanted)
      program.state = status.ok() ? ProgramState::Loaded : ProgramState::Absent;
    if (isWanted && status.ok())
      program.id = ids[i];
    else if (status.ok())
      unwanted.push_back(ids[i]);
  }
  unload(device, std::move(unwanted));
  if (status.ok())
    status = std::move(inTime);
  if (!status.ok()) {
    // Without reset, mayRecover() tries again when the lost tasks have ended.
    health.waitsForRuns = status.code() == Code::Unsupported;
    executor.judge(slot, DeviceState::Lost,
                   "cannot be loaded again: " + status.message());
    return schedule(slot);
  }
  executor.judge(slot, DeviceState::Suspect, "is being checked");
  checkSlot(slot);
}
