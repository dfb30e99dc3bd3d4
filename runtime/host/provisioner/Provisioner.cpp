//===- Provisioner.cpp - placement and removal of copies ------------------===//
// SPDX-License-Identifier: MIT

#include "Provisioner.h"
#include "base/Mistake.h"
#include "glow/Runtime/StepDevice.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

Status Provisioner::add(std::unique_ptr<DeviceSlot> slot) {
  DeviceSlot &added = *slot;
  Status status = executor.add(std::move(slot));
  if (!status.ok())
    return status;
  health.emplace_back();
  if (monitor.observer)
    monitor.later([device = added.device, observer = monitor.observer] {
      device->observe(observer);
    });
  monitor.later(
      [device = added.device, changed = monitor.whileAlive([this, &added] {
        stateChanged(added);
      })] { device->watch(changed); });
  return status;
}

void Provisioner::add(const std::shared_ptr<ServedModel> &model) {
  model->id = ModelId(++lastModel);
  model->lastUse = monitor.now();
  // Versions that are loading or leaving count as well.
  if (uint64_t &version = model->spec.version; version == 0) {
    for (const std::shared_ptr<ServedModel> &other : models)
      if (other->spec.name == model->spec.name)
        version = std::max(version, other->spec.version);
    ++version;
  }
  byId[uint64_t(model->id)] = model;
  models.push_back(model);
}

std::shared_ptr<ServedModel> Provisioner::find(ModelId id) const {
  // A replaced version forwards to its newest version.
  auto newer = replaced.find(uint64_t(id));
  auto found =
      byId.find(uint64_t(newer == replaced.end() ? id : newer->second));
  return found == byId.end() ? nullptr : found->second;
}

std::shared_ptr<ServedModel> Provisioner::find(std::string_view name) const {
  auto found = newest.find(name);
  return found == newest.end() ? nullptr : found->second;
}

size_t Provisioner::programsOn(const DeviceSlot &slot) const {
  size_t count = 0;
  for (const std::shared_ptr<ModelCopy> &copy : healthOf(slot).copies)
    for (const std::vector<DeviceProgram> &variant : copy->programs)
      for (const DeviceProgram &program : variant)
        count += program.slot == &slot && program.state == ProgramState::Loaded;
  return count;
}

void Provisioner::unload(ModelId id) {
  auto found = byId.find(uint64_t(id));
  if (found == byId.end())
    return;
  std::shared_ptr<ServedModel> model = found->second;
  model->state = ModelState::Leaving;
  leave(*model);
}

void Provisioner::close() {
  for (const Health &one : health)
    monitor.workers->cancel(one.retry);
}

void Provisioner::clear() {
  auto left = std::exchange(models, {});
  byId.clear();
  newest.clear();
  for (const std::shared_ptr<ServedModel> &model : left) {
    auto copies = model->copies;
    for (const std::shared_ptr<ModelCopy> &copy : copies)
      removeCopy(copy);
  }
  // After the unload calls: large constants are freed without the lock.
  monitor.later([left] {});
  executor.clear();
}

/// The bytes that all variants of a part take on a device. Constants that the
/// variants share are counted once.
static uint64_t bytesOf(const ServedModel &model, size_t part) {
  std::set<const void *> constants;
  uint64_t bytes = 0;
  for (const std::unique_ptr<Variant> &variant : model.variants) {
    const Program &program = *variant->parts[part].program;
    bytes += bytesToLoad(program) - program.constantBytes();
    for (const Constant &constant : program.constants)
      if (!constant.owner || constants.insert(constant.data).second)
        bytes += constant.type.bytes();
  }
  return bytes;
}

