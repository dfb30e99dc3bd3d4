//===- Loading.cpp - programs onto devices --------------------------------===//
// SPDX-License-Identifier: MIT
//
// The lock is not held while a device loads. With a watchdog (hangFactor) each
// load call runs on a worker task with a time limit. A device whose call was
// given up is not called again before that call returns.
//
// States of a LoadCall: Loads, then Ended (in time) or GivenUp (by the timer).
// Both changes are made under the lock, so that exactly one of them happens.
//
//===----------------------------------------------------------------------===//

#include "Provisioner.h"
using namespace glow;
using namespace glow::runtime;

/// The absent parts of a copy on a device; marks them as Loading. Needs the
/// lock.
std::vector<Provisioner::Loading>
Provisioner::loadsOf(const std::shared_ptr<ModelCopy> &copy, DeviceSlot &slot) {
  std::vector<Loading> loads;
  for (size_t v = 0; v < copy->programs.size(); ++v)
    for (size_t p = 0; p < copy->programs[v].size(); ++p)
      if (DeviceProgram &program = copy->programs[v][p];
          program.slot == &slot && program.state == ProgramState::Absent) {
        program.state = ProgramState::Loading;
        loads.push_back({copy, v, p});
      }
  return loads;
}

/// Loads programs on a device, all or none; called without the lock. A failure
/// unloads the programs that this call has loaded.
Status Provisioner::loadOn(const std::vector<Loading> &loads, Device &device,
                           std::vector<ProgramId> &ids) {
  Status status;
  for (const Loading &load : loads) {
    const ProgramPart &part =
        load.copy->model->variants[load.variant]->parts[load.part];
    try {
      Result<ProgramId> id = device.load(*part.program);
      if (id) {
        ids.push_back(*id);
        continue;
      }
      status = id.status();
    } catch (const std::exception &error) {
      status = failure(Code::DeviceLost, "loading threw: ", error.what());
    } catch (...) {
      status = Status(Code::DeviceLost, "loading threw");
    }
    for (ProgramId id : std::exchange(ids, {}))
      device.unload(id);
    break;
  }
  return status;
}

static Status tooLate() {
  return Status(Code::DeviceLost, "did not end loading in its time");
}

/// Makes a load call and starts its timer; needs the lock. `givenUp` is called
/// under the lock if the time limit passes first.
std::shared_ptr<Provisioner::LoadCall>
Provisioner::beginLoading(DeviceSlot &slot, std::vector<Loading> loads,
                          std::function<void(const Status &)> givenUp) {
  auto call = std::make_shared<LoadCall>(slot, std::move(loads));
  if (monitor.options.hangFactor == 0)
    return call;
  auto giveUp = [this, givenUp = std::move(givenUp)](const auto &call) {
    if (call->state == LoadCall::Ended) // before this task had the lock
      return;
    call->state = LoadCall::GivenUp;
    ++healthOf(call->slot).stuckLoads;
    // Parts of a copy that was removed meanwhile are not Loading any more.
    for (const Loading &load : call->loads)
      if (DeviceProgram &program = load.program();
          program.state == ProgramState::Loading)
        program.state = ProgramState::Absent;
    givenUp(tooLate());
    failUnservable(call->slot);
  };
  call->limit = monitor.postAt(monitor.now() + monitor.options.loadLimit,
                               std::weak_ptr(call), giveUp);
  return call;
}

/// Ends a load call that has returned; fails if it was given up before. Needs
/// the lock.
Status Provisioner::endLoading(LoadCall &call) {
  monitor.workers->cancel(call.limit);
  if (call.state == LoadCall::GivenUp) {
    --healthOf(call.slot).stuckLoads;
    return tooLate();
  }
  call.state = LoadCall::Ended;
  return Status();
}

/// Loads a copy on each of its devices; called without the lock. Without a
/// watchdog the devices load on this thread, one after the other.
void Provisioner::loadCopy(const std::shared_ptr<ModelCopy> &copy) {
  for (DeviceSlot *slot : copy->slots)
    if (monitor.options.hangFactor == 0)
      loadPartOf(copy, *slot);
    else
      monitor.workers->post(
          monitor.whileAlive([this, copy, slot] { loadPartOf(copy, *slot); }));
}

/// Loads the parts of a copy on one device; called without the lock. The first
/// Entry chooses the programs, the second one records the result.
void Provisioner::loadPartOf(const std::shared_ptr<ModelCopy> &copy,
                             DeviceSlot &slot) {
  std::shared_ptr<LoadCall> call;
  std::shared_ptr<Device> device;
  uint64_t epoch;
  {
    Monitor::Entry entry(monitor);
    if (copy->state != CopyState::Loading)
      return;
    epoch = slot.epoch;
    // A lost device is loaded by recover(). The call then has no programs, but
    // still ends in loadedOn(), which counts it.
    std::vector<Loading> loads;
    if (slot.state != DeviceState::Lost && !healthOf(slot).isRecovering)
      loads = loadsOf(copy, slot);
    device = slot.device;
    call = beginLoading(slot, std::move(loads),
                        [this, copy, &slot, epoch](Status status) {
                          loadedOn(copy, slot, epoch, {}, std::move(status));
                        });
  }
  std::vector<ProgramId> ids;
  Status status = loadOn(call->loads, *device, ids);
  Monitor::Entry entry(monitor);
  // A call that was given up has run loadedOn() from its timer already: its
  // programs go, and the device can be recovered.
  if (endLoading(*call).ok())
    return loadedOn(copy, slot, epoch, std::move(ids), status);
  unload(device, std::move(ids));
  recoverSoon(slot);
}

/// Records the result of loading a copy on one device; needs the lock. The last
/// device of the copy calls advance().
void Provisioner::loadedOn(const std::shared_ptr<ModelCopy> &copy,
                           DeviceSlot &slot, uint64_t epoch,
                           std::vector<ProgramId> ids, Status status) {
  --copy->loadsLeft;
  // In the order of loadsOf(), and so of `ids`.
  std::vector<DeviceProgram *> programs;
  for (std::vector<DeviceProgram> &variant : copy->programs)
    for (DeviceProgram &program : variant)
      if (program.slot == &slot && program.state == ProgramState::Loading)
        programs.push_back(&program);
  // Programs that were loaded before a loss of the device are not there now.
  const bool isLost = epoch != slot.epoch || status.code() == Code::DeviceLost;
  const bool isWanted = copy->state == CopyState::Loading;
  if (status.ok() && !isLost && isWanted && ids.size() == programs.size()) {
    for (size_t i = 0; i < ids.size(); ++i) {
      programs[i]->id = ids[i];
      programs[i]->state = ProgramState::Loaded;
    }
    return copy->loadsLeft ? void() : advance(copy);
  }
  for (DeviceProgram *program : programs)
    program->state = ProgramState::Absent;
  unload(slot.device, std::move(ids));
  if (!isWanted)
    return;
  if (isLost) {
    executor.fault(slot, "was lost: " + status.message());
    return copy->loadsLeft ? void() : advance(copy);
  }
  failed(copy, status);
}

/// Unloads programs after the Entry, as Device::unload may wait for runs.
void Provisioner::unload(const std::shared_ptr<Device> &device,
                         std::vector<ProgramId> ids) {
  if (!ids.empty() && device)
    monitor.later([device, ids = std::move(ids)] {
      for (ProgramId id : ids)
        device->unload(id);
    });
}
