//===- Health.cpp - devices that are lost, and come back ------------------===//
// SPDX-License-Identifier: MIT
//
// A lost device is loaded again after a delay that doubles with each failure.
// Before its results are used, each copy on it repeats a correct run: the parts
// on this device, with the values of that run. The lock is not held while
// devices load and while results are compared.
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

std::string_view glow::name(DeviceState state) {
  return state == DeviceState::Good      ? "good"
         : state == DeviceState::Suspect ? "suspect"
                                         : "lost";
}

bool Provisioner::hasHope(const Model &model) const {
  // A lost device that is stuck in a load call, or has failed too often.
  auto isHopeless = [&](const Slot *slot) {
    return slot->state == DeviceState::Lost &&
           (slot->stuckLoads || slot->failures > core.options.patience);
  };
  return std::ranges::any_of(model.copies, [&](const auto &copy) {
    return std::ranges::none_of(copy->slots, isHopeless);
  });
}

Status Provisioner::hopeless(const Model &model) const {
  std::string why;
  for (const std::shared_ptr<Copy> &copy : model.copies)
    for (const Slot *slot : copy->slots)
      if (slot->state == DeviceState::Lost)
        why += (why.empty() ? "" : "; ") + ("device '" + slot->name + "' ") +
               slot->why;
  return Status(Code::DeviceLost, why);
}

void Provisioner::lost(Slot &slot) {
  for (const std::shared_ptr<Copy> &copy : slot.copies) {
    // A part in state Loading belongs to a load call, which resets it itself.
    for (std::vector<Place> &variant : copy->places)
      for (Place &place : variant)
        if (place.slot == &slot && place.state == Place::Loaded) {
          slot.stale.push_back(place.program);
          place.state = Place::Absent;
        }
    // Spare memory may lie on the lost device.
    for (auto &spare : copy->spare)
      spare.clear();
    if (copy->state == Copy::Ready || copy->state == Copy::Checking)
      copy->state = Copy::Waiting;
  }
  schedule(slot);
  // A model that still loads fails at once, because its caller waits for it.
  const Status status(Code::DeviceLost,
                      "device '" + slot.name + "' " + slot.why);
  std::vector<std::shared_ptr<Copy>> copies = slot.copies;
  for (const std::shared_ptr<Copy> &copy : copies)
    if (copy->model->state == Model::Loading)
      failed(copy, status);
}

/// Sets the timer of the next recovery; needs the lock.
void Provisioner::schedule(Slot &slot) {
  ++slot.failures;
  if (core.isClosed || (slot.failures > 1 && mistake(Mistake::OneRetry)))
    return;
  const unsigned doublings = std::min(slot.failures - 1, 20u);
  Duration wait = std::min(core.options.backOff * (int64_t(1) << doublings),
                           core.options.backOffMost);
  // A random part of up to half, so that devices do not retry in step.
  wait += Duration(int64_t(core.chance() % uint64_t(wait.count() / 2 + 1)));
  slot.retry = core.workers->postAt(
      core.now() + wait, [weak = core.weak_from_this(), &slot] {
        if (std::shared_ptr<Core> core = weak.lock())
          recover(core, slot);
      });
  if (slot.failures > core.options.patience)
    failHopeless(slot);
}

/// Fails the waiting requests of models that cannot become ready without this
/// device.
void Provisioner::failHopeless(const Slot &slot) {
  std::vector<std::shared_ptr<Copy>> copies = slot.copies;
  for (const std::shared_ptr<Copy> &copy : copies)
    if (!hasHope(*copy->model)) {
      Status status = hopeless(*copy->model);
      core.scheduler.failWaiting(*copy->model, status);
      if (copy->model->state == Model::Loading)
        modelLoaded(*copy->model, status);
    }
}

void Provisioner::mayRecover(Slot &slot) {
  if (!std::exchange(slot.waitsForRuns, false))
    return;
  // Posted, because this is called under the lock and recover() takes it.
  core.workers->post([weak = core.weak_from_this(), &slot] {
    if (std::shared_ptr<Core> core = weak.lock())
      recover(core, slot);
  });
}

void Provisioner::stateChanged(const std::shared_ptr<Core> &core, Slot &slot) {
  // Device::state is called without the lock; ~Host may have reset the pointer.
  std::shared_ptr<Device> device;
  {
    std::lock_guard lock(core->mutex);
    device = slot.device;
  }
  const DeviceState state = device ? device->state() : DeviceState::Lost;
  Core::Entry entry(core);
  if (core->isClosed)
    return;
  // A suspect device has lost its programs since the last callback.
  if (state != DeviceState::Good)
    core->executor.fault(slot, "is out of reach");
  // A device that is in reach again is recovered before its timer ends, as the
  // delay has grown during the outage.
  if (state != DeviceState::Lost && slot.state == DeviceState::Lost)
    core->workers->post([weak = std::weak_ptr(core), &slot] {
      if (std::shared_ptr<Core> core = weak.lock())
        recover(core, slot);
    });
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
void Provisioner::recover(const std::shared_ptr<Core> &core, Slot &slot) {
  std::shared_ptr<LoadCall> call;
  std::vector<ProgramId> stale;
  std::shared_ptr<Device> device;
  bool runs;
  {
    Core::Entry entry(core);
    if (slot.state != DeviceState::Lost || slot.isRecovering ||
        slot.stuckLoads || core->isClosed)
      return;
    slot.isRecovering = true;
    core->workers->cancel(std::exchange(slot.retry, TimerId::None));
    device = slot.device;
    runs = !slot.lost.empty();
    stale = std::exchange(slot.stale, {});
    std::vector<Loading> loads;
    for (const std::shared_ptr<Copy> &copy : slot.copies)
      if (copy->state != Copy::Leaving) {
        auto more = core->provisioner.loadsOf(copy, slot);
        loads.insert(loads.end(), more.begin(), more.end());
      }
    call = core->provisioner.beginLoading(
        slot, std::move(loads), [&slot](const Status &status) {
          slot.why = "cannot be loaded again: " + status.message();
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

  Core::Entry entry(core);
  Status inTime = core->provisioner.endLoading(*call);
  slot.isRecovering = false;
  // A reset frees the programs and the tensors of lost tasks. Without it, the
  // programs that were not unloaded are still to be unloaded.
  if (wasReset)
    core->executor.forgetLost(slot);
  else
    slot.stale = stale;
  std::vector<ProgramId> unwanted;
  for (size_t i = 0; i < call->loads.size(); ++i) {
    Place &place = call->loads[i].place();
    // The copy may have been removed, or the call given up, meanwhile.
    const bool isWanted = place.state == Place::Loading;
    if (isWanted)
      place.state = status.ok() ? Place::Loaded : Place::Absent;
    if (isWanted && status.ok())
      place.program = ids[i];
    else if (status.ok())
      unwanted.push_back(ids[i]);
  }
  core->provisioner.unload(device, std::move(unwanted));
  if (status.ok())
    status = std::move(inTime);
  if (!status.ok()) {
    // Without reset, mayRecover() tries again when the lost tasks have ended.
    slot.waitsForRuns = status.code() == Code::Unsupported;
    slot.why = "cannot be loaded again: " + status.message();
    return core->provisioner.schedule(slot);
  }
  slot.state = DeviceState::Suspect;
  slot.why = "is being checked";
  core->provisioner.checkSlot(slot);
}