/// For each copy, the device of each part. Devices with the most free memory
/// are preferred. A device takes one copy of a model: a second gains nothing.
std::vector<std::vector<DeviceSlot *>>
Provisioner::choose(const ServedModel &model, const std::vector<uint64_t> &free,
                    Status &status) const {
  std::vector<uint64_t> left = free;
  std::set<const DeviceSlot *> used;
  std::vector<std::vector<DeviceSlot *>> copies;
  const unsigned wanted = model.spec.copies ? model.spec.copies : ~0u;
  const std::vector<ProgramPart> &parts = model.variants.front()->parts;
  while (copies.size() < wanted) {
    std::vector<DeviceSlot *> chosen;
    std::set<const DeviceSlot *> ofCopy;
    for (size_t part = 0; part < parts.size(); ++part) {
      const std::string &backend = parts[part].program->backend;
      const std::string &device = parts[part].program->device;
      const uint64_t bytes = bytesOf(model, part);
      DeviceSlot *best = nullptr;
      std::string there;
      bool isThere = false; // a good device of the backend exists
      // Each part of a copy gets its own device, where there are enough.
      auto isBetter = [&](const DeviceSlot &slot) {
        if (!best || ofCopy.contains(best) != ofCopy.contains(&slot))
          return !best || ofCopy.contains(best);
        return left[slot.index] > left[best->index];
      };
      for (const std::unique_ptr<DeviceSlot> &slot : executor.devices()) {
        if (slot->info.backend != backend || slot->index >= left.size() ||
            (!device.empty() && slot->name != device))
          continue;
        isThere |= slot->state == DeviceState::Good;
        there += (there.empty() ? "" : ", ") + ("'" + slot->name + "' has ") +
                 (slot->state == DeviceState::Good
                      ? std::to_string(left[slot->index]) + " free"
                      : "none, it " + slot->why);
        if (slot->state == DeviceState::Good && !used.contains(slot.get()) &&
            left[slot->index] >= bytes && isBetter(*slot))
          best = slot.get();
      }
      if (!best) {
        if (copies.empty() || model.spec.copies)
          status = failure(there.empty() ? Code::NotFound
                           : isThere     ? Code::OutOfMemory
                                         : Code::DeviceLost,
                           "copy ", copies.size() + 1, " of model '",
                           model.spec.name, "' needs ", bytes, " bytes on ",
                           device.empty() ? "a device" : "'" + device + "'",
                           " of backend '", backend,
                           "': ", there.empty() ? "there is none" : there,
                           used.empty() ? "" : "; each device takes one copy");
        return copies;
      }
      chosen.push_back(best);
      ofCopy.insert(best);
      left[best->index] -= bytes;
    }
    used.insert(ofCopy.begin(), ofCopy.end());
    copies.push_back(std::move(chosen));
  }
  return copies;
}

std::shared_ptr<ModelCopy>
Provisioner::makeCopy(const std::shared_ptr<ServedModel> &model,
                      const std::vector<DeviceSlot *> &slots) {
  auto copy = std::make_shared<ModelCopy>();
  copy->model = model;
  copy->spare.resize(model->variants.size());
  for (const std::unique_ptr<Variant> &variant : model->variants) {
    std::vector<DeviceProgram> programs(variant->parts.size());
    for (size_t i = 0; i < programs.size(); ++i) {
      programs[i].slot = slots[i];
      programs[i].time = model->spec.predicted / int64_t(programs.size());
    }
    copy->programs.push_back(std::move(programs));
  }
  for (DeviceSlot *slot : slots)
    if (std::ranges::find(copy->slots, slot) == copy->slots.end()) {
      copy->slots.push_back(slot);
      healthOf(*slot).copies.push_back(copy);
    }
  copy->loadsLeft = unsigned(copy->slots.size());
  model->copies.push_back(copy);
  return copy;
}

/// Unloads the least recently used idle model, if `model` may evict others;
/// false if there is none.
bool Provisioner::evictFor(ServedModel &model) {
  if (!model.spec.evictsOthers)
    return false;
  std::shared_ptr<ServedModel> oldest;
  auto isIdle = [](const auto &copy) { return copy->running == 0; };
  for (const std::shared_ptr<ServedModel> &other : models)
    if (other.get() != &model && other->state == ModelState::Serving &&
        other->waiting == 0 && !other->copies.empty() &&
        std::ranges::all_of(other->copies, isIdle) &&
        (!oldest || other->lastUse < oldest->lastUse))
      oldest = other;
  if (!oldest)
    return false;
  oldest->evictedFor = uint64_t(model.id);
  oldest->state = ModelState::Leaving;
  leave(*oldest);
  return true;
}

void Provisioner::provision(const std::shared_ptr<ServedModel> &model) {
  // The lock is taken twice, because Device::freeBytes is called without it. A
  // device that is added in between has no entry in `free`, and is not chosen.
  std::vector<std::shared_ptr<Device>> devices;
  {
    Monitor::Entry entry(monitor);
    for (const std::unique_ptr<DeviceSlot> &slot : executor.devices())
      devices.push_back(slot->device);
  }
  std::vector<uint64_t> free;
  for (const std::shared_ptr<Device> &device : devices)
    free.push_back(device ? device->freeBytes() : 0);
  std::vector<std::shared_ptr<ModelCopy>> copies;
  {
    Monitor::Entry entry(monitor);
    if (model->state != ModelState::Loading) // unloaded meanwhile
      return;
    Status status;
    auto chosen = choose(*model, free, status);
    if (!status.ok()) {
      if (status.code() == Code::OutOfMemory && evictFor(*model)) {
        // The memory is free after the deferred unload calls of this Entry:
        // another task tries again. It keeps the monitor:
        // ServedModel::whenLoaded is called even if the host is destroyed.
        monitor.workers->post([kept = monitor.shared_from_this(), this, model] {
          provision(model);
        });
        return;
      }
      return modelLoaded(*model, status);
    }
    for (const std::vector<DeviceSlot *> &slots : chosen)
      copies.push_back(makeCopy(model, slots));
  }
  for (const std::shared_ptr<ModelCopy> &copy : copies)
    loadCopy(copy);
}

/// A copy cannot be loaded: a new model fails, a served one loses the copy.
void Provisioner::failed(const std::shared_ptr<ModelCopy> &copy,
                         const Status &status) {
  ServedModel &model = *copy->model;
  if (model.state == ModelState::Loading)
    modelLoaded(model, status);
  else
    removeCopy(copy);
}

/// Whether requests to one model can go to the other one.
static bool takesTheSame(const ServedModel &one, const ServedModel &other) {
  auto isSame = [](const Binding &a, const Binding &b) {
    return a.name == b.name && a.type == b.type && a.lengths == b.lengths;
  };
  auto isSameBatch = [](const auto &a, const auto &b) {
    return a->batch == b->batch;
  };
  return one.spec.mayPad == other.spec.mayPad &&
         one.spec.batch == other.spec.batch &&
         std::ranges::equal(one.inputs(), other.inputs(), isSame) &&
         std::ranges::equal(one.outputs(), other.outputs(), isSame) &&
         std::ranges::equal(one.variants, other.variants, isSameBatch);
}

/// Forwards later requests of an older version to a newer one, and removes the
/// older one after its own requests.
void Provisioner::replace(std::shared_ptr<ServedModel> older,
                          std::shared_ptr<ServedModel> newer) {
  if (takesTheSame(*older, *newer)) {
    for (auto &[old, next] : replaced)
      if (next == older->id)
        next = newer->id;
    replaced[uint64_t(older->id)] = newer->id;
  }
  older->state = ModelState::Leaving;
  leave(*older);
}

/// Ends the state Loading: Serving after a success, else Leaving.
void Provisioner::modelLoaded(ServedModel &model, Status status) {
  auto done = std::exchange(model.whenLoaded, nullptr);
  std::shared_ptr<ServedModel> self = find(model.id);
  if (status.ok()) {
    model.state = ModelState::Serving;
    std::shared_ptr<ServedModel> &served = newest[model.spec.name];
    const bool isReplaced = served && served->state == ModelState::Serving &&
                            !model.spec.name.empty();
    // Of two versions that load at once, the one that was added later stays.
    std::shared_ptr<ServedModel> older = self;
    if (!isReplaced || served->id < model.id)
      older = std::exchange(served, self);
    if (isReplaced)
      replace(older, served);
  } else {
    model.state = ModelState::Leaving;
    leave(model);
  }
  if (done)
    monitor.later([done, status, id = model.id] {
      done(status.ok() ? Result<ModelId>(id) : Result<ModelId>(status));
    });
}

void Provisioner::leave(ModelId id) {
  if (auto found = byId.find(uint64_t(id)); found != byId.end())
    leave(*std::shared_ptr<ServedModel>(found->second));
}

/// Removes a model in steps: its copies leave once no request waits, and each
/// frees its memory when it runs nothing. Called again after each step.
void Provisioner::leave(ServedModel &model) {
  if (model.waiting)
    return;
  // A copy of the list: leaveIfIdle() erases entries.
  std::vector<std::shared_ptr<ModelCopy>> copies = model.copies;
  for (const std::shared_ptr<ModelCopy> &copy : copies) {
    if (copy->state == CopyState::Gone)
      continue;
    copy->state = CopyState::Leaving;
    leaveIfIdle(copy);
  }
  // A busy copy calls this again through leaveIfIdle().
  if (!model.copies.empty() || model.state == ModelState::Gone)
    return;
  model.state = ModelState::Gone;
  std::shared_ptr<ServedModel> self = byId[uint64_t(model.id)];
  byId.erase(uint64_t(model.id));
  std::erase(models, self);
  if (auto found = newest.find(model.spec.name);
      found != newest.end() && found->second == self)
    newest.erase(found);
  events.onGone(model);
  // The last reference goes after the Entry: large constants are freed without
  // the lock.
  monitor.later([self] {});
}

void Provisioner::leaveIfIdle(const std::shared_ptr<ModelCopy> &copy) {
  if (copy->state != CopyState::Leaving ||
      (executor.isBusy(*copy) && !mistake(Mistake::LeaveAtOnce)))
    return;
  removeCopy(copy);
  std::shared_ptr<ServedModel> model = copy->model;
  if (model->state == ModelState::Leaving)
    leave(*model);
}

void Provisioner::stay(const std::shared_ptr<ModelCopy> &copy) {
  if (copy->state != CopyState::Leaving)
    return;
  copy->state = CopyState::Waiting;
  advance(copy);
}

void Provisioner::removeCopy(const std::shared_ptr<ModelCopy> &copy) {
  copy->state = CopyState::Gone;
  // A part that loads now is unloaded when its load call ends (loadedOn).
  for (DeviceSlot *slot : copy->slots) {
    std::erase(healthOf(*slot).copies, copy);
    executor.wake(*slot);
  }
  std::erase(copy->model->copies, copy);
  for (std::vector<DeviceProgram> &variant : copy->programs)
    for (DeviceProgram &program : variant)
      if (std::exchange(program.state, ProgramState::Absent) ==
              ProgramState::Loaded &&
          !mistake(Mistake::ForgetMemory))
        monitor.later([device = program.slot->device, id = program.id] {
          device->unload(id);
        });
}
